/** Which of the caller's columns has which role, and whether they suffice for the kind (D72). */
import { Failure } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import { headingOf } from '../core/rows/cells.ts';
import type { Row } from '../core/rows/cells.ts';
import { holdsUnits, isHeadingOf, looksLikeUnit } from './guess.ts';
import { KIND_TERMS, rolesOf } from '../core/rows/job-types.ts';
import type { Kind, Role, RoleColumns } from '../core/rows/job-types.ts';

interface GivenColumns {
  readonly named: RoleColumns;
  readonly inputColumns: readonly string[];
}

/**
 * Roles guessed from headings (D145): ignoring such a column would make another address certain.
 */
const GUESSED: readonly Role[] = ['etage', 'doer'];

function columnsFound(kind: Kind, { named, inputColumns }: GivenColumns): Map<Role, string> {
  const found = new Map(Object.entries(named) as [Role, string][]);
  for (const role of rolesOf(kind)) {
    const column =
      named[role] ??
      inputColumns.find((name) => isNamed(name, role)) ??
      (GUESSED.includes(role) ? inputColumns.find((name) => isHeadingOf(role, name)) : undefined);
    if (column !== undefined) found.set(role, column);
  }
  return found;
}

export interface ColumnWarning {
  readonly error: string;
  readonly errorDa: string;
}

/** Columns that a job which reads addresses does not read. */
function unreadColumns(kind: Kind, given: GivenColumns): readonly string[] {
  const found = columnsFound(kind, given);
  if (!found.has('adresse') && !found.has('vej')) return [];
  // Rows with a point are not washed.
  if (found.has('x') && found.has('y')) return [];
  const read = new Set(found.values());
  return given.inputColumns.filter((column) => !read.has(column));
}

/** Columns not read whose heading says nothing: their values may be floors or doors. */
export function doubtfulColumns(kind: Kind, given: GivenColumns): readonly string[] {
  return unreadColumns(kind, given).filter((column) => !looksLikeUnit(column));
}

/** Those of them that hold floors or doors in the first rows. */
export function unitColumns(
  kind: Kind,
  given: GivenColumns,
  rows: readonly Row[],
): readonly string[] {
  return doubtfulColumns(kind, given).filter((column) =>
    holdsUnits(rows, given.inputColumns.indexOf(column)),
  );
}

/**
 * Warnings about the columns of a job that reads addresses (D145); `units`: those with floors or
 * doors.
 */
export function columnWarnings(
  kind: Kind,
  given: GivenColumns,
  units: readonly string[] = [],
): readonly ColumnWarning[] {
  return unreadColumns(kind, given)
    .filter((column) => looksLikeUnit(column) || units.includes(column))
    .map((column) => ({
      error: `The column ${shown(column)} looks like a floor or a door and is not read: name it with columns.etage or columns.doer.`,
      errorDa: `Kolonnen ${shown(column)} ligner en etage eller en dør og læses ikke: angiv den med columns.etage eller columns.doer.`,
    }));
}

/**
 * The column of every usable role: the caller's, else one with the role's name in any case; for
 * floor and door also by heading. Throws `invalid_request` where they do not suffice or a named
 * column is in no row.
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
  return Object.fromEntries(found);
}

function isNamed(column: string, role: Role): boolean {
  return column.trim().toLowerCase() === role;
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
  // The way with the largest share present was most likely meant; ties: the first.
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
