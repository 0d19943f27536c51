import type { Logger } from 'pino';
import { registerMeta } from '../../answers/register-meta.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import type { RegisterParts, ServedRegister } from '../../core/register.ts';
import { PLACES_DOCUMENT } from './document.ts';
import type { PlacesInMemory } from './load.ts';
import { createPlaces } from './lookup.ts';
import type { Places } from './lookup.ts';
import type { PlaceFinder } from './places.ts';
import { placeRoutes } from './routes.ts';
import { readPlace, readPlacesNear } from './store.ts';

export interface PlaceLookups {
  readonly places: Places;
}

export function composePlaces(
  parts: RegisterParts,
  memory: { readonly current: PlacesInMemory | null } | null,
): ServedRegister<PlaceLookups> {
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
    name: 'places',
    lookups: { places },
    document: PLACES_DOCUMENT,
    routes: (app) => placeRoutes(app, { places, meta, coverage }),
    hosts: [],
    stop: () => Promise.resolve(),
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
