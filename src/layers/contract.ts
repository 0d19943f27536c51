/**
 * The columns of a layer's source, as seen and as the source itself describes them, and what has
 * become of them since the copy was published. Names are compared as the mappings read them: case,
 * dots and underscores aside.
 */

/** `none`: only nulls so far. `mixed`: more than one kind in one reading. */
export type SeenKind = 'text' | 'number' | 'boolean' | 'other' | 'none' | 'mixed' | 'untyped';
export type DescribedKind = 'text' | 'number' | 'boolean' | 'time' | 'geometry' | 'other';

/** Kind of each column, by normalised name. */
export type SeenColumns = Readonly<Record<string, SeenKind>>;
export type DescribedColumns = Readonly<Record<string, DescribedKind>>;

export interface Contract {
  /** What it was read from: only contracts of one origin can be compared. */
  readonly origin: string;
  /** By DescribeFeatureType; null where the source describes nothing. */
  readonly described: DescribedColumns | null;
  readonly seen: SeenColumns;
  /** Whether a column that was not seen is not there (JSON names its nulls, GML leaves them out). */
  readonly complete: boolean;
  /** Of the four times of a file those it has not, and somebody took it for all the same; absent: none. */
  readonly withoutTimes?: readonly string[];
}

export interface ContractChange {
  readonly added: readonly string[];
  readonly missing: readonly string[];
  readonly retyped: readonly string[];
  /** Columns whose values were of several kinds within this one reading. */
  readonly drifting: readonly string[];
}

export function normalisedName(name: string): string {
  return name.toLowerCase().replaceAll(/[.\- ]/g, '_');
}

/** The kind of a value as read from JSON or SQLite. */
export function seenKind(value: unknown): SeenKind {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'other';
}

/** The kind of a column that was seen as both. */
export function mergedKind(a: SeenKind | undefined, b: SeenKind): SeenKind {
  if (a === undefined || a === 'none' || a === b) return b;
  return b === 'none' ? a : 'mixed';
}

export function mergedColumns(a: SeenColumns, b: SeenColumns): SeenColumns {
  const merged: Record<string, SeenKind> = { ...a };
  for (const [name, kind] of Object.entries(b)) merged[name] = mergedKind(merged[name], kind);
  return merged;
}

/**
 * What changed from the contract a copy was published under to the one just read. Without an
 * earlier one that tells its columns, those the mapping cannot do without are asked for.
 */
export function compareContracts(
  before: Contract | null,
  now: Contract,
  needed: readonly string[],
): ContractChange {
  const base = before?.origin === now.origin ? before : null;
  const there = new Set([...Object.keys(now.described ?? {}), ...Object.keys(now.seen)]);
  const neededNow =
    isKnownWhole(now) && (base === null || !isKnownWhole(base)) ? lackingOf(needed, there) : [];
  return {
    added: base === null ? [] : addedTo(base, there),
    missing: [...new Set([...neededNow, ...(base === null ? [] : missingFrom(base, now))])],
    retyped: base === null ? [] : retypedFrom(base, now),
    drifting: Object.entries(now.seen).flatMap(([name, kind]) =>
      kind === 'mixed' && base?.seen[name] !== 'mixed' ? [name] : [],
    ),
  };
}

/**
 * The contract to hold the next reading against, once `change` is accepted. A source that describes
 * nothing today keeps its last description but for what was accepted otherwise: forgotten, it would
 * leave a column of GML, where nulls are left out, to go unnoticed.
 */
export function rememberedContract(
  before: Contract | null,
  now: Contract,
  { missing, retyped }: ContractChange,
): Contract {
  if (now.described !== null || before?.origin !== now.origin) return now;
  const accepted = new Set([...missing, ...retyped]);
  const kept = Object.entries(before.described ?? {}).filter(([name]) => !accepted.has(name));
  return { ...now, described: kept.length === 0 ? null : Object.fromEntries(kept) };
}

/** Whether a column that is in neither the description nor the rows is not there. */
function isKnownWhole({ described, complete }: Contract): boolean {
  return described !== null || complete;
}

/** Columns that are not there, by normalised name; as a shapefile cuts a name it is there too. */
export function lackingOf(needed: readonly string[], there: ReadonlySet<string>): string[] {
  return needed
    .map(normalisedName)
    .filter((name) => !there.has(name) && !there.has(name.slice(0, SHAPEFILE_LETTERS)));
}

/** Shapefiles keep this many letters of a column name. */
export const SHAPEFILE_LETTERS = 10;

/**
 * Needed columns that a page did not show: what JSON does not show is not there, what GML does not may
 * have no value. A page without a feature shows nothing, and lacks nothing.
 */
export function unseenIn(
  { members, columns }: { readonly members: number; readonly columns: SeenColumns },
  needed: readonly string[],
): { readonly unseen: readonly string[]; readonly complete: boolean } {
  const unseen = members === 0 ? [] : lackingOf(needed, new Set(Object.keys(columns)));
  return { unseen, complete: isComplete(columns) };
}

/** GML leaves nulls out: there a column not seen may well be there. */
export function isComplete(seen: SeenColumns): boolean {
  return !Object.values(seen).includes('untyped');
}

export function isBroken({ missing, retyped, drifting }: ContractChange): boolean {
  return missing.length + retyped.length + drifting.length > 0;
}

function addedTo(base: Contract, there: ReadonlySet<string>): string[] {
  const known = new Set([...Object.keys(base.described ?? {}), ...Object.keys(base.seen)]);
  return [...there].filter((name) => !known.has(name));
}

/** Described against described, seen against seen: neither says anything about the other. */
function missingFrom(base: Contract, now: Contract): string[] {
  if (base.described !== null && now.described !== null) {
    const { described } = now;
    return Object.keys(base.described).filter((name) => !(name in described));
  }
  // Nothing was read at all: that is the business of the guard against empty layers.
  if (!now.complete || Object.keys(now.seen).length === 0) return [];
  return Object.keys(base.seen).filter((name) => !(name in now.seen));
}

function retypedFrom(base: Contract, now: Contract): string[] {
  const names = new Set<string>();
  for (const [name, kind] of Object.entries(now.described ?? {})) {
    const was = base.described?.[name];
    if (was !== undefined && was !== kind) names.add(name);
  }
  for (const [name, kind] of Object.entries(now.seen)) {
    const was = base.seen[name];
    if (was !== undefined && was !== kind && ![was, kind].some(saysNothing)) names.add(name);
  }
  return [...names];
}

function saysNothing(kind: SeenKind): boolean {
  return kind === 'none' || kind === 'untyped' || kind === 'mixed';
}
