/** All layers in the one table `condition_feature`. */
import { sql } from 'kysely';
import type { FeatureRows } from '../features/feature-rows.ts';
import { featureCanary } from '../lines/rows.ts';

export const CONDITION_ROWS: FeatureRows = {
  table: 'condition_feature',
  isOf: ({ id }) => sql`m.layer = ${id}`,
  asStaged: sql`m.key, m.object_id, m.standing, m.adopted, m.content_hash, m.attributes, m.geom`,
  columns: sql`layer, key, object_id, standing, adopted, content_hash, attributes, area_m2,
    valid_from, valid_to, geom`,
  values: ({ id }) => sql`${id}, key, object_id, standing, adopted, content_hash, attributes,
    ST_Area(geom), (attributes->>'validFrom')::date, (attributes->>'validTo')::date, geom`,
  areaM2: sql`coalesce(sum(area_m2), 0)`,
  canary: (runId, layer) => featureCanary('condition_feature', runId, layer),
  isForeseen: false,
  tables: () => ['condition_feature', 'condition_piece', 'feature_history'],
};
