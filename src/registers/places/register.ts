import type { Register } from '../../core/register.ts';
import { composePlaces } from './compose.ts';
import type { PlaceLookups } from './compose.ts';
import { PLACES_DOCUMENT } from './document.ts';
import { PLACE_QUESTIONS } from './questions.ts';
import { createPlaceLoader } from './load.ts';
import type { PlaceLoader } from './load.ts';
import { PLACE_REGISTER } from './mirror.ts';

export const places: Register<PlaceLookups, PlaceLoader> = {
  name: 'places',
  joins: [],
  mirrors: [PLACE_REGISTER],
  document: PLACES_DOCUMENT,
  questions: PLACE_QUESTIONS,
  openMemory: createPlaceLoader,
  compose: composePlaces,
};
