import type { Register } from '../../core/register.ts';
import { composeTerrain } from './compose.ts';
import type { TerrainLookups } from './compose.ts';
import { TERRAIN_DOCUMENT } from './document.ts';
import { TERRAIN_QUESTIONS } from './questions.ts';
import { askWcsOnce } from './dry-run.ts';
import { TERRAIN_SETTINGS } from './settings.ts';

export const terrain: Register<TerrainLookups> = {
  name: 'terrain',
  joins: [],
  mirrors: [],
  document: TERRAIN_DOCUMENT,
  questions: TERRAIN_QUESTIONS,
  liveSettings: TERRAIN_SETTINGS,
  compose: composeTerrain,
  dryRun: askWcsOnce,
};
