import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { ENVIRONMENTS, TIERS } from '../../account/plans.ts';
import type { Environment, Tier } from '../../account/plans.ts';
import type { KeyKind } from '../../account/key-format.ts';
import { ACCOUNT_LIMITS } from '../../account/limits.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { wholeWithin } from '../../kernel/number-texts.ts';

export type Command =
  | {
      readonly do: 'account create';
      readonly name: string;
      readonly email: string;
      readonly tier: Tier;
      /** Creates a first secret key; null: none. */
      readonly key: Environment | null;
    }
  | { readonly do: 'first-key' }
  | { readonly do: 'account list' }
  | TrailCommand
  | { readonly do: 'account close'; readonly account: string }
  | { readonly do: 'export'; readonly account: string }
  | { readonly do: 'erase'; readonly account: string }
  | { readonly do: 'tier'; readonly account: string; readonly tier: Tier }
  | { readonly do: 'cap'; readonly account: string; readonly units: number | null }
  | { readonly do: 'operator'; readonly account: string; readonly on: boolean }
  | MintCommand
  | { readonly do: 'key list'; readonly account: string }
  | { readonly do: 'key revoke'; readonly key: string }
  | { readonly do: 'key rotate'; readonly key: string; readonly overlapHours: number }
  | { readonly do: 'link'; readonly account: string }
  | RequestCommand
  | { readonly do: 'usage'; readonly account: string; readonly month: string | null }
  | WebhookCommand;

export type TrailCommand =
  | {
      readonly do: 'trail';
      readonly account: string | null;
      readonly who: string | null;
      /** One JSON object a line, with the hashes that prove it. */
      readonly isExport: boolean;
    }
  | { readonly do: 'trail verify'; readonly file: string | null };
/** Of requests for an account (D217). */
export type RequestCommand =
  | { readonly do: 'request list' }
  | { readonly do: 'request approve'; readonly request: string; readonly tier: Tier }
  | { readonly do: 'request decline'; readonly request: string };

export type WebhookCommand =
  | { readonly do: 'webhook list'; readonly account: string }
  | { readonly do: 'webhook deliveries'; readonly webhook: string }
  | { readonly do: 'webhook resend'; readonly delivery: string };

export interface MintCommand {
  readonly do: 'key mint';
  readonly account: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly environment: Environment;
  readonly permission: string | null;
  readonly origins: readonly string[];
}

export type Parsed =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly json: boolean;
      /** null: the system's user. */
      readonly by: string | null;
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

export const USAGE = `Usage: npm run admin -- <command> [--by <your name>] [--json]

  first-key                         a test key where nobody has a key; its account where there is none
  account create --name <name> --email <address> [--tier ${TIERS.join('|')}]
                 [--key ${ENVIRONMENTS.join('|')}]    its first key with it
  account list
  account close <account>           its keys and sessions end with it, for good
  export <account>                  all that is held about it, as NDJSON without secrets and digests
  erase <account> --yes             closes it and removes what names it, for good; prints what stays and why
  tier <account> ${TIERS.join('|')}
  cap <account> <units>|none        units a month after which live calls are refused; at least the allowance
  operator <account> on|off
  key mint <account> [--test|--live] [--name <name>] [--permission read|jobs|restricted:<area,…>]
           [--public --origin <host or address, as https://example.dk> …]
  key list <account>
  key revoke <key id>
  key rotate <key id> [--overlap <hours, 0 to ${ACCOUNT_LIMITS.keyOverlapHours.max}>]
  link <account or address>         prints an address that signs in once, within 15 minutes
  request list                      who asks for an account (ACCOUNT_REQUESTS)
  request approve <request id> [--tier ${TIERS.join('|')}]    the account, and a letter or an address that signs in
  request decline <request id>
  usage <account> [--month YYYY-MM]
  webhook list <account>
  webhook deliveries <webhook id>   its latest deliveries, newest first
  webhook resend <delivery id>      the same event again, as a new delivery
  trail [--account <account>] [--who <name>]    what operators did, the newest first
  trail --export                    all of it as NDJSON, with the hashes that prove it
  trail verify [--file <export>]    whether all is as it was kept, and all of an earlier export is still there

An account is named by its id or its e-mail address. A key's secret is shown once. Each act is
kept with who did it: the system's user, or the name after --by. Works beside a
running service, on the store that DATABASE_URL or DATA_DIR names.
Exit code: 0 done, 1 not done, 2 the command was not understood.`;

class Mistake extends Error {}

/** Never throws. */
export function parseCommand(argv: readonly string[]): Parsed {
  const [first, second] = argv;
  if (first === undefined || argv.includes('--help') || argv.includes('-h'))
    return { kind: 'help' };
  const one = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  const two = Object.hasOwn(COMMANDS, `${first} ${second}`) ? COMMANDS[`${first} ${second}`] : one;
  const read = two ?? one;
  if (read === undefined) {
    const given = argv.slice(0, 2).join(' ').slice(0, 60);
    return { kind: 'mistake', message: `Unknown command: ${given}.` };
  }
  const rest = argv.slice(two !== undefined && two !== one ? 2 : 1);
  try {
    return read(rest);
  } catch (error) {
    // Errors of parseArgs have a code.
    if (error instanceof Mistake || (error instanceof TypeError && 'code' in error)) {
      return { kind: 'mistake', message: error.message };
    }
    throw error;
  }
}

type Reader = (rest: readonly string[]) => Parsed;

function ofOne(rest: readonly string[], word: string, command: (of: string) => Command): Parsed {
  const { words, run } = read(rest, [word]);
  return run(command(words(word)));
}

const COMMANDS: Readonly<Record<string, Reader>> = {
  'account create': (rest) => {
    const { values, run } = read(rest, [], { name: TEXT, email: TEXT, tier: TEXT, key: TEXT });
    const key = textOf(values['key']);
    return run({
      do: 'account create',
      name: needed(values['name'], '--name'),
      email: needed(values['email'], '--email'),
      tier: oneOf(TIERS, textOf(values['tier']) ?? 'free', '--tier'),
      key: key === undefined ? null : oneOf(ENVIRONMENTS, key, '--key'),
    });
  },
  'first-key': (rest) => read(rest, []).run({ do: 'first-key' }),
  'account list': (rest) => read(rest, []).run({ do: 'account list' }),
  'account close': (rest) => ofOne(rest, 'account', (of) => ({ do: 'account close', account: of })),
  export: (rest) => ofOne(rest, 'account', (of) => ({ do: 'export', account: of })),
  erase: (rest) => {
    const { values, words, run } = read(rest, ['account'], { yes: FLAG });
    if (values['yes'] !== true) throw new Mistake('An erasure is for good: say --yes.');
    return run({ do: 'erase', account: words('account') });
  },
  tier: (rest) => {
    const { words, run } = read(rest, ['account', 'tier']);
    return run({
      do: 'tier',
      account: words('account'),
      tier: oneOf(TIERS, words('tier'), 'tier'),
    });
  },
  cap: (rest) => {
    const { words, run } = read(rest, ['account', 'units']);
    return run({ do: 'cap', account: words('account'), units: capOf(words('units')) });
  },
  operator: (rest) => {
    const { words, run } = read(rest, ['account', 'on|off']);
    const on = oneOf(['on', 'off'], words('on|off'), 'operator') === 'on';
    return run({ do: 'operator', account: words('account'), on });
  },
  trail: (rest) => {
    const { values, run } = read(rest, [], { account: TEXT, who: TEXT, export: FLAG });
    const account = textOf(values['account']) ?? null;
    const who = textOf(values['who']) ?? null;
    const isExport = values['export'] === true;
    if (isExport && (account ?? who) !== null)
      throw new Mistake('An export is of the whole trail.');
    return run({ do: 'trail', account, who, isExport });
  },
  'trail verify': (rest) => {
    const { values, run } = read(rest, [], { file: TEXT });
    return run({ do: 'trail verify', file: textOf(values['file']) ?? null });
  },
  'key mint': readMint,
  'key list': (rest) => ofOne(rest, 'account', (of) => ({ do: 'key list', account: of })),
  'key revoke': (rest) => ofOne(rest, 'key id', (of) => ({ do: 'key revoke', key: of })),
  'key rotate': (rest) => {
    const { values, words, run } = read(rest, ['key id'], { overlap: TEXT });
    const overlap = textOf(values['overlap']) ?? String(ACCOUNT_LIMITS.keyOverlapHours.default);
    const overlapHours = wholeNumber(overlap, '--overlap');
    return run({ do: 'key rotate', key: words('key id'), overlapHours });
  },
  link: (rest) => ofOne(rest, 'account', (of) => ({ do: 'link', account: of })),
  'request list': (rest) => read(rest, []).run({ do: 'request list' }),
  'request approve': (rest) => {
    const { values, words, run } = read(rest, ['request id'], { tier: TEXT });
    const tier = oneOf(TIERS, textOf(values['tier']) ?? 'free', '--tier');
    return run({ do: 'request approve', request: words('request id'), tier });
  },
  'request decline': (rest) =>
    ofOne(rest, 'request id', (of) => ({ do: 'request decline', request: of })),
  usage: (rest) => {
    const { values, words, run } = read(rest, ['account'], { month: TEXT });
    const month = textOf(values['month']) ?? null;
    return run({ do: 'usage', account: words('account'), month });
  },
  'webhook list': (rest) => ofOne(rest, 'account', (of) => ({ do: 'webhook list', account: of })),
  'webhook deliveries': (rest) =>
    ofOne(rest, 'webhook id', (of) => ({ do: 'webhook deliveries', webhook: of })),
  'webhook resend': (rest) =>
    ofOne(rest, 'delivery id', (of) => ({ do: 'webhook resend', delivery: of })),
};

function readMint(rest: readonly string[]): Parsed {
  const { values, words, run } = read(rest, ['account'], {
    test: FLAG,
    live: FLAG,
    public: FLAG,
    name: TEXT,
    permission: TEXT,
    origin: { type: 'string', multiple: true },
  });
  if (values['test'] === true && values['live'] === true) {
    throw new Mistake('A key is either --test or --live.');
  }
  const environment = values['live'] === true ? ENVIRONMENTS[0] : ENVIRONMENTS[1];
  return run({
    do: 'key mint',
    account: words('account'),
    name: textOf(values['name']) ?? `${environment} key`,
    kind: values['public'] === true ? 'public' : 'secret',
    environment,
    permission: textOf(values['permission']) ?? null,
    origins: Array.isArray(values['origin']) ? values['origin'].map(String) : [],
  });
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

/** Throws for other words or options than these and `--json`. */
function read(
  rest: readonly string[],
  names: readonly string[],
  options: NonNullable<ParseArgsConfig['options']> = {},
) {
  const { values, positionals } = parseArgs({
    args: [...rest],
    options: { ...options, json: FLAG, by: TEXT },
    allowPositionals: true,
    strict: true,
  });
  const missing = names[positionals.length];
  if (missing !== undefined) throw new Mistake(`What is missing: <${missing}>.`);
  const more = positionals[names.length];
  if (more !== undefined) throw new Mistake(`One word too many: ${more.slice(0, 60)}.`);
  return {
    values: values as Readonly<Record<string, unknown>>,
    words: (name: string) => positionals[names.indexOf(name)] ?? '',
    run: (command: Command): Parsed => ({
      ...{ kind: 'run', command, json: values['json'] === true },
      by: nameOf(values['by']),
    }),
  };
}

function nameOf(value: unknown): string | null {
  const name = textOf(value)?.trim();
  if (name === '') throw new Mistake('What is missing: a name after --by.');
  return name?.slice(0, LIMITS.operatorNameChars) ?? null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function needed(value: unknown, name: string): string {
  const text = textOf(value);
  if (text === undefined) throw new Mistake(`What is missing: ${name}.`);
  return text;
}

function oneOf<T extends string>(allowed: readonly T[], given: string, name: string): T {
  const found = allowed.find((each) => each === given);
  if (found === undefined) throw new Mistake(`${name} is one of ${allowed.join(', ')}.`);
  return found;
}

function capOf(given: string): number | null {
  return given === 'none' ? null : wholeNumber(given, 'A cap');
}

function wholeNumber(given: string, name: string): number {
  const value = wholeWithin(given, { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (value !== null) return value;
  throw new Mistake(`${name} is a whole number, not ${given.slice(0, 40)}.`);
}
