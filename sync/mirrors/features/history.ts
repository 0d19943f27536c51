import { sql } from 'kysely';
import type { Store } from '../../../src/db/connect.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { Step } from '../../history.ts';
import { publishedRows } from './rows-of.ts';

/** The mirror without new keys and with replaced rows, as if from a source. Uses only the store. */
export async function stageStep(
  db: Store['db'],
  { id, layer }: { readonly id: string; readonly layer: Layer },
  step: Step,
): Promise<void> {
  await sql`
    insert into stage_feature
      (run_id, key, object_id, standing, adopted, content_hash, attributes, geom)
    select ${id}::bigint, m.*
    from (${publishedRows(layer)}) m
    where not exists (
      select from feature_history h
      where h.layer = ${layer.id} and h.version = ${step.version}::bigint and h.key = m.key)
    union all
    select ${id}::bigint, key, object_id, standing, adopted, content_hash, attributes, geom
    from feature_history
    where layer = ${layer.id} and version = ${step.version}::bigint and geom is not null`.execute(
    db,
  );
}
