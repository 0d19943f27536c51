import type { Accounts } from '../../account/accounts.ts';
import type { Account } from '../../account/account-store.ts';
import type { Keys, MintedKey } from '../../account/keys.ts';
import type { ApiKey } from '../../account/key-store.ts';
import { keyCommand, keyStateOf, mintMissingKey } from '../../account/first-key.ts';
import { monthlyCeiling } from '../../account/plans.ts';
import { personsAt } from '../../account/person-store.ts';
import type { Letters } from '../../account/letters.ts';
import type { AccountRequests } from '../../account/requests.ts';
import type { Plans } from '../../account/plans.ts';
import type { Sessions } from '../../account/sessions.ts';
import type { Store } from '../../db/connect.ts';
import type { Clock } from '../../kernel/clock.ts';
import { recordAct } from '../../ops/operator-acts.ts';
import { Failure } from '../../kernel/failures.ts';
import { monthOf, parseMonth } from '../../metering/calendar.ts';
import type { Usage, UsageLedger } from '../../metering/usage.ts';
import type { WebhookAdmin } from '../../webhooks/admin.ts';
import { actOf } from './acts.ts';
import { timeOf } from './done.ts';
import type { Done } from './done.ts';
import { eraseAccount, exportAccount } from './personal-data.ts';
import { isTrailCommand, runTrailCommand } from './trail.ts';
import type {
  Command,
  MintCommand,
  RequestCommand,
  TrailCommand,
  WebhookCommand,
} from './command.ts';
import { isRequestCommand, runRequestCommand } from './requests.ts';
import { isWebhookCommand, runWebhookCommand } from './webhooks.ts';

export interface AdminDeps {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly store: Pick<Store, 'db' | 'kind'>;
  readonly sessions: Sessions;
  readonly requests: AccountRequests;
  readonly letters: Letters | null;
  readonly usage: UsageLedger;
  readonly webhooks: WebhookAdmin;
  readonly plans: Plans;
  readonly clock: Clock;
  readonly dataDir: string;
  /** Throws when the public URL is unknown. */
  readonly baseUrl: () => string;
}

/** Throws a Failure with an explaining sentence. `by` null: the system's user. */
export async function runCommand(
  deps: AdminDeps,
  command: Command,
  by: string | null,
): Promise<Done> {
  const act = await actOf(deps, command, by);
  if (act !== null) await recordAct(deps.store, act);
  const idOf = async (account: string): Promise<string> => (await named(deps, { account })).id;
  if (isWebhookCommand(command)) {
    return await runWebhookCommand({ webhooks: deps.webhooks, idOf }, command);
  }
  if (isTrailCommand(command)) return await runTrailCommand(deps.store, command, idOf);
  if (command.do === 'account create') {
    return await createAccount(deps, { ...command, id: act?.accountId ?? null });
  }
  if (command.do === 'export') return exportAccount(deps.store, await named(deps, command));
  if (command.do === 'erase') return await eraseAccount(deps, await named(deps, command));
  if (isRequestCommand(command)) {
    const linkOf = (id: string): Promise<Done> => makeLink(deps, id);
    return await runRequestCommand({ ...deps, linkOf }, command);
  }
  return await runAccountCommand(deps, command);
}

async function runAccountCommand(
  deps: AdminDeps,
  command: Exclude<
    Command,
    | (WebhookCommand | TrailCommand | RequestCommand)
    | { readonly do: 'account create' | 'export' | 'erase' }
  >,
): Promise<Done> {
  const { accounts } = deps;
  switch (command.do) {
    case 'first-key':
      return await makeFirstKey(deps);
    case 'account list':
      return showAccounts(await accounts.list());
    case 'account close':
      return showAccount(await accounts.close((await named(deps, command)).id));
    case 'tier':
      return showCapped(
        deps,
        await accounts.setTier((await named(deps, command)).id, command.tier),
      );
    case 'cap':
      return await setCap(deps, await named(deps, command), command.units);
    case 'operator':
      return showAccount(await accounts.setOperator((await named(deps, command)).id, command.on));
    case 'link':
      return await makeLink(deps, await signedInBy(deps, command.account));
    case 'usage':
      return await showUsage(deps, await named(deps, command), command.month);
    case 'key mint':
    case 'key list':
    case 'key revoke':
    case 'key rotate':
      return await runKeyCommand(deps, command);
  }
}

async function makeFirstKey({ store, clock, accounts }: AdminDeps): Promise<Done> {
  const minted = await mintMissingKey(store, clock);
  if (minted === null) {
    const another = keyCommand(await keyStateOf(store, clock));
    throw new Failure('conflict', { error: `There is a key already; another one: ${another}` });
  }
  const account = await named({ accounts }, { account: minted.key.accountId });
  const { value, lines } = showMinted(minted);
  return { value, lines: [...lines, ...accountLines([account])] };
}

/** A cap below the allowance, which is paid for (D61), would have no effect. */
async function setCap(deps: AdminDeps, account: Account, units: number | null): Promise<Done> {
  const allowance = deps.plans[account.tier].unitsPerMonth.live;
  if (units !== null && units < allowance) {
    throw new Failure('invalid_request', {
      error:
        `A cap is at least the allowance: the plan ${account.tier} includes ${allowance} units a ` +
        `month, and ${units} is below that.`,
    });
  }
  return showCapped(deps, await deps.accounts.setCap(account.id, units));
}

/** Shows the actual limit if it is not the cap. */
function showCapped({ plans }: AdminDeps, account: Account): Done {
  const { value, lines } = showAccount(account);
  const { capUnits, tier } = account;
  const plan = plans[tier];
  const ceiling = monthlyCeiling(plan, { environment: 'live', capUnits });
  if (capUnits === null || ceiling === capUnits) return { value, lines };
  const why = plan.overage ? 'its allowance is more' : 'it has no overage';
  const note = `The cap does not decide on the plan ${tier} (${why}): calls are refused after ${ceiling} units.`;
  return { value, lines: [...lines, note] };
}

/** With `key` also a first key with all permissions. */
async function createAccount(
  { accounts, keys }: AdminDeps,
  command: CreateCommand & { readonly id: string | null },
): Promise<Done> {
  const account = await accounts.create(command);
  const { key: environment } = command;
  if (environment === null) return showAccount(account);
  const wanted = { name: `first ${environment} key`, kind: 'secret', permission: 'jobs' } as const;
  const minted = await keys.mint(account.id, { ...wanted, environment });
  return {
    value: { ...account, key: minted.key, secret: minted.secret },
    lines: [...accountLines([account]), ...showMinted(minted).lines],
  };
}

type CreateCommand = Extract<Command, { readonly do: 'account create' }>;
type KeyCommand = Extract<Command, { readonly do: `key ${string}` }>;

async function runKeyCommand(deps: AdminDeps, command: KeyCommand): Promise<Done> {
  const { keys } = deps;
  switch (command.do) {
    case 'key mint':
      return showMinted(await mint(deps, command));
    case 'key list':
      return showKeys(await keys.list((await named(deps, command)).id), deps.clock.nowMs());
    case 'key revoke': {
      const key = await keys.revoke(await ownerOf(deps, command.key), command.key);
      return { value: key, lines: [`${key.id} (${key.prefix}…) is revoked.`] };
    }
    case 'key rotate': {
      const owner = await ownerOf(deps, command.key);
      const { old, minted } = await keys.rotate(owner, command.key, command.overlapHours);
      const ends = old.revokedAtMs ?? old.expiresAtMs;
      return {
        value: { ...minted, replaced: old },
        lines: [...showMinted(minted).lines, `${old.id} works until ${timeOf(ends)}.`],
      };
    }
  }
}

async function mint(deps: AdminDeps, command: MintCommand): Promise<MintedKey> {
  const { name, kind, environment, permission, origins } = command;
  return await deps.keys.mint((await named(deps, command)).id, {
    name,
    kind,
    environment,
    origins,
    ...(permission !== null && { permission }),
  });
}

export async function named(
  deps: Pick<AdminDeps, 'accounts'>,
  { account }: { readonly account: string },
): Promise<Account> {
  const found = await deps.accounts.find(account);
  if (found !== null) return found;
  throw new Failure('not_found', { error: `There is no account ${account.slice(0, 260)}.` });
}

async function ownerOf(deps: AdminDeps, keyId: string): Promise<string> {
  const owner = await deps.keys.ownerOf(keyId);
  if (owner !== null) return owner;
  throw new Failure('not_found', { error: 'There is no key of this id. See key list <account>.' });
}

/** An account's id comes before that of the only person with this address. */
async function signedInBy(deps: AdminDeps, account: string): Promise<string> {
  const own = await deps.accounts.find(account);
  if (own !== null) return own.id;
  const [found, another] = await personsAt(deps.store.db, account, 2);
  if (another !== undefined) {
    throw new Failure('conflict', {
      error: 'Several accounts have this person: name the account.',
    });
  }
  return found?.personId ?? (await named(deps, { account })).id;
}

/** The token follows `#`, which browsers do not send. */
async function makeLink(deps: AdminDeps, of: string): Promise<Done> {
  const base = deps.baseUrl();
  const { token, expiresAtMs } = await deps.sessions.newLink(of);
  const url = `${base}/log-ind#${token}`;
  return {
    value: { url, expiresAt: timeOf(expiresAtMs) },
    lines: [url, `Signs in once, until ${timeOf(expiresAtMs)}.`],
  };
}

async function showUsage(deps: AdminDeps, account: Account, given: string | null): Promise<Done> {
  const month = given === null ? monthOf(deps.clock.nowMs()) : parseMonth(given);
  if (month === null) {
    throw new Failure('invalid_request', { error: 'A month is written YYYY-MM.' });
  }
  const usage = await deps.usage.read({
    accountId: account.id,
    month,
    plan: deps.plans[account.tier],
    capUnits: account.capUnits,
  });
  return { value: usage, lines: usageLines(account, usage) };
}

function usageLines(account: Account, usage: Usage): string[] {
  const total = (environment: 'live' | 'test') => {
    const { units, requests, allowance, overageUnits } = usage[environment];
    const over = overageUnits > 0 ? `, ${overageUnits} beyond the allowance` : '';
    return `  ${environment}: ${units} of ${allowance} units in ${requests} requests${over}`;
  };
  return [`${account.name} (${account.tier}), ${usage.month}:`, total('live'), total('test')];
}

function showAccount(account: Account): Done {
  return { value: account, lines: accountLines([account]) };
}

function showAccounts(accounts: readonly Account[]): Done {
  const lines = accounts.length === 0 ? ['There is no account.'] : accountLines(accounts);
  return { value: accounts, lines };
}

function accountLines(accounts: readonly Account[]): string[] {
  return accounts.map(({ id, tier, email, name, isOperator, capUnits, closedAtMs }) =>
    [
      id,
      tier.padEnd(8),
      email,
      name,
      ...(capUnits === null ? [] : [`cap ${capUnits}`]),
      ...(isOperator ? ['operator'] : []),
      ...(closedAtMs === null ? [] : [`closed ${timeOf(closedAtMs)}`]),
    ].join('  '),
  );
}

function showMinted({ key, secret }: MintedKey): Done {
  return {
    value: { key, secret },
    lines: [secret, `${key.id}, ${key.name}: ${key.permission}. The secret is shown this once.`],
  };
}

function showKeys(keys: readonly ApiKey[], nowMs: number): Done {
  const lines = keys.map((key) =>
    [
      key.id,
      `${key.prefix}…`.padEnd(21),
      stateOf(key, nowMs),
      key.permission,
      key.name,
      `used ${usedOf(key)}`,
      ...key.origins,
    ].join('  '),
  );
  return { value: keys, lines: keys.length === 0 ? ['The account has no key.'] : lines };
}

/** The last use is kept for a while after a key's end (D156). */
function usedOf({ lastUsedAtMs, revokedAtMs, expiresAtMs }: ApiKey): string {
  const isUnknown = lastUsedAtMs === null && (revokedAtMs ?? expiresAtMs) !== null;
  return isUnknown ? 'unknown' : timeOf(lastUsedAtMs);
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number): string {
  if (revokedAtMs !== null) return `revoked ${timeOf(revokedAtMs)}`;
  if (expiresAtMs === null) return 'works';
  return `${expiresAtMs <= nowMs ? 'ended' : 'works until'} ${timeOf(expiresAtMs)}`;
}
