import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { composePlaces } from './compose.ts';
import type { PlaceLookups } from './compose.ts';
import { PLACE_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { PLACE_QUESTIONS } from './questions.ts';
import { createPlaceLoader } from './load.ts';
import type { PlaceLoader } from './load.ts';
import { PLACE_REGISTER } from './mirror.ts';

export const places: Register<PlaceLookups, PlaceLoader> = {
  name: 'places',
  joins: [],
  mirrors: [PLACE_REGISTER],
  document: {
    tags: [{ name: 'stednavne', description: 'Place names (Danske Stednavne)' }],
    schemas: PLACE_SCHEMAS,
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: PLACE_QUESTIONS,
  openMemory: createPlaceLoader,
  compose: composePlaces,
};
