import { parseArgs } from 'node:util';
import { DIALECTS } from '../../jobs/files/made-file.ts';
import type { Dialect } from '../../jobs/files/made-file.ts';
import { CHARSETS, KINDS, ROLES, SRIDS } from '../../core/rows/job-types.ts';
import type { Charset, Kind, RoleColumns, Srid } from '../../core/rows/job-types.ts';
import { wholeWithin } from '../../kernel/number-texts.ts';
import { JOB_LIMITS } from '../../jobs/limits.ts';

export const FORMATS = ['csv', 'ndjson', 'geojson', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

export interface Wanted {
  readonly format: Format;
  /** `da`: semicolons and decimal commas; `ord`: plain words; null: neither. */
  readonly dialect: Dialect | null;
  /** All rows in one file, in input order. */
  readonly isAll: boolean;
}

export interface Submit {
  readonly do: 'submit';
  readonly file: string;
  readonly kind: Kind;
  readonly columns: RoleColumns;
  /** null: the service's default. */
  readonly srid: Srid | null;
  readonly label: string | null;
  /** null: detected. */
  readonly charset: Charset | null;
  /** null: the only one with rows. */
  readonly sheet: string | null;
  /** The row of column names; null: guessed. */
  readonly headRow: number | null;
  readonly wanted: Wanted;
  readonly waits: boolean;
  /** null: the first run of the same file. */
  readonly again: string | null;
}

export type Command =
  | Submit
  | {
      readonly do: 'watch';
      readonly id: string;
      readonly wanted: Wanted;
      readonly out: string | null;
    }
  | { readonly do: 'list' }
  | { readonly do: 'pause' | 'resume' | 'cancel' | 'delete'; readonly id: string };

export interface Reached {
  readonly url: string | null;
  readonly key: string | null;
}

export type Parsed =
  | { readonly kind: 'run'; readonly command: Command; readonly reached: Reached }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

export const USAGE = `Usage: npm run job -- <command> [--key <API key>] [--url <address of the service>]

  submit <file> --kind ${KINDS.join('|')}
         [--<role>=<column> …] [--srid ${SRIDS.join('|')}] [--label <text>]
         [--format ${FORMATS.join('|')}] [--dialekt ${DIALECTS.join('|')}] [--raekker alle]
         [--charset ${CHARSETS.join('|')}] [--ark <sheet>] [--overskrift <row>]
         [--no-wait] [--again <word>]
                       sends a CSV (or .xlsx, .ndjson, .jsonl), shows progress, fetches results and errors
  watch <job id> [--out <path>] [--format …] [--dialekt …] [--raekker alle]
                       shows progress, then fetches results and errors
  list                 the account's latest jobs
  pause|resume|cancel|delete <job id>

Roles: ${ROLES.join(', ')}.
--format xlsx is a workbook with answers and errors; --dialekt da a csv with semicolons and decimal commas,
--dialekt ord that or a workbook with Danish headings and verdicts (ja, nej, kunne ikke svares);
--raekker alle one file (csv or xlsx) of every row in the order it came. --ark names the sheet of an .xlsx
that has several, --overskrift the row of a file that names its columns; titles above it are found without.
A role that is not named is found where a column has its name. Without --key and --url the variables
GEOOPSLAG_KEY and GEOOPSLAG_URL say them. A submit that was cut off goes on where it was when the same
line is given again; --again submits the same file anew.
Exit code: 0 done, 1 not done, 2 the command was not understood, 3 the job is paused.`;

class Mistake extends Error {}

/** Never throws. */
export function parseCommand(argv: readonly string[]): Parsed {
  const [first] = argv;
  if (first === undefined || argv.includes('--help') || argv.includes('-h')) {
    return { kind: 'help' };
  }
  try {
    const { values, positionals } = parseArgs({
      args: argv.slice(1),
      options: OPTIONS,
      allowPositionals: true,
    });
    const args: Arguments = { values, named: positionals };
    const command = commandOf(first, args);
    return {
      kind: 'run',
      command,
      reached: { url: values.url ?? null, key: values.key ?? null },
    };
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) };
  }
}

const text = { type: 'string' } as const;
const OPTIONS = {
  key: text,
  url: text,
  kind: text,
  srid: text,
  label: text,
  charset: text,
  format: text,
  dialekt: text,
  raekker: text,
  ark: text,
  overskrift: text,
  out: text,
  again: text,
  'no-wait': { type: 'boolean' },
  ...(Object.fromEntries(ROLES.map((role) => [role, text])) as Record<
    (typeof ROLES)[number],
    typeof text
  >),
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

interface Arguments {
  readonly values: Values;
  readonly named: readonly string[];
}

function commandOf(name: string, args: Arguments): Command {
  const { values, named } = args;
  const wanted = wantedOf(values);
  switch (name) {
    case 'submit':
      return submitOf(args, wanted);
    case 'watch':
      return { do: 'watch', id: only(named, 'the job'), wanted, out: values.out ?? null };
    case 'list':
      if (named.length > 0) throw new Mistake(`list takes nothing more: ${named.join(' ')}.`);
      return { do: 'list' };
    case 'pause':
    case 'resume':
    case 'cancel':
    case 'delete':
      return { do: name, id: only(named, 'the job') };
    default:
      throw new Mistake(`Unknown command: ${name.slice(0, 60)}.`);
  }
}

function wantedOf({ format: named, dialekt, raekker }: Values): Wanted {
  const format = oneOf('--format', FORMATS, named ?? 'csv');
  const dialect = dialekt === undefined ? null : oneOf('--dialekt', DIALECTS, dialekt);
  const fits = dialect === 'ord' ? ['csv', 'xlsx'] : ['csv'];
  if (dialect !== null && !fits.includes(format)) {
    throw new Mistake(`--dialekt ${dialect} is only for --format ${fits.join(' or ')}.`);
  }
  if (raekker !== undefined) {
    oneOf('--raekker', ['alle'], raekker);
    if (format !== 'csv' && format !== 'xlsx') {
      throw new Mistake('--raekker is only for --format csv or xlsx.');
    }
  }
  return { format, dialect, isAll: raekker !== undefined };
}

function submitOf({ values, named }: Arguments, wanted: Wanted): Submit {
  const { srid, charset } = values;
  return {
    do: 'submit',
    file: only(named, 'the file'),
    kind: oneOf('--kind', KINDS, values.kind),
    columns: columnsOf(values),
    srid: srid === undefined ? null : sridOf(srid),
    label: values.label ?? null,
    charset: charset === undefined ? null : oneOf('--charset', CHARSETS, charset),
    sheet: values.ark ?? null,
    headRow: values.overskrift === undefined ? null : headRowOf(values.overskrift),
    wanted,
    waits: values['no-wait'] !== true,
    again: values.again ?? null,
  };
}

function headRowOf(given: string): number {
  const { min, max } = JOB_LIMITS.headRow;
  const row = wholeWithin(given, JOB_LIMITS.headRow);
  if (row !== null) return row;
  throw new Mistake(`--overskrift is a row from ${min} to ${max}.`);
}

function columnsOf(values: Values): RoleColumns {
  return Object.fromEntries(
    ROLES.flatMap((role) => (values[role] === undefined ? [] : [[role, values[role]]])),
  );
}

function only(named: readonly string[], what: string): string {
  const [name] = named;
  if (name !== undefined && named.length === 1) return name;
  throw new Mistake(`Name ${what}, and nothing more beside the options.`);
}

function oneOf<T extends string>(
  option: string,
  allowed: readonly T[],
  given: string | undefined,
): T {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  throw new Mistake(`${option} must be one of ${allowed.join(', ')}.`);
}

function sridOf(given: string): Srid {
  const found = SRIDS.find((srid) => String(srid) === given);
  if (found !== undefined) return found;
  throw new Mistake(`--srid must be one of ${SRIDS.join(', ')}.`);
}
