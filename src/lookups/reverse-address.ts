/**
 * The nearest access address in force (D47). From the index in memory, a batch in the request thread:
 * so many points cost less than handing them to another. Without an index the store is asked, all
 * points in one statement.
 */
import { Failure } from '../kernel/failures.ts';
import type { Point, PointUtm32 } from '../geo/point.ts';
import { ADDRESSES } from '../layers/keys.ts';
import type { Nearest } from '../layers/addresses.ts';
import type { NearestRead } from '../registers/addresses/reverse-store.ts';
import { noAddresses, openedIndex, reportProvenance } from '../memory/address-copy.ts';
import type { AddressAnswer, AddressDeps } from '../memory/address-copy.ts';

export interface ReverseAddressDeps extends AddressDeps {
  /** Throws when the store does not answer. */
  readonly readNearest: (points: readonly PointUtm32[], radiusM: number) => Promise<NearestRead>;
}

export interface ReverseAddress {
  /** Points in their order; a Failure (404) where no address lies within the radius. */
  at(
    points: readonly Point[],
    radiusM: number,
  ):
    | AddressAnswer<readonly (Nearest | Failure)[]>
    | Promise<AddressAnswer<readonly (Nearest | Failure)[]>>;
}

/** `at` throws the Failure (503) when no copy may answer. From memory it answers at once. */
export function createReverseAddress(deps: ReverseAddressDeps): ReverseAddress {
  return {
    at: (points, radiusM) => {
      if (deps.memory() === null) return askStore(deps, points, radiusM);
      const { finder, generation, provenance } = openedIndex(deps, points.length);
      const { addressIndex } = finder;
      let none: Failure | null = null;
      const value = points.map(
        ({ utm32 }) => addressIndex.nearest(utm32, radiusM) ?? (none ??= noneWithin(radiusM)),
      );
      return { generation, provenance: [provenance], value };
    },
  };
}

async function askStore(
  deps: ReverseAddressDeps,
  points: readonly Point[],
  radiusM: number,
): Promise<AddressAnswer<readonly (Nearest | Failure)[]>> {
  const places = points.map(({ utm32 }) => utm32);
  const { copy, generation, nearest } = await deps
    .readNearest(places, radiusM)
    .catch((cause: unknown) => {
      deps.watcher?.answered(ADDRESSES, 'unavailable', points.length);
      throw noAddresses(cause);
    });
  const provenance = reportProvenance(deps, copy, { by: 'store', times: points.length });
  const none = noneWithin(radiusM);
  const value = points.map((_, n) => nearest[n] ?? none);
  return { generation, provenance: [provenance], value };
}

/** One for all points of a batch: it says the same of each. */
export function noneWithin(radiusM: number): Failure {
  return new Failure('not_found', {
    error: `No access address lies within ${radiusM} m of the point.`,
    errorDa: `Ingen adgangsadresse ligger inden for ${radiusM} m af punktet.`,
  });
}
