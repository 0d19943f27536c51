/**
 * Conditions at points and in areas (D209 to D212, D219), each layer by itself; without a
 * measurement it is unavailable.
 */
import type { Place } from '../../core/land/drawn-area.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import { joinedCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import { grown } from '../../geo/bounds.ts';
import type { Land } from '../../geo/land.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { meetsUnread, unansweredOf, worthOf } from '../../geo/unanswered.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { isoDay } from '../../layers/mappings/condition.ts';
import type { Described } from './described.ts';
import { readRungs } from './rungs.ts';
import type { RungDeps } from './rungs.ts';
import type { Found, PlacesQuestion, PlacesRead, Zoning } from './store.ts';

export interface ConditionsDeps extends CopyDeps, RungDeps {
  /** D23. */
  readonly searchRadiusM: number;
  readonly lands: CoveredLands;
}

/** `absent`: nothing is there, and the layer says what that means. */
export type ConditionAnswer =
  | {
      readonly status: 'unavailable';
      readonly of: Described;
      /** The place or its surroundings lie outside the copy's coverage (D142). */
      readonly isOutside?: boolean;
    }
  | {
      readonly status: 'ok' | 'not-mapped';
      readonly of: Described;
      readonly found: Found;
      readonly provenance: Provenance;
    };

export type PlacesAnswer = Awaited<ReturnType<typeof answerPlaces>>;

export const MOST_OBJECTS = 20;

const NOTHING: Found = {
  ...{ nearestM: null, count: 0, within: 0, objects: [] },
  ...{ sharedM2: 0, sharedM: 0 },
};

export function pointPlace({ xUtm32: x, yUtm32: y }: PointUtm32): Place {
  const wkb = Buffer.alloc(21);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(1, 1);
  wkb.writeDoubleLE(x, 5);
  wkb.writeDoubleLE(y, 13);
  return { wkb, bounds: [x, y, x, y], isPoint: true };
}

/** If the store does not answer, every layer is unavailable. */
export async function answerPlaces(
  deps: ConditionsDeps,
  layers: readonly Described[],
  places: readonly Place[],
  onStoreFailed: (error: unknown) => void,
) {
  const nowMs = deps.clock.nowMs();
  await deps.lands.refresh();
  const question: PlacesQuestion = {
    wkbs: places.map(({ wkb }) => wkb),
    layers: layers.map(({ layer }) => layer.id),
    radiusM: deps.searchRadiusM,
    today: isoDay(nowMs),
    mostObjects: MOST_OBJECTS,
    onLineM: LIMITS.onLineToleranceM,
    parcels: places[0]?.parcels ?? [],
  };
  const read = await readRungs(deps, question, onStoreFailed);
  const judge = layers.map((of) => judgeOf(deps, of, { read, nowMs }));
  const answers = places.map((place, n) => judge.map((at) => at(place, n)));
  for (const answer of answers.flat()) {
    if (answer.status !== 'unavailable') {
      deps.watcher?.answered(answer.of.layer.id, answer.provenance.rung);
    } else if (answer.isOutside !== true) {
      deps.watcher?.answered(answer.of.layer.id, 'unavailable');
    }
  }
  return {
    generation: read?.generation ?? null,
    places: answers,
    faults: read?.faults ?? [],
    areasM2: read?.areasM2 ?? [],
  };
}

interface Moment {
  readonly read: PlacesRead | null;
  readonly nowMs: number;
}

function judgeOf(deps: ConditionsDeps, of: Described, { read, nowMs }: Moment) {
  const { layer } = of;
  const copy = read?.copies.get(layer.id) ?? null;
  const by = read?.rung ?? 'store';
  const provenance = copy === null ? null : joinedCopy(deps, layer, { copy, nowMs, by });
  const land = deps.lands.of(layer.id);
  const absence = layer.register === 'forhold' ? layer.condition.absence : 'outside';
  return (place: Place, n: number): ConditionAnswer => {
    const found = read?.found[n]?.get(layer.id) ?? NOTHING;
    const isSilent = read === null || layer.off === true;
    if (isSilent || copy === null || provenance === null) return { status: 'unavailable', of };
    const at = { land, place, found, radiusM: deps.searchRadiusM };
    const isKnown =
      isWhole(copy, at) && (absence !== 'rural-zone' || isZoned(place, found, read.zoning[n]));
    if (!isKnown) {
      return { status: 'unavailable', of, isOutside: isWhole(copy, { ...at, land: null }) };
    }
    const isSilence = absence === 'not-mapped' && found.within === 0;
    return { status: isSilence ? 'not-mapped' : 'ok', of, found, provenance };
  };
}

/** For an area, ground outside any zone is reported by its share (D245). */
function isZoned(place: Place, { within }: Found, zoning: Zoning | undefined): boolean {
  return within > 0 ? place.isPoint || zoning !== 'missing' : zoning === 'whole';
}

interface At {
  readonly land: Land | null;
  readonly place: Place;
  readonly found: Found;
  readonly radiusM: number;
}

/** The copy is complete near the place (D142, D143). */
function isWhole(copy: PublishedCopy, { land, place, found, radiusM }: At): boolean {
  const [west, south, east, north] = place.bounds;
  const centre = { xUtm32: (west + east) / 2, yUtm32: (south + north) / 2 };
  const halfM = Math.hypot(east - west, north - south) / 2;
  const reachM = Math.min(found.nearestM ?? radiusM, radiusM);
  if (!place.isPoint) {
    const isCovered = land === null || land.distanceM(centre, halfM + reachM) === Infinity;
    return isCovered && !meetsUnread(copy.unanswered, grown(place.bounds, reachM));
  }
  const measured = { within: found.within > 0, distanceM: found.nearestM };
  const places = [...(unansweredOf(copy.unanswered) ?? []), ...(land === null ? [] : [land])];
  return worthOf(places, centre, { measured, radiusM }) !== 'nothing';
}
