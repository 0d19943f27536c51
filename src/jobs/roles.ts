/** Assigns roles to columns (D72). */
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { headingOf } from '../core/rows/cells.ts';
import type { Row } from '../core/rows/cells.ts';
import { columnOf, isNamed } from '../core/rows/guess.ts';
import { KIND_TERMS, ofOneWay, rolesOf } from '../core/rows/job-types.ts';
import type { Kind, Role, RoleColumns } from '../core/rows/job-types.ts';
import { holdsParts, unreadColumnsOf } from '../core/rows/unread-columns.ts';
import type { UnreadColumn } from '../core/rows/unread-columns.ts';

interface GivenColumns {
  readonly named: RoleColumns;
  readonly inputColumns: readonly string[];
}

/** Ignoring such a column would make another address certain (D145, D154). */
const GUESSED: readonly Role[] = ['husnr', 'bogstav', 'etage', 'doer', 'postnr', 'by'];

function columnsFound(kind: Kind, { named, inputColumns }: GivenColumns): Map<Role, string> {
  const found = new Map(Object.entries(named) as [Role, string][]);
  const ofName = (role: Role) => named[role] ?? inputColumns.find((name) => isNamed(name, role));
  const address = ofName('adresse') ?? ofName('vej');
  const taken = new Set(Object.values(named));
  for (const role of rolesOf(kind)) {
    const free = inputColumns.filter((column) => !taken.has(column));
    const isGuessed = GUESSED.includes(role) && address !== undefined;
    const column = named[role] ?? (isGuessed ? columnOf(role, free, address) : ofName(role));
    if (column !== undefined) found.set(role, column);
  }
  return found;
}

export interface ColumnWarning {
  readonly error: string;
  readonly errorDa: string;
}

function unreadColumns(kind: Kind, given: GivenColumns): readonly UnreadColumn[] {
  const found = columnsFound(kind, given);
  // Rows with a point are not washed.
  if (found.has('x') && found.has('y')) return [];
  return unreadColumnsOf(Object.fromEntries(found), given.inputColumns);
}

export function hasDoubtfulColumns(kind: Kind, given: GivenColumns): boolean {
  return unreadColumns(kind, given).some(({ part }) => part === 'blank' || part === 'word');
}

/** Unread columns with parts of an address, but no telling heading. */
export function unitColumns(
  kind: Kind,
  given: GivenColumns,
  rows: readonly Row[],
): readonly string[] {
  return unreadColumns(kind, given).flatMap((each) =>
    holdsParts(rows, each) ? [each.column] : [],
  );
}

/** D145, D154. `units`: unread columns with parts of an address. */
export function columnWarnings(
  kind: Kind,
  given: GivenColumns,
  units: readonly string[] = [],
): readonly ColumnWarning[] {
  return unreadColumns(kind, given).flatMap(({ column, part, isOfAnother }) => {
    const isUnknown = part === 'blank' || part === 'word';
    if (isUnknown && !units.includes(column)) return [];
    return [isOfAnother ? ofAnother(column) : unreadWarning(column, part)];
  });
}

function unreadWarning(column: string, part: UnreadColumn['part']): ColumnWarning {
  const { da, en, roles } = LOOKS.find(({ parts }) => parts.includes(part)) ?? ANY_PART;
  const ways = roles.map((role) => `columns.${role}`);
  return {
    error: `The column ${shown(column)} looks like ${en} and is not read, so a row that it may decide is at most C: name it with ${ways.join(' or ')}.`,
    errorDa: `Kolonnen ${shown(column)} ligner ${da} og læses ikke, så en række, den kan afgøre, er højst C: angiv den med ${ways.join(' eller ')}.`,
  };
}

function ofAnother(column: string): ColumnWarning {
  return {
    error: `The column ${shown(column)} is taken as part of another address and is not read.`,
    errorDa: `Kolonnen ${shown(column)} opfattes som del af en anden adresse og læses ikke.`,
  };
}

const ANY_PART = {
  en: 'a part of an address',
  da: 'en del af en adresse',
  roles: ['adresse', 'bogstav', 'etage', 'doer', 'postnr', 'by'],
};
const LOOKS: readonly (Omit<typeof ANY_PART, 'roles'> & {
  readonly parts: readonly UnreadColumn['part'][];
  readonly roles: readonly string[];
})[] = [
  { parts: ['bogstav', 'opgang'], en: 'a house letter', da: 'et husbogstav', roles: ['bogstav'] },
  {
    parts: ['etage', 'doer', 'enhed'],
    en: 'a floor or a door',
    da: 'en etage eller en dør',
    roles: ['etage', 'doer'],
  },
  { parts: ['postnr'], en: 'a postcode', da: 'et postnummer', roles: ['postnr'] },
  { parts: ['by', 'sted'], en: 'a town', da: 'en by', roles: ['by'] },
  { parts: ['husnr'], en: 'a house number', da: 'et husnummer', roles: ['husnr'] },
];

/**
 * The named column, else one called like the role in any case; letter, floor, door, postcode and
 * town also by other headings. Throws `invalid_request` when they do not suffice or a named one is
 * missing.
 */
export function resolveColumns(
  kind: Kind,
  { named: given, inputColumns }: GivenColumns,
): RoleColumns {
  // Normalized like the headings.
  const named: RoleColumns = Object.fromEntries(
    Object.entries(given).map(([role, column]) => [role, headingOf(column)]),
  );
  const known = new Set(inputColumns);
  for (const [role, column] of Object.entries(named)) {
    if (!known.has(column)) throw noSuchColumn(role, column, inputColumns);
  }
  const found = columnsFound(kind, { named, inputColumns });
  const ways = KIND_TERMS[kind].roles.map((roles) => ({
    roles,
    missing: roles.filter((role) => !found.has(role)),
  }));
  if (!ways.some(({ missing }) => missing.length === 0))
    throw rolesMissing(kind, ways, inputColumns);
  const columns: RoleColumns = Object.fromEntries(found);
  return kind === 'miljoe' ? ofOneWay(columns, named) : columns;
}

function noSuchColumn(role: string, column: string, inputColumns: readonly string[]): Failure {
  return new Failure('invalid_request', {
    code: 'job_column_unknown',
    error: `columns.${role} names the column ${shown(column)}, which no row has. ${list(inputColumns, 'The rows have')}`,
    errorDa: `columns.${role} nævner kolonnen ${shown(column)}, som ingen række har. ${list(inputColumns, 'Rækkerne har')}`,
  });
}

interface Way {
  readonly roles: readonly Role[];
  readonly missing: readonly Role[];
}

function rolesMissing(kind: Kind, all: readonly Way[], inputColumns: readonly string[]): Failure {
  const ways = all.map(({ roles }) => roles.join(' + '));
  // The largest share present; ties: the first.
  const share = ({ roles, missing }: Way) => missing.length / roles.length;
  const [likely] = all.toSorted((a, b) => share(a) - share(b));
  const nearest = likely?.missing ?? [];
  const example = `"columns": {"${nearest[0] ?? ''}": "…"}`;
  return new Failure('invalid_request', {
    code: 'job_role_missing',
    error:
      `A job of kind ${kind} needs the roles ${ways.join(', or ')}; no column stands for ` +
      `${nearest.join(', ')}: name it with ${example}. ${list(inputColumns, 'The rows have')}`,
    errorDa:
      `Et job af typen ${kind} kræver rollerne ${ways.join(' eller ')}; ingen kolonne svarer til ` +
      `${nearest.join(', ')}: angiv den med ${example}. ${list(inputColumns, 'Rækkerne har')}`,
  });
}

const LISTED_CHARS = 40;

function list(columns: readonly string[], words: string): string {
  if (columns.length === 0) return `${words}: –.`;
  const some = columns.slice(0, LIMITS.unknownNamesListed).map(shown);
  return `${words}: ${some.join(', ')}${columns.length > some.length ? ', …' : ''}.`;
}

function shown(column: string): string {
  return column.length > LISTED_CHARS ? `${column.slice(0, LISTED_CHARS)}…` : column;
}
