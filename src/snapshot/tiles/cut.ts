/**
 * Mapbox Vector Tile 2 (ADR 0007), thinned here, clipped and rounded by geojson-vt, encoded by
 * vt-pbf.
 */
import { remember } from '../../kernel/remember.ts';
import { geoJSONToTile } from '@maplibre/geojson-vt';
import { boundsAround, boundsInDegrees } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { boxesMeet } from '../../geo/box.ts';
import type { Box } from '../../geo/box.ts';
import { tileBoxUtm32, toUnitSquareAll, unitMetres } from '../../geo/web-mercator.ts';
import type { TilePlace } from '../../geo/web-mercator.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { labelPoint } from '../../geo/label-point.ts';
import { isConditionId } from '../../layers/conditions/index.ts';
import { isLineKey, namesLayer } from '../../layers/keys.ts';
import { encodeTile } from './encode.ts';
import { FeatureBoxes } from './feature-boxes.ts';
import { placedPoints } from './points.ts';
import { Shapes } from './shapes.ts';
import type { Outlines, Shape } from './shapes.ts';
import { UNREAD_TAGS } from './tags.ts';
import type { Tags } from './tags.ts';

const { extent, bufferUnits, featuresPerTile, verticesPerTile, zoom } = LIMITS.kort;
const AROUND = bufferUnits / extent;
/** Closer vertices are dropped: half the maximum rounding. */
const STEP_UNITS = 0.5;

/** Positions are already projected, and no vertex may be dropped. */
const CUTTING = {
  coordinates: 'unitSquare',
  clip: true,
  tolerance: 0,
  maxZoom: zoom.max,
  extent,
  buffer: bufferUnits,
} as const;

interface PlacedFeature {
  readonly type: 'Feature';
  readonly id: number;
  readonly geometry: Shape;
  readonly properties: Tags;
}

type Unit = [number, number];

/** 2: lines; 3: rings. */
interface CutFeature {
  readonly type: 2 | 3;
  geometry: Unit[][];
}

interface CutTile {
  readonly features: readonly CutFeature[];
}

/** The package's declarations import files without extensions, which are not found. */
const cutOut = geoJSONToTile as unknown as (
  data: { readonly type: 'FeatureCollection'; readonly features: readonly PlacedFeature[] },
  ...how: readonly [z: number, x: number, y: number, options: typeof CUTTING]
) => CutTile;

export interface TileSurvey {
  readonly minZoom: number;
  /** Degrees; null: no features. */
  readonly bounds: readonly [number, number, number, number] | null;
}

/** Create once: it reads every vertex. */
export class TileCutter {
  readonly #outlines: Outlines;
  readonly #boxes: FeatureBoxes;
  readonly #tags: (feature: number) => Tags;
  readonly #unread: readonly Box[];
  /** null: it has no inside. */
  readonly #labels = new Map<number, readonly [number, number] | null>();

  /** `tags`: by feature number. `unread`: unreadable features (D143), drawn as boxes. */
  constructor(
    outlines: Outlines,
    tags: (feature: number) => Tags,
    unread: readonly Bounds[] = NONE,
  ) {
    this.#outlines = outlines;
    this.#unread = unread.map(([minX, minY, maxX, maxY]) => ({ minX, minY, maxX, maxY }));
    this.#boxes = new FeatureBoxes(outlines);
    this.#tags = tags;
  }

  /** Empty: no feature is in the tile. null: too many. */
  cut(place: TilePlace): Uint8Array | null {
    const box = tileBoxUtm32(place, AROUND);
    if (box === null) return new Uint8Array(0);
    const found = this.#boxes.within(box, featuresPerTile + 1);
    if (found.length > featuresPerTile) return null;
    const unitM = unitMetres(place, extent);
    const features = [...this.#features(found, box, unitM), ...this.#unreadIn(box, unitM)];
    const { z, x, y } = place;
    const tile = cutOut({ type: 'FeatureCollection', features }, z, x, y, CUTTING);
    for (const feature of tile.features) tidy(feature);
    const { layer } = this.#outlines.meta;
    const names = isLineKey(layer) || isConditionId(layer) ? [] : this.#names(found, place);
    return encodeTile({ [layer]: tile.features, [namesLayer(layer)]: names });
  }

  /** Each area is named in only one of its tiles. */
  #names(found: readonly number[], place: TilePlace) {
    const labelled = found.flatMap((feature) => {
      const at = this.#labelOf(feature);
      return at === null ? [] : [{ at, tags: this.#tags(feature) }];
    });
    return placedPoints(place, labelled);
  }

  #labelOf(feature: number): readonly [number, number] | null {
    const { xy, ringStarts: starts, featureRings } = this.#outlines;
    return remember(this.#labels, feature, () =>
      labelPoint({ xy, starts }, featureRings[feature]!, featureRings[feature + 1]!),
    );
  }

  survey(): TileSurvey {
    let minZoom: number = zoom.min;
    let crowded = [{ z: 0, x: 0, y: 0 }].filter((place) => this.#isCrowded(place));
    while (crowded.length > 0 && minZoom < zoom.max) {
      minZoom += 1;
      crowded = crowded.flatMap(quarters).filter((place) => this.#isCrowded(place));
    }
    const whole = this.#boxes.whole();
    const boxes = whole === null ? this.#unread : [whole, ...this.#unread];
    return { minZoom, bounds: boxes.length === 0 ? null : boundsOf(boxes) };
  }

  #isCrowded(place: TilePlace): boolean {
    const box = tileBoxUtm32(place, AROUND);
    if (box === null) return false;
    return this.#boxes.within(box, featuresPerTile + 1).length > featuresPerTile;
  }

  /** Unreadable features are numbered after the layer's. */
  #unreadIn(box: Box, unitM: number): PlacedFeature[] {
    const { featureCount } = this.#outlines.meta;
    return this.#unread.flatMap((unread, n): PlacedFeature[] =>
      boxesMeet(unread, box, unitM)
        ? [
            {
              ...{ type: 'Feature', id: featureCount + 1 + n },
              geometry: boxShape(unread, unitM),
              properties: UNREAD_TAGS,
            },
          ]
        : [],
    );
  }

  /** Doubles the step while a tile has too many vertices. */
  #features(found: readonly number[], box: Box, unitM: number): PlacedFeature[] {
    for (let stepM = STEP_UNITS * unitM; ; stepM *= 2) {
      const shapes = new Shapes(this.#outlines, { box, stepM, unitM });
      const placed: { readonly feature: number; readonly geometry: Shape }[] = [];
      for (const feature of found) {
        const geometry = shapes.of(feature, this.#boxes.of(feature));
        if (geometry !== null) placed.push({ feature, geometry });
        if (shapes.vertices > verticesPerTile) break;
      }
      if (shapes.vertices > verticesPerTile) continue;
      return placed.map(({ feature, geometry }) => ({
        ...{ type: 'Feature', id: feature + 1, geometry },
        properties: this.#tags(feature),
      }));
    }
  }
}

const NONE: readonly Bounds[] = [];

/** Straight in metres, not on the map. */
const PIECES = 4;

/** Never smaller than a unit. */
function boxShape({ minX, minY, maxX, maxY }: Box, unitM: number): Shape {
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2];
  const [east, north] = [Math.max(maxX - x, unitM / 2), Math.max(maxY - y, unitM / 2)];
  const corners: Unit[] = [
    [x - east, y - north],
    [x + east, y - north],
    [x + east, y + north],
    [x - east, y + north],
    [x - east, y - north],
  ];
  const flat = corners.flatMap(([x0, y0], n) => {
    const [x1, y1] = corners[n + 1] ?? [x0, y0];
    const pieces = n + 1 < corners.length ? PIECES : 1;
    return Array.from({ length: pieces }, (_, i) => [
      x0 + ((x1 - x0) * i) / pieces,
      y0 + ((y1 - y0) * i) / pieces,
    ]).flat();
  });
  const placed = Float64Array.from(flat);
  toUnitSquareAll(placed, placed);
  const ring = Array.from({ length: placed.length / 2 }, (_, i): Unit => [
    placed[2 * i]!,
    placed[2 * i + 1]!,
  ]);
  return { type: 'MultiPolygon', coordinates: [[ring]] };
}

function quarters({ z, x, y }: TilePlace): TilePlace[] {
  const [column, row] = [2 * x, 2 * y];
  return [0, 1, 2, 3].map((n) => ({ z: z + 1, x: column + (n & 1), y: row + (n >> 1) }));
}

/** Rounded outwards to hundredths of a degree. */
function boundsOf(boxes: readonly Box[]): Bounds {
  const around = boundsAround(boxes.map(({ minX, minY, maxX, maxY }) => [minX, minY, maxX, maxY]));
  const [west, south, east, north] = boundsInDegrees(around);
  const down = (value: number): number => Math.floor(value * 100) / 100;
  const up = (value: number): number => Math.ceil(value * 100) / 100;
  return [down(west), down(south), up(east), up(north)];
}

/**
 * Removes the equal neighbours and flat slivers of rounding, which the format forbids; a feature
 * without rest gets the size of a unit.
 */
function tidy(feature: CutFeature): void {
  const lines = feature.geometry.map(withoutRepeats);
  const [x, y] = lines[0]?.[0] ?? [0, 0];
  if (feature.type === 2) {
    const long = lines.filter((line) => line.length > 1);
    feature.geometry =
      long.length > 0
        ? long
        : [
            [
              [x, y],
              [x + 1, y],
            ],
          ];
    return;
  }
  const rings = lines.filter((ring) => areaOf(ring) !== 0);
  const [shell] = rings;
  if (shell !== undefined && areaOf(shell) < 0) shell.reverse();
  feature.geometry =
    shell !== undefined
      ? rings
      : [
          [
            [x, y],
            [x + 1, y],
            [x + 1, y + 1],
            [x, y + 1],
            [x, y],
          ],
        ];
}

function withoutRepeats(line: readonly Unit[]): Unit[] {
  return line.filter(([x, y], i) => i === 0 || x !== line[i - 1]![0] || y !== line[i - 1]![1]);
}

/** Positive: a shell. */
function areaOf(ring: readonly Unit[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1]!;
    const [x1, y1] = ring[i]!;
    sum += x0 * y1 - x1 * y0;
  }
  return sum;
}
