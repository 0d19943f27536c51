/** Repairs invalid areas of a batch in memory (D144), for stores whose own repair may fail. */
import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Bounds } from '../../../src/geo/bounds.ts';
import { repairArea } from '../../../src/geo/repair.ts';
import { wkbArea } from '../../../src/geo/ring-area.ts';
import type { EncodedFeature } from '../../../src/wfs/page.ts';

export interface OddRow {
  readonly key: string;
  readonly object_id: string;
  readonly fate: 'repaired' | 'empty' | 'outside-denmark';
  readonly problem: string;
  /** Square metres; 0 for lines. */
  readonly area_before: number;
  readonly area_after: number;
  /** By even-odd, which takes doubly covered land for a hole; null for lines. */
  readonly area_by_lines: number | null;
  readonly slivers: number;
  readonly box: Bounds | null;
}

interface Mended {
  /** null: no area, or its rings cannot be assembled. */
  readonly wkb: Uint8Array | null;
  readonly row: OddRow;
}

type Given = Pick<EncodedFeature, 'key' | 'objectId' | 'wkb'>;

/** By key; valid features and those without position are left out. */
export async function mendedInMemory(
  { db }: Pick<Store, 'db'>,
  batch: readonly Given[],
): Promise<ReadonlyMap<string, Mended>> {
  // A non-numeric coordinate has no position: the box in the stage shows it.
  const { rows } = await sql<{ n: number; problem: string; area: number; box: Bounds }>`
    select n::integer as n, ST_IsValidReason(geom) as problem, ST_Area(geom) as area,
      array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)] as box
    from (
      select n, ST_Force2D(ST_GeomFromWKB(wkb, 25832)) as geom
      from unnest(${batch.map(({ wkb }) => Buffer.from(wkb))}::bytea[]) with ordinality t(wkb, n)
      offset 0) g
    where not ST_IsEmpty(geom) and ST_XMax(geom) < 'Infinity' and ST_YMax(geom) < 'Infinity'
      and not ST_IsValid(geom)`.execute(db);
  return new Map(
    rows.flatMap(({ n, problem, area, box }) => {
      const given = batch[n - 1];
      return given === undefined
        ? []
        : [[given.key, mend(given, { problem, area_before: area, box })] as const];
    }),
  );
}

function mend(
  { key, objectId, wkb }: Given,
  before: Pick<OddRow, 'problem' | 'area_before' | 'box'>,
): Mended {
  const repaired = repairedOrNull(wkb);
  const row = { ...before, key, object_id: objectId, area_by_lines: null, slivers: 0 };
  if (repaired === null) return { wkb: null, row: { ...row, fate: 'empty', area_after: 0 } };
  const [area_after, area_by_lines] = [wkbArea(repaired.wkb), repaired.evenOddM2];
  return { wkb: repaired.wkb, row: { ...row, fate: 'repaired', area_after, area_by_lines } };
}

function repairedOrNull(wkb: Uint8Array): ReturnType<typeof repairArea> {
  try {
    return repairArea(wkb);
  } catch {
    return null;
  }
}
