/** An operator confirms the codes and numbers that day's run must match (D138). */
import { sql } from 'kysely';
import { firstRow } from '../db/rows.ts';
import type { Db, Store } from '../db/connect.ts';
import type { LayerId } from '../layers/keys.ts';
import { OPS_LIMITS } from './limits.ts';
import { codesOf } from './dated-codes.ts';
import type { AnnouncedCodes, ChangedCodes, KeptCodes } from './dated-codes.ts';

export interface ChangePreview {
  /** Guards it will trip, first cause first. */
  readonly guards: readonly string[];
  readonly numbers: ChangeNumbers;
  readonly madeAtMs: number;
}

export interface ChangeNumbers {
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly inserted: number;
  readonly changed: number;
  readonly removed: number;
  /** Area of rows removed or changed, and of their replacements, square metres. */
  readonly areaBeforeM2: number;
  readonly areaAfterM2: number;
  readonly canaryAsked: number;
  readonly canaryChanged: number;
  /**
   * Rows in force with another answer, by register; null: none are mirrored. Absent in data of
   * earlier releases.
   */
  readonly located?: Readonly<Partial<Record<string, number | null>>>;
}

export interface Confirmed {
  readonly codes: ChangedCodes;
  readonly numbers: ChangeNumbers;
}

/**
 * expected: announced, but in no file yet. contradicted: file and announcement disagree. overdue:
 * past and not carried out.
 */
export type ChangeState = 'prepared' | 'expected' | 'contradicted' | 'overdue' | 'carried_out';

export interface DatedChange {
  readonly id: string;
  readonly layer: LayerId;
  readonly atMs: number;
  readonly fromRegister: boolean;
  readonly announced: AnnouncedCodes | null;
  readonly codes: ChangedCodes;
  readonly state: ChangeState;
  readonly contradictions: readonly Contradiction[];
  /** null: not computed yet. */
  readonly preview: ChangePreview | null;
  readonly confirmation: {
    readonly atMs: number;
    readonly by: string;
    readonly remark: string | null;
    readonly numbers: ChangeNumbers;
  } | null;
  readonly carriedOut: { readonly atMs: number; readonly version: number } | null;
  readonly needsConfirmation: boolean;
}

/**
 * goes_on: announced to end, but in the file. unannounced: ends in the file only. unknown:
 * announced to end, but not in the copy. exists: announced to begin, but already there.
 */
export interface Contradiction {
  readonly kind: 'goes_on' | 'unannounced' | 'unknown' | 'exists';
  readonly code: string;
}

interface ChangeRow extends Omit<
  DatedChange,
  'codes' | 'state' | 'contradictions' | 'needsConfirmation'
> {
  readonly codes: KeptCodes | null;
  readonly held: readonly string[] | null;
}

const ROWS = sql`
  select c.id, c.layer, (extract(epoch from c.at) * 1000)::float8 as "atMs",
    c.from_register as "fromRegister", c.announced, c.codes, c.preview,
    case when c.confirmed_at is not null then jsonb_build_object(
      'atMs', (extract(epoch from c.confirmed_at) * 1000)::float8, 'by', c.confirmed_by,
      'remark', c.remark, 'numbers', c.confirmed -> 'numbers') end as confirmation,
    case when c.carried_out_at is not null then jsonb_build_object(
      'atMs', (extract(epoch from c.carried_out_at) * 1000)::float8,
      'version', c.version) end as "carriedOut",
    (select array_agg(a.code) from area a
      where a.theme = c.layer and c.announced is not null and c.carried_out_at is null) as held
  from dated_change c`;

/** Future changes, soonest first, then the latest past ones. */
export async function readDatedChanges(
  { db }: Pick<Store, 'db'>,
  nowMs: number,
): Promise<readonly DatedChange[]> {
  const { rows } = await sql<ChangeRow>`
    ${ROWS} where c.carried_out_at is null or c.id in (
      select id from dated_change where carried_out_at is not null
      order by carried_out_at desc, id limit ${OPS_LIMITS.datedChangesPast})
    order by c.at, c.layer limit ${OPS_LIMITS.datedChangesShown}`.execute(db);
  return rows.map((row) => changeOf(row, nowMs));
}

function changeOf({ held, ...row }: ChangeRow, nowMs: number): DatedChange {
  const { fromRegister, announced, carriedOut, preview } = row;
  const kept = row.codes ?? { before: [], after: [] };
  const contradictions =
    announced === null || carriedOut !== null
      ? []
      : contradictionsOf({ announced, kept, fromRegister, held: held ?? [] });
  const isDue = row.atMs <= nowMs;
  return {
    ...row,
    codes: codesOf(kept, announced),
    state: stateOf({ isCarriedOut: carriedOut !== null, isDue, contradictions, fromRegister }),
    contradictions,
    needsConfirmation:
      carriedOut === null && row.confirmation === null && (preview?.guards.length ?? 0) > 0,
  };
}

function stateOf(of: {
  readonly isCarriedOut: boolean;
  readonly isDue: boolean;
  readonly contradictions: readonly Contradiction[];
  readonly fromRegister: boolean;
}): ChangeState {
  if (of.isCarriedOut) return 'carried_out';
  if (of.isDue) return 'overdue';
  if (of.contradictions.length > 0) return 'contradicted';
  return of.fromRegister ? 'prepared' : 'expected';
}

function contradictionsOf(of: {
  readonly announced: AnnouncedCodes;
  readonly kept: KeptCodes;
  readonly fromRegister: boolean;
  readonly held: readonly string[];
}): readonly Contradiction[] {
  const { announced, kept, fromRegister, held } = of;
  const later = new Set(kept.after.map(({ code }) => code));
  const contradictions = (kind: Contradiction['kind'], codes: readonly (string | null)[]) =>
    codes.flatMap((code) => (code === null ? [] : [{ kind, code }]));
  const ending = kept.before.filter(({ code }) => !later.has(code)).map(({ code }) => code);
  return [
    ...contradictions(
      'goes_on',
      fromRegister ? announced.ends.filter((code) => later.has(code)) : [],
    ),
    ...contradictions(
      'unannounced',
      fromRegister ? ending.filter((code) => !announced.ends.includes(code)) : [],
    ),
    ...contradictions(
      'unknown',
      held.length === 0 ? [] : announced.ends.filter((code) => !held.includes(code)),
    ),
    ...contradictions(
      'exists',
      announced.begins.filter((code) => code !== null && held.includes(code)),
    ),
  ];
}

/**
 * past: its instant has come. contradicted: file and announcement differ. unprepared: not computed
 * yet.
 */
export type ConfirmRefusal =
  | 'unknown'
  | 'past'
  | 'contradicted'
  | 'unprepared'
  | 'already'
  | 'none';

export type ConfirmAnswer =
  | { readonly state: 'done'; readonly change: DatedChange }
  | { readonly state: 'refused'; readonly why: ConfirmRefusal };

export interface Confirming {
  readonly id: string;
  readonly nowMs: number;
  readonly by: string;
  readonly remark: string | null;
}

/** As shown now, until its instant. */
export async function confirmChange(
  store: Pick<Store, 'db'>,
  { id, nowMs, by, remark }: Confirming,
): Promise<ConfirmAnswer> {
  return await decide(store, { id, nowMs }, async (trx, change) => {
    if (change.confirmation !== null) return 'already';
    if (change.contradictions.length > 0) return 'contradicted';
    if (change.preview === null) return 'unprepared';
    const confirmed: Confirmed = { codes: change.codes, numbers: change.preview.numbers };
    await sql`
      update dated_change set confirmed_at = ${new Date(nowMs).toISOString()}, confirmed_by = ${by},
        remark = ${remark}, confirmed = ${JSON.stringify(confirmed)}::jsonb
      where id = ${id}`.execute(trx);
    return null;
  });
}

/** Possible until the instant. */
export async function unconfirmChange(
  store: Pick<Store, 'db'>,
  at: Pick<Confirming, 'id' | 'nowMs'>,
): Promise<ConfirmAnswer> {
  return await decide(store, at, async (trx, change) => {
    if (change.confirmation === null) return 'none';
    await sql`
      update dated_change set confirmed_at = null, confirmed_by = null, remark = null,
        confirmed = null
      where id = ${at.id}`.execute(trx);
    return null;
  });
}

/** Serialized, so that decisions match what was read. */
async function decide(
  { db }: Pick<Store, 'db'>,
  { id, nowMs }: Pick<Confirming, 'id' | 'nowMs'>,
  change: (trx: Db, found: DatedChange) => Promise<ConfirmRefusal | null>,
): Promise<ConfirmAnswer> {
  return await db.transaction().execute(async (trx): Promise<ConfirmAnswer> => {
    await sql`select id from dated_change where id = ${id} for update`.execute(trx);
    const found = await readOne(trx, id, nowMs);
    if (found === null) return { state: 'refused', why: 'unknown' };
    if (found.atMs <= nowMs || found.carriedOut !== null) return { state: 'refused', why: 'past' };
    const why = await change(trx, found);
    if (why !== null) return { state: 'refused', why };
    return { state: 'done', change: (await readOne(trx, id, nowMs)) ?? found };
  });
}

async function readOne(db: Db, id: string, nowMs: number): Promise<DatedChange | null> {
  const row = await firstRow<ChangeRow>(db)`${ROWS} where c.id = ${id}`;
  return row && changeOf(row, nowMs);
}
