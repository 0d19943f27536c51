/**
 * The mirrored lines at points, one statement, so a batch has one generation:
 * `building_line_answers` in sql/migrations/0002_building_lines.sql.
 */
import { sql } from 'kysely';
import type { Store } from '../../db/connect.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { LineAttributes } from '../../layers/feature.ts';
import type { LineKey } from '../../layers/keys.ts';
import { COPY } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type {
  LineMeasure,
  LinesQuestion,
  LinesRead,
  StoredFeature,
} from '../../core/held/layer-reads.ts';

type FeatureColumns = readonly [string, number, number | null, LineAttributes];

interface Row {
  readonly point_no: number;
  readonly line_no: number;
  readonly generation: number;
  readonly is_within: boolean;
  readonly distance_m: number | null;
  readonly feature_count: number;
  readonly hit_id: string | null;
  readonly hit_adopted: boolean | null;
  readonly hit_area_m2: number | null;
  readonly hit_attributes: LineAttributes | null;
  readonly repealed: readonly FeatureColumns[] | null;
  readonly refused: readonly string[];
  readonly copies: Readonly<Partial<Record<LineKey, PublishedCopy>>> | null;
}

/** Requires at least one point and line. Throws when the store does. */
export async function readLines(
  store: Pick<Store, 'db'>,
  { points, lines, radiusM }: LinesQuestion,
): Promise<LinesRead> {
  const { rows } = await linesStatement({ points, lines, radiusM }).execute(store.db);
  if (rows.length !== points.length * lines.length) {
    throw new Error(
      `The store gave ${rows.length} answers for ${points.length} points and ${lines.length} lines.`,
    );
  }
  const measures: LineMeasure[][] = points.map(() => []);
  const copies = new Map<LineKey, PublishedCopy | null>();
  for (const row of rows) {
    const line = lines[row.line_no - 1];
    const answers = measures[row.point_no - 1];
    if (line === undefined || answers === undefined)
      throw new Error('An answer without a question.');
    copies.set(line.id, row.copies?.[line.id] ?? null);
    answers[row.line_no - 1] = measureOf(row);
  }
  const refused = new Set(rows[0]?.refused);
  return { rung: 'store', generation: rows[0]?.generation ?? NaN, copies, refused, measures };
}

export function linesStatement({ points, lines, radiusM }: LinesQuestion) {
  const tolerances = lines.map(({ geometry }) =>
    geometry === 'line' ? LIMITS.onLineToleranceM : 0,
  );
  return sql<Row>`
    select a.*, array(select layer from register_refusal) as refused,
      (select jsonb_object_agg(layer, copy) from (
        select l.layer, ${sql.raw(COPY)} from layer_state l
        where l.layer = any(${lines.map(({ id }) => id)}::text[])) c) as copies
    from building_line_answers(
      ${points.map(({ xUtm32 }) => xUtm32)}::float8[],
      ${points.map(({ yUtm32 }) => yUtm32)}::float8[],
      ${lines.map(({ id }) => id)}::text[], ${tolerances}::float8[],
      ${radiusM}::float8, ${LIMITS.repealedPerLine}::integer) a`;
}

function measureOf(row: Row): LineMeasure {
  return {
    within: row.is_within,
    uncertain: row.is_within && row.hit_adopted !== true,
    distanceM: row.distance_m,
    count: row.feature_count,
    hit: hitOf(row),
    repealed: (row.repealed ?? []).map(([objectId, distanceM, areaM2, attributes]) => ({
      objectId,
      areaM2,
      attributes,
      distanceM,
    })),
  };
}

function hitOf({ hit_id, hit_area_m2, hit_attributes }: Row): StoredFeature | null {
  if (hit_id === null || hit_attributes === null) return null;
  return { objectId: hit_id, areaM2: hit_area_m2, attributes: hit_attributes };
}
