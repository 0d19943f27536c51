/** Lines and protected areas are stored in `line_feature`, one partition per layer. */
import { sql } from 'kysely';
import type { FeatureRows } from '../features/feature-rows.ts';
import { lineCanary } from './canary.ts';

export const LINE_ROWS: FeatureRows = {
  table: 'line_feature',
  isOf: ({ id }) => sql`m.layer = ${id}`,
  asStaged: sql`m.key, m.object_id, m.standing, m.adopted, m.content_hash, m.attributes, m.geom`,
  columns: sql`layer, key, object_id, standing, adopted, content_hash, attributes, area_m2, geom`,
  values: ({ id, geometry }) => sql`${id}, key, object_id, standing, adopted, content_hash,
    attributes, case when ${geometry} = 'area' then ST_Area(geom) end, geom`,
  areaM2: sql`coalesce(sum(area_m2), 0)`,
  canary: lineCanary,
  isForeseen: false,
  tables: ({ id }) => [
    `line_feature_${id}`,
    `line_zone_${id}`,
    `line_zone_edge_${id}`,
    'feature_history',
  ],
};
