/** Classes of change, for the record: only attributes, redrawn in the same place, or another shape. */
import { sql } from 'kysely';
import { oneRow } from '../../../src/db/rows.ts';
import type { Store } from '../../../src/db/connect.ts';
import { LIMITS } from '../../../src/kernel/limits.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { Log } from '../../../src/kernel/log.ts';
import type { ChangeClasses } from '../../deps.ts';
import { rowsOf } from './rows-of.ts';

/** Of a redrawn shape: maximum distance of a vertex from the other outline, metres. */
export const REDIGITISED_M = 0.5;
/** Maximum change of its area, as a share. */
export const REDIGITISED_AREA_SHARE = 0.01;

interface Batch {
  readonly last: string | null;
  readonly total: number;
  readonly attribute: number;
  readonly redigitised: number;
}

interface Staged {
  readonly id: string;
  readonly layer: Layer;
  readonly signal: AbortSignal;
}

/** In bounded statements; the classes add up to `changed`. What cannot be compared is unclassed. */
export async function classify(
  { store, log }: { readonly store: Store; readonly log: Log },
  run: Staged,
  changed: number,
): Promise<ChangeClasses> {
  const classes = { attribute: 0, redigitised: 0, real: 0, unclassed: 0 };
  try {
    await count(store.db, run, { changed, classes });
  } catch (error) {
    log.warn({ err: error, run: run.id }, 'changes could not be classed');
  }
  const { attribute, redigitised, real } = classes;
  return { ...classes, unclassed: changed - attribute - redigitised - real };
}

async function count(
  db: Store['db'],
  run: Staged,
  { changed, classes }: { readonly changed: number; readonly classes: ChangeClasses },
): Promise<void> {
  let done = 0;
  let after: string | null = '';
  while (after !== null && done < Math.min(changed, LIMITS.changesClassed)) {
    run.signal.throwIfAborted();
    const batch: Batch = await classBatch(db, run, after);
    classes.attribute += batch.attribute;
    classes.redigitised += batch.redigitised;
    classes.real += batch.total - batch.attribute - batch.redigitised;
    done += batch.total;
    after = batch.last;
  }
}

/**
 * Cheap tests first: equal bytes, other extent, other area. Giants are judged by the land between
 * their outlines.
 */
async function classBatch(db: Store['db'], { id, layer }: Staged, after: string): Promise<Batch> {
  const { table, isOf } = rowsOf(layer);
  return await oneRow<Batch>(db)`
    with pair as materialized (
      select s.key, s.geom as new, m.geom as old
      from stage_feature s join ${sql.table(table)} m on ${isOf(layer)} and m.key = s.key
      where s.run_id = ${id} and s.key > ${after} and s.content_hash <> m.content_hash
      order by s.key limit ${LIMITS.changesPerBatch}
    ),
    classed as (
      select key, case
        when ST_AsBinary(new) = ST_AsBinary(old) then 'attribute'
        when abs(ST_XMin(new) - ST_XMin(old)) > ${REDIGITISED_M}::float8
          or abs(ST_YMin(new) - ST_YMin(old)) > ${REDIGITISED_M}::float8
          or abs(ST_XMax(new) - ST_XMax(old)) > ${REDIGITISED_M}::float8
          or abs(ST_YMax(new) - ST_YMax(old)) > ${REDIGITISED_M}::float8 then 'real'
        when abs(ST_Area(new) - ST_Area(old)) > ${REDIGITISED_AREA_SHARE}::float8 * ST_Area(old)
          then 'real'
        when ST_NPoints(new)::bigint * ST_NPoints(old) > ${LIMITS.changeVertexPairs}::bigint
          then case when ST_Dimension(new) = 2 and ST_Area(ST_SymDifference(new, old))
            <= ${REDIGITISED_M}::float8 * ST_Perimeter(old) then 'redigitised' else 'real' end
        when ST_HausdorffDistance(new, old) <= ${REDIGITISED_M}::float8 then 'redigitised'
        else 'real' end as class
      from pair
    )
    select max(key) as last, count(*)::integer as total,
      count(*) filter (where class = 'attribute')::integer as attribute,
      count(*) filter (where class = 'redigitised')::integer as redigitised
    from classed`;
}
