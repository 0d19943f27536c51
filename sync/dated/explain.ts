/**
 * A confirmed change explains exactly its rows, within the confirmed numbers. The guards judge the
 * rest as if the mirror already had the change.
 */
import { sql } from 'kysely';
import type { Db } from '../../src/db/connect.ts';
import { allRows } from '../../src/db/rows.ts';
import type { AreaLayer } from '../../src/layers/catalogue.ts';
import type { AnnouncedCodes, ChangedCodes } from '../../src/ops/dated-codes.ts';
import type { Confirmed, ChangeNumbers } from '../../src/ops/dated-changes.ts';
import { askCanaryBeyond } from '../mirrors/areas/rows.ts';
import { askPlaces } from '../mirrors/features/canary.ts';
import type { Evidence } from '../check.ts';
import type { Run } from '../deps.ts';
import { after } from './guards.ts';
import { instantText } from './stage.ts';
import type { Difference } from '../mirrors/features/diff.ts';

/** null: no confirmed change is due, or the run exceeds what was confirmed. */
export async function explain(db: Db, run: Run, evidence: Evidence) {
  const { layer } = run;
  if (!layer.dated || evidence.lastGoodRows === null) return null;
  const due = await readConfirmed(db, layer.id, run.startedAtMs);
  if (due.length === 0) return null;
  const rows = await explainedRows(db, { id: run.id, layer }, due);
  if (rows === null || !isWithin(rows, due, evidence)) return null;
  const guards = due
    .map(({ confirmed }) => actualCodes(confirmed.codes, rows))
    .reduce(after, layer.guards);
  const places = await askPlaces(db, { id: run.id, layer: { ...layer, guards } });
  const { canaryAsked, canaryChanged } = await askCanaryBeyond(db, { id: run.id, layer }, rows);
  Object.assign(run.counts, { canaryAsked });
  return {
    evidence: {
      ...evidence,
      ...places,
      canaryAsked,
      canaryChanged,
      inserted: evidence.inserted - rows.inserted,
      changed: evidence.changed - rows.changed,
      removed: evidence.removed - rows.removed,
      lastGoodRows: evidence.lastGoodRows - rows.removed + rows.inserted,
      lastGoodAreaM2: (evidence.lastGoodAreaM2 ?? 0) - rows.areaBeforeM2 + rows.areaAfterM2,
    },
    guards,
    changes: due.map(({ id }) => id),
  };
}

interface Due {
  readonly id: string;
  readonly atMs: number;
  readonly announced: AnnouncedCodes | null;
  readonly confirmed: Confirmed;
}

async function readConfirmed(db: Db, layer: string, nowMs: number): Promise<readonly Due[]> {
  return await allRows<Due>(db)`
    select id, (extract(epoch from at) * 1000)::float8 as "atMs", announced, confirmed
    from dated_change
    where layer = ${layer} and carried_out_at is null and confirmed is not null
      and at <= ${instantText(nowMs)}::timestamptz
    order by at`;
}

export interface ExplainedRows
  extends Difference, Pick<ChangeNumbers, 'areaBeforeM2' | 'areaAfterM2'> {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

interface Touched {
  readonly kind: 'removed' | 'changed' | 'inserted';
  readonly code: string;
  readonly new_code: string;
  readonly area_before: number;
  readonly area_after: number;
  readonly dated: boolean;
}

/**
 * By dates, exactly the change's rows; by announcement, rows of codes that end and those that
 * replace them. null: more rows have unannounced codes than were announced.
 */
async function explainedRows(
  db: Db,
  run: { readonly id: string; readonly layer: AreaLayer },
  due: readonly Due[],
): Promise<ExplainedRows | null> {
  const touched = await readTouched(db, run, due);
  const announced = due.flatMap((change) => (change.announced === null ? [] : [change.announced]));
  const ends = new Set(announced.flatMap((one) => one.ends));
  const begins = new Set(announced.flatMap((one) => one.begins.filter((code) => code !== null)));
  const unknown = announced.flatMap((one) => one.begins.filter((code) => code === null)).length;
  const nameless = touched.filter(
    (row) => !row.dated && isSuccessor(row, ends) && !begins.has(row.new_code),
  );
  if (nameless.length > unknown && unknown > 0) return null;
  const explained = touched.filter((row) => {
    if (row.dated) return true;
    if (row.kind === 'removed') return ends.has(row.code);
    return isSuccessor(row, ends) && (begins.has(row.new_code) || unknown > 0);
  });
  const sum = (read: (row: Touched) => number) =>
    explained.reduce((total, row) => total + read(row), 0);
  const count = (kind: Touched['kind']) => explained.filter((row) => row.kind === kind).length;
  return {
    inserted: count('inserted'),
    changed: count('changed'),
    removed: count('removed'),
    areaBeforeM2: sum((row) => row.area_before),
    areaAfterM2: sum((row) => row.area_after),
    before: explained.flatMap(({ kind, code }) => (kind === 'inserted' ? [] : [code])),
    after: explained.flatMap(({ kind, new_code: code }) => (kind === 'removed' ? [] : [code])),
  };
}

function isSuccessor(
  { kind, code, new_code: newCode }: Touched,
  ends: ReadonlySet<string>,
): boolean {
  return kind === 'inserted' || (kind === 'changed' && ends.has(code) && newCode !== code);
}

async function readTouched(
  db: Db,
  { id, layer }: { readonly id: string; readonly layer: AreaLayer },
  due: readonly Due[],
): Promise<readonly Touched[]> {
  const instants = sql`${due.map(({ atMs }) => instantText(atMs))}::timestamptz[]`;
  return await allRows<Touched>(db)`
    select case when s.key is null then 'removed' when a.key is null then 'inserted'
        else 'changed' end as kind,
      coalesce(a.code, '') as code, coalesce(s.attributes->>'code', '') as new_code,
      coalesce(ST_Area(a.geom), 0)::float8 as area_before,
      coalesce(ST_Area(s.geom), 0)::float8 as area_after,
      case when s.key is null then exists (
        select from dated_row d
        where d.layer = ${layer.id} and d.key = a.key and d.ends_at = any(${instants}))
      else exists (
        select from dated_row d
        where d.layer = ${layer.id} and d.key = s.key and d.begins_at = any(${instants})
          and d.content_hash = s.content_hash) end as dated
    from (select key, content_hash, attributes, geom from stage_feature
      where run_id = ${id}::bigint) s
    full join (select key, code, content_hash, geom from area where theme = ${layer.id}) a
      on a.key = s.key
    where s.content_hash is distinct from a.content_hash`;
}

function isWithin(rows: ExplainedRows, due: readonly Due[], { lastGoodAreaM2 }: Evidence): boolean {
  const confirmed = (read: (numbers: Confirmed['numbers']) => number) =>
    due.reduce((sum, change) => sum + read(change.confirmed.numbers), 0);
  const land = LAND_SHARE * (lastGoodAreaM2 ?? 0);
  const knownBefore = codesConfirmed(due, ({ ends, changes }) => [...ends, ...changes]);
  const areaM2 = confirmed(({ areaAfterM2 }) => areaAfterM2);
  return (
    // A row that continues under another code ends and begins.
    rows.removed + rows.changed <= confirmed(({ removed, changed }) => removed + changed) &&
    rows.inserted + rows.changed <= confirmed(({ inserted, changed }) => inserted + changed) &&
    rows.before.every((code) => knownBefore.has(code)) &&
    rows.areaBeforeM2 <= confirmed(({ areaBeforeM2 }) => areaBeforeM2) + land &&
    Math.abs(rows.areaAfterM2 - areaM2) <= land
  );
}

/** Land that may differ from the confirmation, as a share of the layer: coasts are redrawn. */
const LAND_SHARE = 0.002;

function codesConfirmed(
  due: readonly Due[],
  read: (codes: ChangedCodes) => readonly { readonly code: string | null }[],
): ReadonlySet<string> {
  return new Set(
    due.flatMap(({ confirmed }) =>
      read(confirmed.codes).flatMap(({ code }) => (code === null ? [] : [code])),
    ),
  );
}

/** A code unknown at confirmation is now known from the rows. */
function actualCodes(codes: ChangedCodes, rows: ExplainedRows): ChangedCodes {
  const old = new Set(rows.before);
  const begun = rows.after.filter((code) => !old.has(code));
  const isOpen = codes.begins.some(({ code }) => code === null);
  return isOpen ? { ...codes, begins: begun.map((code) => ({ code, name: null })) } : codes;
}
