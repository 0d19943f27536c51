import { Type } from 'typebox';
import { LIMITS } from '../../kernel/limits.ts';
import { COVERAGE } from '../../layers/read-coverage.ts';
import { WFS_SOURCE, partialOf } from '../../layers/source-shapes.ts';
import type { LiveSettings } from '../../core/live-settings.ts';
import { TERRAIN } from '../../layers/keys.ts';

const WCS = partialOf({
  url: WFS_SOURCE.url,
  coverages: partialOf({
    terraen: Type.String({ minLength: 1 }),
    overflade: Type.String({ minLength: 1 }),
  }),
  format: Type.String({ minLength: 1 }),
  grid: partialOf({
    x: Type.Number(),
    y: Type.Number(),
    cellX: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
    cellY: Type.Number({ minimum: LIMITS.terrain.cellM.min, maximum: LIMITS.terrain.cellM.max }),
  }),
  noData: Type.Array(Type.Number(), { maxItems: LIMITS.terrain.marks }),
  pointTimeoutMs: WFS_SOURCE.pointTimeoutMs,
  tries: WFS_SOURCE.tries,
  apiKeyParameter: WFS_SOURCE.apiKeyParameter,
  coverage: COVERAGE,
});

export const TERRAIN_SETTINGS: LiveSettings = { key: TERRAIN, schema: WCS };
