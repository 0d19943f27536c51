import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composeTerrain } from './compose.ts';
import type { TerrainLookups } from './compose.ts';
import { TERRAIN_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { TERRAIN_QUESTIONS } from './questions.ts';
import { askWcsOnce } from './dry-run.ts';
import { TERRAIN_SETTINGS } from './settings.ts';

export const terrain: Register<TerrainLookups> = {
  name: 'terrain',
  joins: [],
  mirrors: [],
  document: {
    tags: [{ name: 'dhm', description: 'Heights of the terrain' }],
    schemas: TERRAIN_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: TERRAIN_QUESTIONS,
  liveSettings: TERRAIN_SETTINGS,
  compose: composeTerrain,
  dryRun: askWcsOnce,
};
