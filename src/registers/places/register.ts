import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import type { PlaceLookups } from './lookup.ts';
import { PLACE_SCHEMAS, PLACE_QUESTIONS } from './questions.ts';
import { createPlaceLoader } from './load.ts';
import type { PlaceLoader, PlacesInMemory } from './load.ts';
import { PLACE_REGISTER } from './mirror.ts';
import type { Logger } from 'pino';
import { registerMeta, withTail } from '../../answers/register-meta.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { createPlaces } from './lookup.ts';
import { composeNameTiles } from './name-tiles.ts';
import type { PlaceFinder } from './places.ts';
import { readPlace, readPlacesNear } from './store.ts';

export const places: Register<PlaceLookups, PlaceLoader> = {
  name: 'places',
  joins: [],
  mirrors: [PLACE_REGISTER],
  document: {
    tags: [{ name: 'stednavne', description: 'Place names (Danske Stednavne)' }],
    schemas: PLACE_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: PLACE_QUESTIONS,
  openMemory: createPlaceLoader,
  compose: composePlaces,
};

function composePlaces(
  parts: RegisterParts,
  memory: { readonly current: PlacesInMemory | null } | null,
): Composed<PlaceLookups> {
  const { catalogue, clock, store, lands, onExpired, watcher, log } = parts;
  const places = createPlaces({
    ...{ catalogue, clock, lands, onExpired, watcher },
    memory: () => memory?.current ?? null,
    readPlace: (id) => readPlace(store, id),
    readNear: ({ utm32 }, radiusM) => readPlacesNear(store, utm32, radiusM),
    onDamagedFile: alarmOnce(log),
  });
  const { coverage = null } = catalogue.registers[PLACE_NAMES];
  const meta = registerMeta(sourceNameOf('Danske Stednavne', parts), coverage);
  return {
    lookups: { places, coverage, ...withTail(meta) },
    tiles: [composeNameTiles(parts)],
  };
}

/** Logs each file once, however often its geometries cannot be read. */
function alarmOnce(log: Pick<Logger, 'error'>): (held: PlacesInMemory, cause: unknown) => void {
  const alarmed = new WeakSet<PlaceFinder>();
  return ({ finder }, cause) => {
    if (alarmed.has(finder)) return;
    alarmed.add(finder);
    log.error(
      { component: 'memory' },
      `ALARM: geometries of place names version ${finder.version} cannot be read: ${String(cause)}`,
    );
  };
}
