import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { ENVIRONMENTS, TIERS } from '../../account/plans.ts';
import type { Environment, Tier } from '../../account/plans.ts';
import type { KeyKind } from '../../account/key-format.ts';
import { ACCOUNT_LIMITS } from '../../account/limits.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { wholeWithin } from '../../kernel/number-texts.ts';

export type Command = {
  readonly [Do in keyof typeof COMMANDS]: { readonly do: Do } & Readonly<
    ReturnType<(typeof COMMANDS)[Do]>['args']
  >;
}[keyof typeof COMMANDS];

type Named<Do extends string> = Extract<Command, { readonly do: Do }>;

export type TrailCommand = Named<'trail' | 'trail verify'>;
export type RequestCommand = Named<`request ${string}`>;
export type WebhookCommand = Named<`webhook ${string}`>;
export type MintCommand = Named<'key mint'>;

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
  const name = [`${first} ${second}`, first].find(isCommand);
  if (name === undefined) {
    const given = argv.slice(0, 2).join(' ').slice(0, 60);
    return { kind: 'mistake', message: `Unknown command: ${given}.` };
  }
  try {
    const { args, json, by } = COMMANDS[name](argv.slice(name.split(' ').length));
    return { kind: 'run', command: { do: name, ...args } as Command, json, by };
  } catch (error) {
    // Errors of parseArgs have a code.
    if (error instanceof Mistake || (error instanceof TypeError && 'code' in error)) {
      return { kind: 'mistake', message: error.message };
    }
    throw error;
  }
}

function isCommand(name: string): name is Command['do'] {
  return Object.hasOwn(COMMANDS, name);
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

const COMMANDS = {
  'account create': command([], { name: TEXT, email: TEXT, tier: TEXT, key: TEXT }, (_, values) => {
    const key = textOf(values['key']);
    return {
      name: needed(values['name'], '--name'),
      email: needed(values['email'], '--email'),
      tier: tierOf(values['tier']),
      /** Creates a first secret key; null: none. */
      key: key === null ? null : oneOf(ENVIRONMENTS, key, '--key'),
    };
  }),
  'first-key': command([]),
  'account list': command([]),
  'account close': command(['account']),
  export: command(['account']),
  erase: command(['account'], { yes: FLAG }, (_, { yes }) => {
    if (yes !== true) throw new Mistake('An erasure is for good: say --yes.');
    return {};
  }),
  tier: command(['account', 'tier'], {}, ({ tier }) => ({ tier: oneOf(TIERS, tier, 'tier') })),
  cap: command(['account', 'units'], {}, ({ units }) => ({
    units: units === 'none' ? null : wholeNumber(units, 'A cap'),
  })),
  operator: command(['account', 'on|off'], {}, ({ on }) => ({
    on: oneOf(['on', 'off'], on, 'operator') === 'on',
  })),
  trail: command([], { account: TEXT, who: TEXT, export: FLAG }, (_, values) => {
    const account = textOf(values['account']);
    const who = textOf(values['who']);
    /** One JSON object a line, with the hashes that prove it. */
    const isExport = values['export'] === true;
    if (isExport && (account ?? who) !== null)
      throw new Mistake('An export is of the whole trail.');
    return { account, who, isExport };
  }),
  'trail verify': command([], { file: TEXT }, (_, { file }) => ({ file: textOf(file) })),
  'key mint': command(
    ['account'],
    {
      ...{ test: FLAG, live: FLAG, public: FLAG, name: TEXT, permission: TEXT },
      origin: { type: 'string', multiple: true },
    },
    (_, values) => mintOf(values),
  ),
  'key list': command(['account']),
  'key revoke': command(['key id']),
  'key rotate': command(['key id'], { overlap: TEXT }, (_, values) => {
    const overlap = textOf(values['overlap']) ?? String(ACCOUNT_LIMITS.keyOverlapHours.default);
    return { overlapHours: wholeNumber(overlap, '--overlap') };
  }),
  link: command(['account']),
  'request list': command([]),
  'request approve': command(['request id'], { tier: TEXT }, (_, { tier }) => ({
    tier: tierOf(tier),
  })),
  'request decline': command(['request id']),
  usage: command(['account'], { month: TEXT }, (_, { month }) => ({ month: textOf(month) })),
  'webhook list': command(['account']),
  'webhook deliveries': command(['webhook id']),
  'webhook resend': command(['delivery id']),
};

function mintOf(values: Values) {
  if (values['test'] === true && values['live'] === true) {
    throw new Mistake('A key is either --test or --live.');
  }
  const environment: Environment = values['live'] === true ? 'live' : 'test';
  const kind: KeyKind = values['public'] === true ? 'public' : 'secret';
  return {
    name: textOf(values['name']) ?? `${environment} key`,
    ...{ kind, environment, permission: textOf(values['permission']) },
    origins: Array.isArray(values['origin']) ? values['origin'].map(String) : [],
  };
}

type Values = Readonly<Record<string, unknown>>;
/** `<key id>` is `key`. */
type Words<Name extends string> = {
  readonly [N in Name as N extends `${infer First}${' ' | '|'}${string}` ? First : N]: string;
};

/** Throws for other words and options. `read`: what they mean. */
function command<Name extends string = never, Meant extends object = object>(
  names: readonly Name[],
  options: NonNullable<ParseArgsConfig['options']> = {},
  read?: (words: Words<Name>, values: Values) => Meant,
) {
  return (rest: readonly string[]) => {
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
    const words = Object.fromEntries(
      names.map((name, at) => [name.split(/[ |]/)[0], positionals[at]]),
    ) as Words<Name>;
    const args = { ...words, ...read?.(words, values) } as Omit<Words<Name>, keyof Meant> & Meant;
    return { args, json: values['json'] === true, by: nameOf(values['by']) };
  };
}

function tierOf(value: unknown): Tier {
  return oneOf(TIERS, textOf(value) ?? 'free', '--tier');
}

function nameOf(value: unknown): string | null {
  const name = textOf(value)?.trim();
  if (name === '') throw new Mistake('What is missing: a name after --by.');
  return name?.slice(0, LIMITS.operatorNameChars) ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function needed(value: unknown, name: string): string {
  const text = textOf(value);
  if (text === null) throw new Mistake(`What is missing: ${name}.`);
  return text;
}

function oneOf<T extends string>(allowed: readonly T[], given: string, name: string): T {
  const found = allowed.find((each) => each === given);
  if (found === undefined) throw new Mistake(`${name} is one of ${allowed.join(', ')}.`);
  return found;
}

function wholeNumber(given: string, name: string): number {
  const value = wholeWithin(given, { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (value !== null) return value;
  throw new Mistake(`${name} is a whole number, not ${given.slice(0, 40)}.`);
}
