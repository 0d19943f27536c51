/**
 * What to read of a table today: the weekly total, the deltas since, or nothing. Pure. A delta is only
 * ever read behind the one before it; where one is missing a newer total is the only way on.
 */
import { chooseDeltas, chooseFile } from '../../../src/downloads/listing.ts';
import type { ListedFile, TableFile } from '../../../src/downloads/listing.ts';
import type { TableSource } from '../../../src/layers/source.ts';
import { checkFile } from '../../check.ts';
import type { Refusal } from '../../check.ts';
import type { KnownSource, ReplayedTable, TablePlan } from './table-run.ts';

export type Planned =
  | { readonly kind: 'planned'; readonly plan: TablePlan }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** A table that is to be read from files. */
export interface WantedFromFiles extends Pick<
  TablePlan,
  'table' | 'entity' | 'guards' | 'known' | 'isFolded'
> {
  readonly source: TableSource;
}

export function planTable(
  wanted: WantedFromFiles,
  listed: readonly ListedFile[],
  with_: { readonly nowMs: number; readonly liftedGuards: readonly string[] },
): Planned {
  const { source, known } = wanted;
  const { nowMs, liftedGuards } = with_;
  const total = chooseFile(listed, source, nowMs);
  const refusals = total === null ? [] : judgeTotal(wanted, total, liftedGuards);
  if (known === null) return planFirst(wanted, listed, { total, refusals, nowMs });
  const since = chain(listed, source, { ...known, nowMs });
  const reach = since.files.at(-1)?.generation ?? known.generation;
  const news = total !== null && isNews(total, { known, nowMs });
  if (news && refusals.length === 0 && reaches(total, listed, { ...wanted, known, reach, nowMs })) {
    return whole(wanted, total, { listed, nowMs });
  }
  if (since.gapAt !== null) return gap(wanted, since.gapAt, total);
  // A shelf that went back, or a stub in place of the table, is told although deltas could go on.
  if (refusals.length > 0 && (news || since.files.length === 0)) {
    return { kind: 'refused', refusals };
  }
  return { kind: 'planned', plan: { ...wanted, total: null, deltas: since.files } };
}

/** The newest total, whatever the copy was made from: rows that are folded are not kept to be used again. */
export function planAgain(
  wanted: WantedFromFiles,
  listed: readonly ListedFile[],
  with_: { readonly nowMs: number; readonly liftedGuards: readonly string[] },
): Planned {
  const planned = planTable({ ...wanted, known: null }, listed, with_);
  if (planned.kind === 'refused') return planned;
  return { kind: 'planned', plan: { ...planned.plan, known: wanted.known } };
}

/** Nothing is mirrored yet: only a total will do. */
function planFirst(
  wanted: WantedFromFiles,
  listed: readonly ListedFile[],
  found: {
    readonly total: TableFile | null;
    readonly refusals: readonly Refusal[];
    readonly nowMs: number;
  },
): Planned {
  const { total, refusals, nowMs } = found;
  if (total === null) return refuse('empty', `No table of ${wanted.entity} is listed.`, {});
  if (refusals.length > 0) return { kind: 'refused', refusals };
  return whole(wanted, total, { listed, nowMs });
}

/** What an earlier run read of a table, in its order. Deltas alone must follow what the copy has. */
export function planReplay(wanted: WantedFromFiles, read: readonly ReplayedTable[]): Planned {
  const { known, entity } = wanted;
  const formats = new Map(read.map(({ file, format }) => [file.name, format]));
  const files = read.map(({ file }) => file);
  const total = files.find(({ name }) => !isDelta(name)) ?? null;
  const deltas = files.filter(({ name }) => isDelta(name));
  const [first] = deltas;
  const format = formats.get(files[0]?.name ?? '') ?? wanted.source.format;
  const plan = { ...wanted, source: { ...wanted.source, format }, total, deltas };
  if (total !== null) return { kind: 'planned', plan };
  const follows =
    first !== undefined &&
    known?.version === first.version &&
    first.generation <= known.generation + 1;
  if (follows) return { kind: 'planned', plan };
  return refuse(
    'generation',
    `The deltas of ${entity} do not follow what the copy was read from.`,
    {
      first: first?.generation ?? 0,
      have: known?.generation ?? 0,
    },
  );
}

function isDelta(name: string): boolean {
  return name.includes('DeltaDownload');
}

/** A total, and what has happened since it was made. */
function whole(
  wanted: WantedFromFiles,
  total: TableFile,
  { listed, nowMs }: { readonly listed: readonly ListedFile[]; readonly nowMs: number },
): Planned {
  const { files: deltas } = chain(listed, wanted.source, { ...total, nowMs });
  return { kind: 'planned', plan: { ...wanted, total, deltas } };
}

/** Deltas that follow one another from a generation on; `gapAt`: the first that is not there. */
function chain(
  listed: readonly ListedFile[],
  source: TableSource,
  since: { readonly version: string; readonly generation: number; readonly nowMs: number },
): { readonly files: readonly TableFile[]; readonly gapAt: number | null } {
  const all = chooseDeltas(listed, source, since);
  const files: TableFile[] = [];
  let next = since.generation + 1;
  for (const file of all) {
    if (file.generation !== next) return { files, gapAt: next };
    files.push(file);
    next += 1;
  }
  return { files, gapAt: null };
}

/** Newer than the total of the copy, other bytes under its number, or a day has come for a row. */
function isNews(
  total: TableFile,
  { known, nowMs }: { readonly known: KnownSource; readonly nowMs: number },
): boolean {
  if (total.version !== known.version) return true;
  if (total.generation !== known.totalGeneration) return true;
  const changed = total.md5 !== null && total.md5 !== known.totalMd5;
  return changed || (known.nextChangeMs !== null && known.nextChangeMs <= nowMs);
}

/** A total must not take the copy back behind the deltas it has: those since must be there too. */
function reaches(
  total: TableFile,
  listed: readonly ListedFile[],
  to: WantedFromFiles & {
    readonly known: KnownSource;
    readonly reach: number;
    readonly nowMs: number;
  },
): boolean {
  if (total.version !== to.known.version) return true;
  const { files } = chain(listed, to.source, { ...total, nowMs: to.nowMs });
  return (files.at(-1)?.generation ?? total.generation) >= to.reach;
}

function judgeTotal(
  { source, known }: WantedFromFiles,
  { bytes, generation, version }: TableFile,
  liftedGuards: readonly string[],
): readonly Refusal[] {
  const lastGeneration = known?.version === version ? known.totalGeneration : null;
  const { minBytes } = source;
  return checkFile({ bytes, minBytes, generation, lastGeneration }, liftedGuards);
}

function gap(
  { entity, known }: WantedFromFiles,
  missing: number,
  total: TableFile | null,
): Planned {
  return refuse(
    'generation',
    `A delta of ${entity} is missing, and no newer total is listed to mend that.`,
    { missing, have: known?.generation ?? 0, newestTotal: total?.generation ?? 0 },
  );
}

function refuse(
  guard: Refusal['guard'],
  message: string,
  numbers: Readonly<Record<string, number>>,
): Planned {
  return { kind: 'refused', refusals: [{ guard, message, numbers }] };
}
