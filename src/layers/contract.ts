/** The columns of a source. Names ignore case, dots and underscores. */

/** `none`: only nulls so far. `mixed`: several kinds in one reading. */
export type SeenKind = 'text' | 'number' | 'boolean' | 'other' | 'none' | 'mixed' | 'untyped';
export type DescribedKind = 'text' | 'number' | 'boolean' | 'time' | 'geometry' | 'other';

export type SeenColumns = Readonly<Record<string, SeenKind>>;
export type DescribedColumns = Readonly<Record<string, DescribedKind>>;

export interface Contract {
  /** Only contracts of one origin are comparable. */
  readonly origin: string;
  /** From DescribeFeatureType; null: the source describes nothing. */
  readonly described: DescribedColumns | null;
  readonly seen: SeenColumns;
  /** Whether an unseen column does not exist (JSON names its nulls, GML omits them). */
  readonly complete: boolean;
  /** Missing time columns of a file that was accepted nevertheless; absent: none. */
  readonly withoutTimes?: readonly string[];
}

export interface ContractChange {
  readonly added: readonly string[];
  readonly missing: readonly string[];
  readonly retyped: readonly string[];
  readonly drifting: readonly string[];
}

export function normalisedName(name: string): string {
  return name.toLowerCase().replaceAll(/[.\- ]/g, '_');
}

export function seenKind(value: unknown): SeenKind {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return typeof value === 'boolean' ? 'boolean' : 'other';
}

export function mergedKind(a: SeenKind | undefined, b: SeenKind): SeenKind {
  if (a === undefined || a === 'none' || a === b) return b;
  return b === 'none' ? a : 'mixed';
}

export function mergedColumns(a: SeenColumns, b: SeenColumns): SeenColumns {
  const merged: Record<string, SeenKind> = { ...a };
  for (const [name, kind] of Object.entries(b)) merged[name] = mergedKind(merged[name], kind);
  return merged;
}

/** Without columns in the published contract, those that the mapping needs must exist. */
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
 * For the next comparison. An earlier description is kept where there is none now: GML omits nulls,
 * so a lost column would go unnoticed.
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

function isKnownWhole({ described, complete }: Contract): boolean {
  return described !== null || complete;
}

/** Compares normalised names; a shapefile's truncated name counts as present. */
export function lackingOf(needed: readonly string[], there: ReadonlySet<string>): string[] {
  return needed
    .map(normalisedName)
    .filter((name) => !there.has(name) && !there.has(name.slice(0, SHAPEFILE_LETTERS)));
}

export const SHAPEFILE_LETTERS = 10;

/**
 * Missing from a page: in JSON they do not exist, in GML they may be null. An empty page lacks
 * nothing.
 */
export function unseenIn(
  { members, columns }: { readonly members: number; readonly columns: SeenColumns },
  needed: readonly string[],
): { readonly unseen: readonly string[]; readonly complete: boolean } {
  const unseen = members === 0 ? [] : lackingOf(needed, new Set(Object.keys(columns)));
  return { unseen, complete: isComplete(columns) };
}

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

function missingFrom(base: Contract, now: Contract): string[] {
  if (base.described !== null && now.described !== null) {
    const { described } = now;
    return Object.keys(base.described).filter((name) => !(name in described));
  }
  // Nothing was read: the guard against empty layers handles that.
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
