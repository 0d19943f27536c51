/**
 * After a version without the features that could not be read: every answer, inside them, on them and around,
 * is the source's own, or there is none (D143).
 */
import { Failure } from '../../src/kernel/failures.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import type { LineKey, Theme } from '../../src/layers/keys.ts';
import { isLineKey, isTheme } from '../../src/layers/keys.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import type { LineAnswer, ReverseAreasAnswer } from '../../src/answers/answer.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { valueText } from '../../sample/data/feature.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { envelopeOf, linesOf, placeOf } from '../../sample/data/geometry.ts';
import type { Place } from '../../sample/data/geometry.ts';
import { codesAt, covers, edgeDistance, standingOf } from '../support/sample-truth.ts';
import type { Finding, SyncCase } from './cases.ts';
import { servedFeatures } from './served.ts';
import { RADIUS_M, lookupsOf } from './world.ts';
import type { SyncLane, World } from './world.ts';

/** Broken features that are asked about, and the points that are asked of others. */
const ASKED = { features: 12, others: 60 };
/** How far around a broken feature is asked, metres. */
const AROUND_M = [1, 60, 300, 499, 501];
const { signal } = new AbortController();

export async function judgeBroken(
  world: World,
  lane: SyncLane,
  given: SyncCase,
): Promise<Finding[]> {
  const { layer, rules } = given;
  const sound = lane.upstream.holdings.features(layer);
  const served = servedFeatures({ holdings: lane.upstream.holdings, layer, rules });
  const spoiled = sound.filter(
    (feature, n) =>
      JSON.stringify(served[n]) !== JSON.stringify(feature) && feature.geometry !== null,
  );
  const known = world.points.slice(0, ASKED.others).map(({ point: { utm32 } }) => ({
    x: utm32.xUtm32,
    y: utm32.yUtm32,
  }));
  const places = [...spoiled.slice(0, ASKED.features).flatMap(placesOf), ...known];
  const { buildingLines, reverseAreas, areas } = lookupsOf(lane, lane.catalogue, {
    store: lane.store,
    workers: world.workers,
    laterMs: 0,
  });
  const points = places.map(({ x, y }) => pointFromUtm32({ xUtm32: x, yUtm32: y }));
  if (isLineKey(layer)) {
    const { value } = await buildingLines.at(points, [layer], { signal });
    return value.flatMap(({ lines: [line] }, n) =>
      lineFindings(sound, { layer, line, at: places[n] }),
    );
  }
  if (!isTheme(layer)) return [];
  const { value } = await reverseAreas.at(points, { signal });
  const byPoint = value.flatMap((answer, n) =>
    answer instanceof Failure ? [] : areaFindings(sound, { layer, answer, at: places[n] }),
  );
  const codes = [...new Set(spoiled.slice(0, ASKED.features).map((one) => codeOf(one, layer)))];
  const byCode = codes.length === 0 ? [] : (await areas.find(layer, codes, { signal })).value;
  const unknown = byCode.filter(
    (answer) => answer instanceof Failure && answer.type === 'not_found',
  );
  return [...byPoint, ...unknown.map(() => wrong(`a ${layer} that was not read is told unknown`))];
}

function placesOf({ geometry }: SampleFeature): Place[] {
  if (geometry === null) return [];
  const line = linesOf(geometry)[0] ?? [];
  const on = line.slice(0, 3).map(placeOf);
  const { minX, minY, maxX, maxY } = envelopeOf(geometry);
  const middle = { x: (minX + maxX) / 2, y: (minY + maxY) / 2 };
  const around = AROUND_M.flatMap((m) => [
    { x: maxX + m, y: middle.y },
    { x: minX - m, y: middle.y },
    { x: middle.x, y: maxY + m },
    { x: minX - 0.7 * m, y: minY - 0.7 * m },
  ]);
  const within = on.map(({ x, y }) => ({ x: x + (middle.x - x) / 50, y: y + (middle.y - y) / 50 }));
  return [...on, middle, ...within, ...around];
}

function wrong(detail: string): Finding {
  return { kind: 'false', detail };
}

interface LineSaid {
  readonly layer: LineKey;
  readonly line: LineAnswer | undefined;
  readonly at: Place | undefined;
}

function lineFindings(sound: readonly SampleFeature[], { layer, line, at }: LineSaid): Finding[] {
  if (line === undefined || at === undefined) return [{ kind: 'empty', detail: 'no answer' }];
  if (line.status === 'unavailable') return [];
  const isLine = LINE_LAYERS[layer].geometry === 'line';
  const inForce = sound.filter(
    (feature) => feature.geometry !== null && standingOf(feature) === 'in_force',
  );
  const away = inForce.map((feature) =>
    !isLine && covers(feature, at) ? 0 : edgeDistance(feature, at),
  );
  const least = Math.min(Infinity, ...away);
  const within = least <= (isLine ? LIMITS.onLineToleranceM : 0);
  // Inside, the zone's own edge is for the judges of zones: here a no, and how far a yes is.
  const distanceM = least > RADIUS_M ? null : least;
  const isTrue = line.within === within && (within || isNear(line.distanceM, distanceM));
  if (isTrue) return [];
  const what = `${layer} at ${JSON.stringify(at)}: ${line.within}, ${line.distanceM}`;
  return [wrong(`${what}; the source's own is ${within}, ${distanceM}`)];
}

/** The sample's own rounding, and the edge of the radius. */
function isNear(a: number | null, b: number | null): boolean {
  if (a === null || b === null) return a === b || Math.abs((a ?? b ?? 0) - RADIUS_M) < 0.01;
  return Math.abs(a - b) < 0.01;
}

interface AreasSaid {
  readonly layer: Theme;
  readonly answer: ReverseAreasAnswer;
  readonly at: Place | undefined;
}

function areaFindings(
  sound: readonly SampleFeature[],
  { layer, answer, at }: AreasSaid,
): Finding[] {
  if (at === undefined) return [];
  const codes = answer.areas.filter(({ theme }) => theme === layer).map(({ code }) => code);
  const truth = codesAt(sound, layer, at);
  if (codes.sort().join() === truth.join()) return [];
  return [
    wrong(
      `${layer} at ${JSON.stringify(at)}: ${codes.join()}; the source's own is ${truth.join()}`,
    ),
  ];
}

function codeOf({ properties }: SampleFeature, layer: Theme): string {
  return String(valueText(properties[CODE_COLUMNS[layer]])).padStart(4, '0');
}
