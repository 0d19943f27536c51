import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Layer } from '../../../src/layers/catalogue.ts';
import { AREA_ROWS } from '../areas/rows.ts';
import { CONDITION_ROWS } from '../conditions/rows.ts';
import { LINE_ROWS } from '../lines/rows.ts';
import type { FeatureRows } from './feature-rows.ts';

const ROWS: Readonly<Record<Layer['register'], FeatureRows>> = {
  'building-lines': LINE_ROWS,
  dagi: AREA_ROWS,
  forhold: CONDITION_ROWS,
};

export function rowsOf({ register }: Pick<Layer, 'register'>): FeatureRows {
  return ROWS[register];
}

export function publishedRows(layer: Pick<Layer, 'id' | 'register'>): RawBuilder<unknown> {
  const { table, asStaged, isOf } = rowsOf(layer);
  return sql`select ${asStaged} from ${sql.table(table)} m where ${isOf(layer)}`;
}

export function publishedKeys(layer: Pick<Layer, 'id' | 'register'>): RawBuilder<unknown> {
  const { table, isOf } = rowsOf(layer);
  return sql`select key, content_hash from ${sql.table(table)} m where ${isOf(layer)}`;
}
