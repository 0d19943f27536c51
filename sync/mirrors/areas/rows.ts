/** Areas are stored in `area`, by key, without standing. */
import { sql } from 'kysely';
import type { FeatureRows } from '../features/feature-rows.ts';
import { themeCanary } from './canary.ts';

export const AREA_ROWS: FeatureRows = {
  table: 'area',
  isOf: ({ id }) => sql`m.theme = ${id}`,
  asStaged: sql`m.key, m.key as object_id, 'in_force' as standing, true as adopted,
    m.content_hash, m.attributes, m.geom`,
  columns: sql`theme, key, code, name, content_hash, attributes, geom`,
  values: ({ id }) => sql`${id}, key, attributes->>'code', attributes->>'name', content_hash,
    attributes, geom`,
  areaM2: sql`coalesce(sum(ST_Area(geom)), 0)`,
  canary: themeCanary,
  isForeseen: true,
  tables: () => ['area', 'area_piece', 'feature_history'],
};
