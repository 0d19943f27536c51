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
import { runTrailCommand } from './trail.ts';
import type {
  Command,
  MintCommand,
  RequestCommand,
  TrailCommand,
  WebhookCommand,
} from './command.ts';
import { runRequestCommand } from './requests.ts';
import { runWebhookCommand } from './webhooks.ts';

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
  const run = RUNS[command.do] as Run<Command>;
  return await run(deps, command, act?.accountId ?? null);
}

/** `id`: of the act's account. */
type Run<Asked> = (deps: AdminDeps, asked: Asked, id: string | null) => Done | Promise<Done>;

const idIn =
  (deps: AdminDeps) =>
  async (account: string): Promise<string> =>
    (await named(deps, { account })).id;

const onWebhooks: Run<WebhookCommand> = (deps, command) =>
  runWebhookCommand({ webhooks: deps.webhooks, idOf: idIn(deps) }, command);
const onTrail: Run<TrailCommand> = (deps, command) =>
  runTrailCommand(deps.store, command, idIn(deps));
const onRequests: Run<RequestCommand> = (deps, command) =>
  runRequestCommand({ ...deps, linkOf: (id) => makeLink(deps, id) }, command);

const RUNS: { readonly [Do in Command['do']]: Run<Extract<Command, { readonly do: Do }>> } = {
  'first-key': makeFirstKey,
  'account create': createAccount,
  'account list': async ({ accounts }) => showAccounts(await accounts.list()),
  'account close': async (deps, { account }) =>
    showAccount(await deps.accounts.close(await idIn(deps)(account))),
  export: async (deps, command) => exportAccount(deps.store, await named(deps, command)),
  erase: async (deps, command) => await eraseAccount(deps, await named(deps, command)),
  tier: async (deps, { account, tier }) =>
    showCapped(deps, await deps.accounts.setTier(await idIn(deps)(account), tier)),
  cap: async (deps, command) => await setCap(deps, await named(deps, command), command.units),
  operator: async (deps, { account, on }) =>
    showAccount(await deps.accounts.setOperator(await idIn(deps)(account), on)),
  link: async (deps, { account }) => await makeLink(deps, await signedInBy(deps, account)),
  usage: async (deps, command) => await showUsage(deps, await named(deps, command), command.month),
  'key mint': async (deps, command) => showMinted(await mint(deps, command)),
  'key list': async (deps, { account }) =>
    showKeys(await deps.keys.list(await idIn(deps)(account)), deps.clock.nowMs()),
  'key revoke': async (deps, command) => {
    const key = await deps.keys.revoke(await ownerOf(deps, command.key), command.key);
    return { value: key, lines: [`${key.id} (${key.prefix}…) is revoked.`] };
  },
  'key rotate': rotateKey,
  'request list': onRequests,
  'request approve': onRequests,
  'request decline': onRequests,
  trail: onTrail,
  'trail verify': onTrail,
  'webhook list': onWebhooks,
  'webhook deliveries': onWebhooks,
  'webhook resend': onWebhooks,
};

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
  command: Extract<Command, { readonly do: 'account create' }>,
  id: string | null,
): Promise<Done> {
  const account = await accounts.create({ ...command, id });
  const { key: environment } = command;
  if (environment === null) return showAccount(account);
  const wanted = { name: `first ${environment} key`, kind: 'secret', permission: 'jobs' } as const;
  const minted = await keys.mint(account.id, { ...wanted, environment });
  return {
    value: { ...account, key: minted.key, secret: minted.secret },
    lines: [...accountLines([account]), ...showMinted(minted).lines],
  };
}

async function rotateKey(
  deps: AdminDeps,
  { key, overlapHours }: Extract<Command, { readonly do: 'key rotate' }>,
): Promise<Done> {
  const { old, minted } = await deps.keys.rotate(await ownerOf(deps, key), key, overlapHours);
  const ends = old.revokedAtMs ?? old.expiresAtMs;
  return {
    value: { ...minted, replaced: old },
    lines: [...showMinted(minted).lines, `${old.id} works until ${timeOf(ends)}.`],
  };
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
