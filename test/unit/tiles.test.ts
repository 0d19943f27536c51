/** Cutting tiles: which features, how many vertices, and that nothing which is there vanishes. */
import MVT from 'ol/format/MVT.js';
import type RenderFeature from 'ol/render/Feature.js';
import { describe, expect, test } from 'vitest';
import { tileBoxUtm32, toUnitSquareAll } from '../../src/geo/web-mercator.ts';
import type { TilePlace } from '../../src/geo/web-mercator.ts';
import { multiPolygonWkb } from '../../src/geo/wkb.ts';
import type { Bounds } from '../../src/geo/bounds.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { labelPoint } from '../../src/geo/label-point.ts';
import { cutHouses } from '../../src/snapshot/tiles/points.ts';
import { TileCutter } from '../../src/snapshot/tiles/cut.ts';
import { tagsReader } from '../../src/snapshot/tiles/tags.ts';
import { box } from '../support/layer-fixture.ts';

const X = 600_000;
const Y = 6_200_000;

const ATTRIBUTES = JSON.stringify({ code: '0101', name: 'Æbelø', regionCode: null });

function cutterOf(
  areas: readonly (readonly number[])[],
  unread: readonly Bounds[] = [],
): TileCutter {
  const builder = new LayerSnapshotBuilder({ layer: 'kommune', geometry: 'area', version: 1 });
  for (const [n, ring] of areas.entries()) {
    builder.add({
      ...{ key: `${n}`, objectId: `${n}`, standing: 'in_force', adopted: true, areaM2: 1 },
      attributes: ATTRIBUTES,
      wkb: multiPolygonWkb([[Float64Array.from(ring)]]),
    });
  }
  const snapshot = openLayerSnapshot(builder.finish());
  return new TileCutter(snapshot, tagsReader(snapshot), unread);
}

function tileAt(z: number, x = X, y = Y): TilePlace {
  const xy = Float64Array.of(x, y);
  toUnitSquareAll(xy, xy);
  return { z, x: Math.floor(xy[0]! * 2 ** z), y: Math.floor(xy[1]! * 2 ** z) };
}

function read(tile: Uint8Array | null, layer = 'kommune'): RenderFeature[] {
  if (tile === null) throw new Error('The tile was refused.');
  return new MVT({ layers: [layer] }).readFeatures(Uint8Array.from(tile).buffer);
}

describe('a tile', () => {
  test('shows where features lie that could not be read, at every zoom', () => {
    const unread = [[X + 100, Y + 100, X + 160, Y + 160]] as const;
    for (const areas of [[box(X, Y, 50)], []]) {
      const cutter = cutterOf(areas, unread);
      for (const z of [0, 8, 14]) {
        const tags = read(cutter.cut(tileAt(z, X + 130, Y + 130))).map((one) =>
          one.getProperties(),
        );
        expect(
          tags.filter((one) => one['ubesvaret'] === true),
          `zoom ${z}`,
        ).toHaveLength(1);
      }
      expect(read(cutter.cut(tileAt(14, X + 9_000, Y)))).toEqual([]);
      expect(cutter.survey().bounds).not.toBeNull();
    }
  });

  test('has no box where nothing of the field lies in it', () => {
    expect(tileBoxUtm32({ z: 5, x: 0, y: 0 }, 0)).toBeNull();
  });

  test('keeps an area that is smaller than a unit, and one that lies around all of it', () => {
    const far = tileAt(5);
    expect(read(cutterOf([box(X, Y, 3)]).cut(far))).toHaveLength(1);
    const near = tileAt(16);
    const [all] = read(cutterOf([box(X - 50_000, Y - 50_000, 100_000)]).cut(near));
    const { bufferUnits, extent } = LIMITS.kort;
    expect(all!.getExtent()).toEqual([
      -bufferUnits,
      -bufferUnits,
      extent + bufferUnits,
      extent + bufferUnits,
    ]);
  });

  test('is empty where nothing lies, and beyond Denmark', () => {
    const cutter = cutterOf([box(X, Y, 200)]);
    expect(cutter.cut(tileAt(13, X + 50_000))).toHaveLength(0);
    expect(cutter.cut({ z: 3, x: 0, y: 7 })).toHaveLength(0);
  });

  test('of too many areas is refused, and the survey says from where on none is', () => {
    const { featuresPerTile } = LIMITS.kort;
    const side = Math.ceil(Math.sqrt(featuresPerTile + 1_000));
    const many = Array.from({ length: side * side }, (_, n) =>
      box(X + 400 * (n % side), Y + 400 * Math.floor(n / side), 300),
    );
    const cutter = cutterOf(many);
    const { minZoom, bounds } = cutter.survey();
    expect(minZoom).toBeGreaterThan(0);
    expect(cutter.cut(tileAt(0))).toBeNull();
    const corner = [X, X + 200 * side, X + 400 * side - 400];
    for (const x of corner) {
      for (const y of [Y, Y + 200 * side, Y + 400 * side - 400]) {
        expect(cutter.cut(tileAt(minZoom, x, y))).not.toBeNull();
      }
    }
    expect(bounds![0]).toBeLessThan(10.7);
    expect(bounds![2]).toBeGreaterThan(11.5);
  });

  test('of too many vertices is thinned until it fits', () => {
    const { verticesPerTile } = LIMITS.kort;
    const step = 0.4;
    const count = Math.ceil(verticesPerTile * 0.6);
    const jagged = (x: number): number[] => {
      const ring: number[] = [];
      for (let n = 0; n < count; n++) ring.push(x + (n % 2) * 40, Y + (n * step) / 400);
      return [...ring, x + 200, Y, x, Y];
    };
    const tile = cutterOf([jagged(X), jagged(X + 250)]).cut(tileAt(16, X + 60, Y + 60));
    const vertices = read(tile).reduce(
      (sum, each) => sum + each.getFlatCoordinates().length / 2,
      0,
    );
    expect(vertices).toBeGreaterThan(0);
    expect(vertices).toBeLessThanOrEqual(verticesPerTile);
  });

  test('of a layer without features', () => {
    const cutter = cutterOf([]);
    expect(cutter.survey()).toEqual({ minZoom: 0, bounds: null });
    expect(cutter.cut(tileAt(9))).toHaveLength(0);
  });
});

describe('the name of an area', () => {
  /** Its middle lies outside it: the shape of a horseshoe, as tall as three tiles of zoom 14. */
  const [SIDE, ARM] = [6_000, 500];
  const horseshoe = [
    ...[X, Y, X + SIDE, Y, X + SIDE, Y + ARM, X + ARM, Y + ARM],
    ...[X + ARM, Y + SIDE - ARM, X + SIDE, Y + SIDE - ARM, X + SIDE, Y + SIDE, X, Y + SIDE, X, Y],
  ];

  test.each([6, 9, 12, 13, 14, 15, 16])('stands in one tile alone at zoom %i', (z) => {
    const cutter = cutterOf([horseshoe]);
    const [from, to] = [tileAt(z, X - 500, Y + SIDE + 500), tileAt(z, X + SIDE + 500, Y - 500)];
    const names: RenderFeature[] = [];
    let pieces = 0;
    for (let x = from.x; x <= to.x; x++) {
      for (let y = from.y; y <= to.y; y++) {
        const tile = cutter.cut({ z, x, y });
        pieces += read(tile).length;
        names.push(...read(tile, 'kommune_navn'));
      }
    }
    expect(pieces).toBeGreaterThanOrEqual(z < 14 ? 1 : 2);
    expect(names.map((name) => `${name.getType()} ${name.get('navn')}`)).toEqual(['Point Æbelø']);
  });

  test('stands inside it, whatever its shape', () => {
    const rings = (...each: readonly (readonly number[])[]) => ({
      xy: Float64Array.from(each.flat()),
      starts: each.reduce<number[]>((all, ring) => [...all, all.at(-1)! + ring.length / 2], [0]),
    });
    const [x, y] = labelPoint(rings(horseshoe), 0, 1)!;
    expect(x < X + ARM || y < Y + ARM || y > Y + SIDE - ARM).toBe(true);
    // Beside the hole, and in the larger of two parts.
    const holed = rings(box(0, 0, 100), box(10, 10, 80));
    const [east, north] = labelPoint(holed, 0, 2)!;
    expect(east < 10 || east > 90 || north < 10 || north > 90).toBe(true);
    const [part] = labelPoint(rings(box(0, 0, 10), box(500, 0, 90)), 0, 2)!;
    expect(part).toBe(545);
    expect(labelPoint(rings([0, 0, 5, 5, 0, 0]), 0, 1)).toBeNull();
    expect(labelPoint(rings(), 0, 0)).toBeNull();
  });
});

describe('house numbers', () => {
  const houses = (points: readonly (readonly [number, number])[], road: string | null) =>
    points.map((at, n) => ({
      at,
      road,
      tags: { id: `${road}${n}`, husnr: `${n + 1}`, vejnavn: 'Æblevej' },
    }));

  function tilesOf(z: number, all: ReturnType<typeof houses>) {
    const xy = Float64Array.from(all.flatMap(({ at }) => [...at]));
    const { x, y } = tileAt(z, X + 200, Y + 200);
    return [-1, 0, 1].flatMap((right) =>
      [-1, 0, 1].map((down) =>
        cutHouses({ place: { z, x: x + right, y: y + down }, xy, houses: all }),
      ),
    );
  }

  test('are each in one tile, and the name of a road once in each, between its houses', () => {
    const sides = [0, 20, 40, 60].flatMap((along) => [
      [X + along, Y] as const,
      [X + along, Y + 16] as const,
    ]);
    const tiles = tilesOf(15, houses(sides, 'a'));
    const numbers = tiles.flatMap((tile) => read(tile, 'husnumre'));
    expect(numbers.map((house) => String(house.get('husnr'))).toSorted()).toEqual(
      sides.map((_, n) => `${n + 1}`),
    );
    const [name, ...more] = tiles.flatMap((tile) => read(tile, 'vejnavne'));
    expect(more).toEqual([]);
    expect(name!.get('vejnavn')).toBe('Æblevej');
    const [, south = 0] = numbers[0]!.getFlatCoordinates();
    const [, north = 0] = numbers[1]!.getFlatCoordinates();
    const [, row = 0] = name!.getFlatCoordinates();
    expect(row < south && row > north).toBe(true);
  });

  test('of no road name none; two roads of one name have one each', () => {
    expect(tilesOf(16, houses([[X, Y]], null)).flatMap((tile) => read(tile, 'vejnavne'))).toEqual(
      [],
    );
    const two = [...houses([[X, Y]], 'a'), ...houses([[X + 300, Y]], 'b')];
    expect(tilesOf(15, two).flatMap((tile) => read(tile, 'vejnavne'))).toHaveLength(2);
    expect(tilesOf(15, []).every((tile) => tile.length === 0)).toBe(true);
  });
});
