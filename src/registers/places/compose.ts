import type { Logger } from 'pino';
import { registerMeta, withTail } from '../../answers/register-meta.ts';
import type { WithTail } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import type { Composed, RegisterParts } from '../../core/register.ts';
import type { PlacesInMemory } from './load.ts';
import { createPlaces } from './lookup.ts';
import type { Places } from './lookup.ts';
import type { PlaceFinder } from './places.ts';
import { readPlace, readPlacesNear } from './store.ts';

export interface PlaceLookups extends WithTail {
  readonly places: Places;
  readonly coverage: Coverage | null;
}

export function composePlaces(
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
