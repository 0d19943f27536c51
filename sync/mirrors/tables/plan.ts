/**
 * The weekly total, the deltas since, or nothing. A delta is only read after the one before; if one
 * is missing, only a newer total helps.
 */
import { chooseDeltas, chooseFile, heldBy, madeAtMs } from '../../../src/downloads/listing.ts';
import type { ListedFile, TableFile } from '../../../src/downloads/listing.ts';
import type { TableSource } from '../../../src/layers/source.ts';
import { checkFile } from '../../check.ts';
import type { Refusal } from '../../check.ts';
import type { KnownSource, ReplayedTable, TablePlan } from './table-run.ts';

export type Planned =
  | { readonly kind: 'planned'; readonly plan: TablePlan }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

export interface WantedFromFiles extends Pick<
  TablePlan,
  'table' | 'entity' | 'guards' | 'known' | 'isFolded'
> {
  readonly source: TableSource;
}

/**
 * With a copy, a listing must have what the copy was made from, or its successor; else it is
 * refused, with its content.
 */
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
    return back(wanted, total, { listed, ...with_ }) ?? whole(wanted, total, { listed, nowMs });
  }
  if (since.gapAt !== null) return gap(wanted, since.gapAt, total);
  // An older listing, or a stub, is reported even if deltas could continue.
  if (refusals.length > 0 && (news || since.files.length === 0)) {
    return { kind: 'refused', refusals };
  }
  return planDeltas(wanted, { files: since.files, total }, { listed, ...with_ });
}

function planDeltas(
  wanted: WantedFromFiles,
  since: { readonly files: readonly TableFile[]; readonly total: TableFile | null },
  looked: Looked,
): Planned {
  const plan = { ...wanted, total: null, deltas: since.files };
  if (since.files.length > 0) return { kind: 'planned', plan };
  if (since.total === null) return nothingListed(wanted, looked.listed);
  return behind(wanted, since.total, looked) ?? { kind: 'planned', plan };
}

interface Looked {
  readonly listed: readonly ListedFile[];
  readonly nowMs: number;
  readonly liftedGuards: readonly string[];
}

/** Versions have separate counters: times order them. null: not older, or unknown. */
function back(wanted: WantedFromFiles, total: TableFile, looked: Looked): Planned | null {
  const { known, source, entity } = wanted;
  if (known === null || total.version === known.version) return null;
  const { files } = chain(looked.listed, source, { ...total, nowMs: looked.nowMs });
  const madeMs = madeAtMs(files.at(-1) ?? total);
  const { madeAtMs: hadMs = null } = known;
  if (madeMs === null || hadMs === null || madeMs >= hadMs) return null;
  if (looked.liftedGuards.includes('generation')) return null;
  const [made, had] = [madeMs, hadMs].map((ms) => new Date(ms).toISOString());
  return refuse(
    'generation',
    `${entity}: ${total.name} is of ${made}, and the copy is of version ${known.version} of ${had}. ` +
      heldBy(looked.listed, source),
    { madeAt: madeMs / 1000, lastMadeAt: hadMs / 1000 },
  );
}

/** Another or an older listing: it lacks deltas that the copy has. */
function behind(wanted: WantedFromFiles, total: TableFile, looked: Looked): Planned | null {
  const { known, source, entity } = wanted;
  const isThere = known === null || total.version !== known.version;
  if (isThere || total.generation >= known.generation) return null;
  if (looked.liftedGuards.includes('generation')) return null;
  const since = { version: total.version, generation: total.generation, nowMs: looked.nowMs };
  const newest = chooseDeltas(looked.listed, source, since).at(-1) ?? total;
  if (newest.generation >= known.generation) return null;
  return refuse(
    'generation',
    `${entity} is listed up to ${newest.generation}, and the copy has ${known.generation}: the listing ` +
      `went back. ${heldBy(looked.listed, source)}`,
    { generation: newest.generation, lastGeneration: known.generation },
  );
}

function nothingListed(wanted: WantedFromFiles, listed: readonly ListedFile[]): Planned {
  const { entity, source, known } = wanted;
  const { register, format, versions } = source;
  const kind = `${register} in ${format}, ${source.contents ?? 'Current'}, version ${versions.join(' or ')}`;
  const since = known === null ? '' : `, and no delta after ${known.generation}`;
  return refuse(
    'listing',
    `No total of ${entity} (${kind}) is listed${since}. ${heldBy(listed, source)}`,
    { listed: listed.length },
  );
}

/** The newest total, whatever the copy was made from: folded rows are not kept for reuse. */
export function planAgain(
  wanted: WantedFromFiles,
  listed: readonly ListedFile[],
  with_: { readonly nowMs: number; readonly liftedGuards: readonly string[] },
): Planned {
  const planned = planTable({ ...wanted, known: null }, listed, with_);
  if (planned.kind === 'refused') return planned;
  return { kind: 'planned', plan: { ...planned.plan, known: wanted.known } };
}

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
  if (total === null) return nothingListed(wanted, listed);
  if (refusals.length > 0) return { kind: 'refused', refusals };
  return whole(wanted, total, { listed, nowMs });
}

/** An earlier run's files of a table. Deltas alone must follow the copy. */
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

function whole(
  wanted: WantedFromFiles,
  total: TableFile,
  { listed, nowMs }: { readonly listed: readonly ListedFile[]; readonly nowMs: number },
): Planned {
  const { files: deltas } = chain(listed, wanted.source, { ...total, nowMs });
  return { kind: 'planned', plan: { ...wanted, total, deltas } };
}

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

function isNews(
  total: TableFile,
  { known, nowMs }: { readonly known: KnownSource; readonly nowMs: number },
): boolean {
  if (total.version !== known.version) return true;
  if (total.generation !== known.totalGeneration) return true;
  const changed = total.md5 !== null && total.md5 !== known.totalMd5;
  return changed || (known.nextChangeMs !== null && known.nextChangeMs <= nowMs);
}

/** A total must not lose the copy's deltas: those since must be listed too. */
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
  // Refused, unless someone wants the older one.
  if (total.generation < to.known.totalGeneration) return true;
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

/** Totals come weekly: beyond this, a table or the listing is stuck. */
const LARGEST_SPREAD_MS = 8 * 24 * 3600 * 1000;

type Dated = Pick<TablePlan, 'entity' | 'known' | 'total' | 'deltas'>;

/**
 * Whether the tables would be of one time, and current. `notes` report differing days (a night's
 * files in the making) and listings without a file of this week; a refusal reports a stuck table.
 */
export function judgeDays(
  plans: readonly Dated[],
  { nowMs, liftedGuards }: { readonly nowMs: number; readonly liftedGuards: readonly string[] },
): { readonly notes: readonly string[]; readonly refusals: readonly Refusal[] } {
  const made = plans.flatMap((plan) => {
    const ms = newestMs(plan);
    return ms === null ? [] : [{ entity: plan.entity, ms }];
  });
  const times = made.map(({ ms }) => ms);
  const newest = Math.max(...times);
  const isStill = made.length > 0 && newest < nowMs - LARGEST_SPREAD_MS && plans.every(isNothing);
  const still = isStill ? [`Nothing is listed that was made after ${dayOf(newest)}.`] : [];
  const byDay = Map.groupBy(made, ({ ms }) => dayOf(ms));
  if (byDay.size < 2) return { notes: still, refusals: [] };
  const days = [...byDay].sort(([a], [b]) => (a < b ? -1 : 1));
  const apart = `The tables are of different days: ${days
    .map(([day, tables]) => `${day} (${tables.map(({ entity }) => entity).join(', ')})`)
    .join(', ')}.`;
  const notes = [...still, apart];
  const spreadMs = newest - Math.min(...times);
  if (spreadMs <= LARGEST_SPREAD_MS || liftedGuards.includes('generation')) {
    return { notes, refusals: [] };
  }
  const numbers = { spreadS: Math.round(spreadMs / 1000), largestS: LARGEST_SPREAD_MS / 1000 };
  return { notes, refusals: [{ guard: 'generation', message: apart, numbers }] };
}

function isNothing({ total, deltas }: Dated): boolean {
  return total === null && deltas.length === 0;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function newestMs({ known, total, deltas }: Dated): number | null {
  const last = deltas.at(-1) ?? total;
  return last === null ? (known?.madeAtMs ?? null) : madeAtMs(last);
}
