/** Decides requests for an account (D217). */
import type { Letters } from '../../account/letters.ts';
import type { AccountRequests } from '../../account/requests.ts';
import type { Accounts } from '../../account/accounts.ts';
import type { RequestCommand } from './command.ts';
import { timeOf } from './done.ts';
import type { Done } from './done.ts';

export interface RequestCommandDeps {
  readonly accounts: Pick<Accounts, 'create'>;
  readonly requests: AccountRequests;
  readonly letters: Letters | null;
  /** A new account's sign-in link. */
  readonly linkOf: (accountId: string) => Promise<Done>;
}

export async function runRequestCommand(
  { accounts, requests, letters, linkOf }: RequestCommandDeps,
  command: RequestCommand,
): Promise<Done> {
  if (command.do === 'request list') {
    const open = await requests.list();
    const lines = open.map(({ id, askedAtMs, email, name, purpose }) =>
      [id, timeOf(askedAtMs), email, JSON.stringify(name), JSON.stringify(purpose)].join('  '),
    );
    return { value: open, lines: lines.length === 0 ? ['Nobody asks for an account.'] : lines };
  }
  const { id, name, email } = await requests.find(command.request);
  if (command.do === 'request decline') {
    await requests.decide(id, null);
    return { value: { id }, lines: [`${id} is declined. Nothing is sent to ${email}.`] };
  }
  const account = await accounts.create({ name, email, tier: command.tier });
  await requests.decide(id, account.id);
  if (!letters?.invite({ id: account.id, email, account: name, by: null })) {
    const link = await linkOf(account.id);
    return { value: { account, ...(link.value as object) }, lines: [account.id, ...link.lines] };
  }
  return {
    value: { account },
    lines: [`${account.id}: a letter with a link is sent to ${email}.`],
  };
}
