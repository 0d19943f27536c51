/** Compares key and content hash, only to count: the publishing transaction compares again. */
import type { Store } from '../../../src/db/connect.ts';
import { firstRow, oneRow } from '../../../src/db/rows.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import { publishedKeys } from './rows-of.ts';
import type { ChangeNumbers } from '../../../src/ops/dated-changes.ts';

export type Difference = Pick<ChangeNumbers, 'inserted' | 'changed' | 'removed'>;

export function isUnchanged({ inserted, changed, removed }: Difference): boolean {
  return inserted + changed + removed === 0;
}

export async function diff(db: Store['db'], runId: string, layer: Layer): Promise<Difference> {
  return await oneRow<Difference>(db)`
    select
      count(*) filter (where m.key is null)::integer as inserted,
      count(*) filter (where s.key is null)::integer as removed,
      count(*) filter (where s.content_hash <> m.content_hash)::integer as changed
    from (select key, content_hash from stage_feature where run_id = ${runId}) s
    full join (${publishedKeys(layer)}) m on m.key = s.key`;
}

export interface LastGood {
  readonly rows: number;
  readonly areaM2: number;
}

/** null: never mirrored. */
export async function readLastGood(db: Store['db'], layer: Layer): Promise<LastGood | null> {
  return await firstRow<LastGood>(db)`
    select row_count as rows, area_m2 as "areaM2" from layer_state where layer = ${layer.id}`;
}
