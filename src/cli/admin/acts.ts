/** What of the command line is an act of an operator, kept in the trail before it is done (D159). */
import { hostname } from 'node:os';
import { userName } from '../../ops/operator-acts.ts';
import type { OperatorAct } from '../../ops/operator-acts.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { Keys } from '../../account/keys.ts';
import type { Command } from './command.ts';

const LOOKS: readonly Command['do'][] = [
  ...([
    'account list',
    'key list',
    'usage',
    'webhook list',
    'webhook deliveries',
    'request list',
  ] as const),
  'acts',
];

/** null: it only looks. `by`: null names the system's user. */
export async function actOf(
  { accounts, keys }: { readonly accounts: Accounts; readonly keys: Keys },
  command: Command,
  by: string | null,
): Promise<OperatorAct | null> {
  if (LOOKS.includes(command.do)) return null;
  const { do: act, ...wanted } = command;
  const given = command as { account?: string; key?: string; delivery?: string; request?: string };
  const key = act.startsWith('key ') && act !== 'key mint' ? (given.key ?? null) : null;
  const owner = key === null ? null : await keys.ownerOf(key);
  const named = given.account ?? owner;
  const account = named === null ? null : await accounts.find(named);
  return {
    ...{ who: by ?? userName(), via: 'command', from: hostname(), act },
    accountId: account?.id ?? null,
    target: key ?? given.delivery ?? given.request ?? null,
    ...{ before: account, wanted, requestId: null },
  };
}
