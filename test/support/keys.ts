/** A key of a composed service, for tests and benchmarks that call it as a customer would. */
import type { AccountParts } from '../../src/start/accounts.ts';
import type { Permission } from '../../src/account/permissions.ts';
import type { Environment, Tier } from '../../src/account/plans.ts';

let made = 0;

/** A fresh account with one secret key; by default on the largest plan, billed. */
export async function mintKey(
  { accounts }: { readonly accounts: AccountParts },
  {
    tier = 'business',
    environment = 'live',
    permission = 'read',
  }: {
    readonly tier?: Tier;
    readonly environment?: Environment;
    readonly permission?: Permission;
  } = {},
): Promise<string> {
  made += 1;
  const { id } = await accounts.accounts.create({
    name: `Opdigtet kunde ${made}`,
    email: `kunde-${process.pid}-${made}@example.dk`,
    tier,
  });
  const { secret } = await accounts.keyAdmin.mint(id, {
    name: 'Opdigtet nøgle',
    kind: 'secret',
    environment,
    permission,
  });
  return secret;
}
