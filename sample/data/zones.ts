/** The portal's area layers, scattered over the island: lakes, forests, churches, nature, streams'
 * banks. Overlaps, holes, repeals and unadopted registrations come in the shares given here. */
import type { SampleFeature, SampleProperties } from './feature.ts';
import type { Position, Ring, SampleGeometry } from './geometry.ts';
import { at, multiPolygon, placeOf, position, roundRing } from './geometry.ts';
import type { Code } from './portal.ts';
import { coded, REPEAL_REASONS } from './portal.ts';
import type { Random } from './random.ts';
import { band, drawBlob, scatterPlace } from './scatter.ts';
import type { PortalLayer } from './schemas.ts';
import type { Stream } from './streams.ts';
import { drawn } from './variety.ts';
import type { Drawn } from './variety.ts';

const COUNTS = { soe: 60, skov: 90, kirke: 16, natur: 430 } as const;

/** The features of each layer here, by its key. */
export function portalZones(streams: readonly Stream[]) {
  return {
    soe: lakeZones(),
    aa: streamZones(streams),
    skov: forestZones(),
    kirke: churchZones(),
    natur: natureAreas(),
  } satisfies Partial<Record<PortalLayer, SampleFeature[]>>;
}

/** Lake zones: 150 m out from the shore, half of them with the lake left out as a hole. */
function lakeZones(): SampleFeature[] {
  return many('soe', COUNTS.soe, (random) => {
    const radiusM = random.between(60, 150);
    const place = scatterPlace(random, 1.35 * radiusM + 150);
    const lake = drawBlob(random, place, { radiusM, vertices: 40 });
    const rings = [lake.widened(150), ...(random.chance(0.5) ? [lake.hole(1)] : [])];
    return { geometry: multiPolygon(rings), own: repealValues('soe', random) };
  });
}

/** Stream zones: 150 m to both sides, in stretches that meet in a shared cross-section. */
function streamZones(streams: readonly Stream[]): SampleFeature[] {
  return streams.flatMap((stream, s) =>
    bankStretches(stream).map((geometry, i) =>
      drawn('aa', `${s}/${i}`, (random) => ({ own: repealValues('aa', random), geometry })),
    ),
  );
}

/** Forest zones: large, many overlapping, some round the forest they keep free. */
function forestZones(): SampleFeature[] {
  return many('skov', COUNTS.skov, (random) => {
    const radiusM = random.between(80, 230);
    const place = scatterPlace(random, 1.35 * radiusM);
    const forest = drawBlob(random, place, { radiusM, vertices: 56 });
    const rings = [forest.shell, ...(random.chance(0.3) ? [forest.hole(0.5)] : [])];
    return { geometry: multiPolygon(rings), own: forestValues(random) };
  });
}

const IN_FORCE: Code = [1, 'Gældende'];
const REPEALED: Code = [2, 'Ophævet'];

/** Attributes of a forest zone; repealed means Skovs_kode 2 whatever Statuskode says. */
export function forestValues(random: Random, repealed = random.chance(0.08)): SampleProperties {
  const validity = repealed ? REPEALED : IN_FORCE;
  const owner = random.pick<Code>([
    [0, 'Ikke udfyldt'],
    [1, 'Privat'],
    [2, 'Offentlig'],
  ]);
  const reason: Code = repealed ? [1, 'Bymæssig bebyggelse før 1968'] : REPEAL_REASONS.none;
  return {
    ...coded('skov', ['Skovs_kode', 'Skovs_navn'], validity),
    ...coded('skov', ['Skov_eje_k', 'Skov_eje'], owner),
    ...coded('skov', ['Op_aars_k', 'Op_aarsag'], reason),
  };
}

/** Church zones: circles of 300 m. */
function churchZones(): SampleFeature[] {
  return many('kirke', COUNTS.kirke, (random) => {
    const place = scatterPlace(random, 300);
    return { geometry: multiPolygon([roundRing(place, 64, () => 300)]) };
  });
}

/** By their codes. */
export const NATURE_TYPES: readonly Code[] = [
  [0, 'Ukendt'],
  [1, 'Eng'],
  [2, 'Hede'],
  [3, 'Mose'],
  [4, 'Overdrev'],
  [5, 'Strandeng'],
  [6, 'Sø'],
];

/** Protected nature: small, in mosaics, lakes lying in bogs, a few in several parts. */
function natureAreas(): SampleFeature[] {
  return many('natur', COUNTS.natur, (random) => {
    const radiusM = random.between(12, 110);
    const place = scatterPlace(random, 1.35 * radiusM + 300);
    const blob = drawBlob(random, place, { radiusM, vertices: 28 });
    const parts: Ring[][] = [[blob.shell, ...(random.chance(0.15) ? [blob.hole(0.4)] : [])]];
    if (random.chance(0.06)) {
      const aside = { x: place.x + 3 * radiusM, y: place.y };
      parts.push([drawBlob(random, aside, { radiusM: 0.5 * radiusM, vertices: 16 }).shell]);
    }
    return {
      geometry: multiPolygon(...parts),
      own: natureValues(random, random.pick(NATURE_TYPES)),
    };
  });
}

export function natureValues(random: Random, type: Code): SampleProperties {
  const year = random.chance(0.3) ? -1 : random.integer(1990, 2023);
  return {
    ...coded('natur', ['Natyp_kode', 'Natyp_navn'], type),
    Gl_sys_ref: random.chance(0.2) ? `opdigtet-${random.integer(1, 999)}` : null,
    Besig_dato: year < 0 ? '1800/01/01 04:00:00.000' : `${year}/08/17 14:00:00.000`,
    Besig_aar: year,
    Journalnr: random.chance(0.5) ? `01.05.08-K08-${random.integer(1, 99)}-15` : null,
    Vedligehold_status: random.pick(['Ok - gennemgået', 'Ny natur', null]),
    Vedligehold_tid: random.chance(0.5) ? '2021/05/16 20:12:11.283' : null,
  };
}

function many(layer: PortalLayer, count: number, draw: (random: Random) => Drawn): SampleFeature[] {
  return Array.from({ length: count }, (_, i) => drawn(layer, String(i), draw));
}

function repealValues(layer: 'soe' | 'aa', random: Random): SampleProperties {
  const reason = random.chance(0.05) ? REPEAL_REASONS.town : REPEAL_REASONS.none;
  return coded(layer, ['Op_aars_k', 'Op_aarsag'], reason);
}

const BANK_M = 150;
const STRETCH = 6;

function bankStretches(stream: Stream): SampleGeometry[] {
  const left = offsetLine(stream.line, BANK_M);
  const right = offsetLine(stream.line, -BANK_M);
  const stretches: SampleGeometry[] = [];
  for (let from = 0; from + 1 < stream.line.length; from += STRETCH) {
    const to = Math.min(from + STRETCH, stream.line.length - 1);
    stretches.push(multiPolygon([band(left.slice(from, to + 1), right.slice(from, to + 1))]));
  }
  return stretches;
}

/** Each vertex moved square to the line's course there; positive is to the left. */
function offsetLine(line: Ring, byM: number): Position[] {
  return line.map((pos, i) => {
    const before = placeOf(at(line, Math.max(0, i - 1)));
    const after = placeOf(at(line, Math.min(line.length - 1, i + 1)));
    const length = Math.hypot(after.x - before.x, after.y - before.y);
    const { x, y } = placeOf(pos);
    return position({
      x: x - ((after.y - before.y) / length) * byM,
      y: y + ((after.x - before.x) / length) * byM,
    });
  });
}
