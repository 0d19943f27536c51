/** Operators' acts on the command line, recorded before they are done (D159, D199). */
import { hostname } from 'node:os';
import { newId } from '../../account/ids.ts';
import { userName } from '../../ops/operator-acts.ts';
import type { OperatorAct } from '../../ops/operator-acts.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { Account } from '../../account/account-store.ts';
import type { Keys } from '../../account/keys.ts';
import type { ApiKey } from '../../account/key-store.ts';
import type { WebhookAdmin } from '../../webhooks/admin.ts';
import type { Command } from './command.ts';

type Kept = {
  /** What the trail keeps; null: read-only. */
  readonly [Do in Command['do']]: ((asked: Extract<Command, { readonly do: Do }>) => object) | null;
};

/** Without names, addresses and origins, which a customer chose. */
export const KEPT: Kept = {
  'account create': ({ tier, key }) => ({ tier, key }),
  'account close': () => ({ closed: true }),
  export: () => ({}),
  erase: () => ({}),
  'first-key': () => ({}),
  tier: ({ tier }) => ({ tier }),
  cap: ({ units }) => ({ capUnits: units }),
  operator: ({ on }) => ({ isOperator: on }),
  link: () => ({}),
  'key mint': ({ kind, environment, permission }) => ({ kind, environment, permission }),
  'key revoke': () => ({ revoked: true }),
  'key rotate': ({ overlapHours }) => ({ overlapHours }),
  'webhook resend': () => ({}),
  'request approve': ({ tier }) => ({ tier }),
  'request decline': () => ({}),
  'account list': null,
  'key list': null,
  usage: null,
  'webhook list': null,
  'webhook deliveries': null,
  'request list': null,
  trail: null,
  'trail verify': null,
};

interface Lookups {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly webhooks: WebhookAdmin;
}

/** null: read-only. `by` null: the system's user. */
export async function actOf(
  lookups: Lookups,
  command: Command,
  by: string | null,
): Promise<OperatorAct | null> {
  const keep = KEPT[command.do] as ((asked: Command) => object) | null;
  if (keep === null) return null;
  return {
    ...{ who: by ?? userName(), via: 'command', from: hostname(), act: command.do },
    ...(await objectOf(lookups, command)),
    ...{ wanted: keep(command), requestId: null },
  };
}

type ActObject = Pick<OperatorAct, 'accountId' | 'target' | 'before'>;

async function objectOf(
  { accounts, keys, webhooks }: Lookups,
  command: Command,
): Promise<ActObject> {
  if (command.do === 'account create') {
    return { accountId: newId('account'), target: null, before: null };
  }
  if (command.do === 'webhook resend') {
    const { accountId = null, ...before } = (await webhooks.standing(command.delivery)) ?? {};
    return { accountId, target: command.delivery, before };
  }
  if (command.do === 'key revoke' || command.do === 'key rotate') {
    return await keyObject(keys, command.key);
  }
  if ('request' in command) return { accountId: null, target: command.request, before: null };
  const account = 'account' in command ? await accounts.find(command.account ?? '') : null;
  return { accountId: account?.id ?? null, target: null, before: account && stateOf(account) };
}

async function keyObject(keys: Keys, id: string): Promise<ActObject> {
  const accountId = await keys.ownerOf(id);
  const all = accountId === null ? [] : await keys.list(accountId);
  const key = all.find((each) => each.id === id);
  return { accountId, target: id, before: key === undefined ? null : keyState(key) };
}

function keyState({ kind, environment, permission, expiresAtMs, revokedAtMs }: ApiKey): object {
  return { kind, environment, permission, expiresAtMs, revoked: revokedAtMs !== null };
}

function stateOf({ tier, capUnits, isOperator, closedAtMs }: Account): object {
  return { tier, capUnits, isOperator, closed: closedAtMs !== null };
}
