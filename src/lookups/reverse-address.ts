/**
 * The nearest access address in force (D47). From the book in memory, a batch in the request thread:
 * so many points cost less than handing them to another. Without a book the store is asked, all
 * points in one statement.
 */
import { Failure } from '../kernel/failures.ts';
import type { Point, PointUtm32 } from '../geo/point.ts';
import type { Nearest } from '../layers/addresses.ts';
import { noAddresses, openedBook, standingOf } from './address-copy.ts';
import type { AddressAnswer, AddressDeps } from './address-copy.ts';
import type { Copy } from './ladder.ts';

/** What the store found; `nearest` in the order of the points. */
export interface NearestRead {
  readonly generation: number;
  /** null: addresses were never mirrored. */
  readonly copy: Copy | null;
  readonly nearest: readonly (Nearest | null)[];
}

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
      const { finder, generation, provenance } = openedBook(deps);
      const { book } = finder;
      const none = noneWithin(radiusM);
      const value = points.map(({ utm32 }) => book.nearest(utm32, radiusM) ?? none);
      return { generation, provenance: [provenance], value };
    },
  };
}

async function askStore(
  { clock, freshness, readNearest, onExpired }: ReverseAddressDeps,
  points: readonly Point[],
  radiusM: number,
): Promise<AddressAnswer<readonly (Nearest | Failure)[]>> {
  const places = points.map(({ utm32 }) => utm32);
  const { copy, generation, nearest } = await readNearest(places, radiusM).catch(
    (cause: unknown) => {
      throw noAddresses(cause);
    },
  );
  const provenance = standingOf(copy, freshness, { nowMs: clock.nowMs(), by: 'store' });
  if (provenance instanceof Failure) throw provenance;
  if (provenance.rung === 'stale') onExpired?.();
  const none = noneWithin(radiusM);
  const value = points.map((_, n) => nearest[n] ?? none);
  return { generation, provenance: [provenance], value };
}

/** One for all points of a batch: it says the same of each. */
function noneWithin(radiusM: number): Failure {
  return new Failure('not_found', {
    error: `No access address lies within ${radiusM} m of the point.`,
    errorDa: `Ingen adgangsadresse ligger inden for ${radiusM} m af punktet.`,
  });
}
