/** Puts the questions about place names together, over what is in memory and in the store. */
import type { Logger } from 'pino';
import type { Clock } from '../../kernel/clock.ts';
import type { Store } from '../../db/connect.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import type { MirrorId } from '../../layers/keys.ts';
import type { PlaceFinder } from './places.ts';
import type { Watcher } from '../../answers/answer.ts';
import type { CoveredLands } from '../../memory/covered-lands.ts';
import type { PlacesInMemory } from './load.ts';
import { createPlaces } from './lookup.ts';
import type { Places } from './lookup.ts';
import { readPlace, readPlacesNear } from './store.ts';

export interface PlaceLookupParts {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly clock: Clock;
  readonly store: Store;
  /** The names in memory; null: texts cannot be looked for. */
  readonly placeMemory: { readonly current: PlacesInMemory | null } | null;
  /** Absent: the country. */
  readonly lands?: CoveredLands;
  /** Told which copy is too old. */
  readonly onExpired: (mirror: MirrorId) => void;
  readonly watcher?: Watcher;
  readonly log?: Pick<Logger, 'error'>;
}

export function composePlaceLookups(parts: PlaceLookupParts): Places {
  const { catalogue, clock, store, placeMemory, lands, onExpired, watcher, log } = parts;
  return createPlaces({
    catalogue,
    clock,
    memory: () => placeMemory?.current ?? null,
    readPlace: (id) => readPlace(store, id),
    readNear: ({ utm32 }, radiusM) => readPlacesNear(store, utm32, radiusM),
    ...(lands && { lands }),
    onExpired,
    onDamagedFile: alarmOnce(log),
    ...(watcher && { watcher }),
  });
}

/** Each file is told of once, however many are refused its geometries. */
function alarmOnce(log: PlaceLookupParts['log']): (held: PlacesInMemory, cause: unknown) => void {
  const alarmed = new WeakSet<PlaceFinder>();
  return ({ finder }, cause) => {
    if (alarmed.has(finder)) return;
    alarmed.add(finder);
    log?.error(
      { component: 'memory' },
      `ALARM: geometries of place names version ${finder.version} cannot be read: ${String(cause)}`,
    );
  };
}
