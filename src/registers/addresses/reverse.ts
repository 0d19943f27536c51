/** The nearest access address in force (D47), from memory, else by one statement for all points. */
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import type { Land } from '../../geo/land.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import { SLACK_M, unansweredOf } from '../../geo/unanswered.ts';
import { ADDRESSES } from '../../layers/keys.ts';
import type { Nearest } from './addresses.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { NearestRead } from './reverse-store.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import { openedIndex } from './copy.ts';
import { readCopy } from '../../core/standing/standing.ts';
import type { AddressAnswer, AddressDeps } from './copy.ts';
import { isTorn, unreadAddress } from './unread.ts';

export interface ReverseAddressDeps extends AddressDeps {
  readonly readNearest: (points: readonly PointUtm32[], radiusM: number) => Promise<NearestRead>;
  readonly lands?: CoveredLands;
}

export interface ReverseAddress {
  /** A Failure (404) where none is within the radius. */
  at(
    points: readonly Point[],
    radiusM: number,
  ):
    | AddressAnswer<readonly (Nearest | Failure)[]>
    | Promise<AddressAnswer<readonly (Nearest | Failure)[]>>;
}

/** `at` throws (503) when no copy may answer. Synchronous from memory. */
export function createReverseAddress(deps: ReverseAddressDeps): ReverseAddress {
  return {
    at: (points, radiusM) => {
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) return pending.then(() => find(deps, points, radiusM));
      return find(deps, points, radiusM);
    },
  };
}

function find(
  deps: ReverseAddressDeps,
  points: readonly Point[],
  radiusM: number,
): ReturnType<ReverseAddress['at']> {
  if (deps.memory() === null) return askStore(deps, points, radiusM);
  const { finder, facts, unanswered } = openedIndex(deps, points.length);
  const { addressIndex } = finder;
  const judge = sureOf(unanswered, radiusM, deps.lands?.of(ADDRESSES) ?? null);
  const value = points.map(({ utm32 }) => judge(utm32, addressIndex.nearest(utm32, radiusM)));
  return { ...facts, value };
}

async function askStore(
  deps: ReverseAddressDeps,
  points: readonly Point[],
  radiusM: number,
): Promise<AddressAnswer<readonly (Nearest | Failure)[]>> {
  const places = points.map(({ utm32 }) => utm32);
  const read = () => deps.readNearest(places, radiusM);
  const found = await readCopy(deps, deps.register, read, points.length);
  const { copy, generation, nearest, provenance } = found;
  const judge = sureOf(copy?.unanswered, radiusM, deps.lands?.of(ADDRESSES) ?? null);
  const value = places.map((place, n) => judge(place, nearest[n] ?? null));
  return { generation, provenance: [provenance], isPartial: copy?.lacksJoined === true, value };
}

type Judge = (point: PointUtm32, nearest: Nearest | null) => Nearest | Failure;

/** Unavailable where the address, or one that may be as near, has an unreadable row (D143). */
function sureOf(
  unanswered: PublishedCopy['unanswered'],
  radiusM: number,
  land: Land | null,
): Judge {
  const judge = nearestWithin(land, radiusM);
  if ((unanswered ?? null) === null) return judge;
  const places = unansweredOf(unanswered) ?? [];
  const torn = unreadAddress();
  return (point, nearest) => {
    const reachM = (nearest?.distanceM ?? radiusM) + SLACK_M;
    const isDisplaced = places.some((each) => each.distanceM(point, reachM) <= reachM);
    if (isDisplaced || (nearest !== null && isTorn(unanswered, nearest.address))) return torn;
    return judge(point, nearest);
  };
}

/**
 * Unavailable where an address outside the copy's coverage may be nearer, or exist at all (D142).
 * `land` null: the country.
 */
export function nearestWithin(land: Land | null, radiusM: number): Judge {
  let none: Failure | null = null;
  if (land === null) return (_point, nearest) => nearest ?? (none ??= noneWithin(radiusM));
  let outside: Failure | null = null;
  return (point, nearest) => {
    const reachM = nearest?.distanceM ?? radiusM;
    if (land.distanceM(point, reachM) <= reachM) return (outside ??= noneCovered(land));
    return nearest ?? (none ??= noneWithin(radiusM));
  };
}

function noneCovered({ name }: Land): Failure {
  return new Failure('not_found', {
    ...rowError('noneCovered', { name }),
    code: 'outside_coverage',
  });
}

export function noneWithin(radiusM: number): Failure {
  return new Failure('not_found', rowError('noneWithin', { radius: radiusM }));
}
