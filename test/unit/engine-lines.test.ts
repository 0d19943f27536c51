/**
 * What test/store-contract/lines.test.ts, which holds the engine against PostGIS, has no shapes for: edges and corners
 * through the centres of cells. They are measured as they are where the same shapes have their cells elsewhere.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { LineEngine } from '../../src/snapshot/lines.ts';
import { box } from '../support/layer-fixture.ts';
import { amountOf } from '../support/run-settings.ts';

const X = 700_000;
const Y = 6_200_000;
const HALF_CELL_M = 125;
/** Of shapes and points: steps of half a cell between them. */
const STEPS = 12;
const RADIUS_M = 3 * HALF_CELL_M;

type Ring = readonly number[];

/** Cells are laid from the south-west corner of a feature that is far from all others. */
function engineFrom(westM: number, rings: readonly Ring[]): LineEngine {
  const builder = new LayerSnapshotBuilder({ layer: 'natur', geometry: 'area', version: 7 });
  builder.withZones();
  const corner = box(X - westM, Y - westM, 1);
  for (const [n, ring] of [...rings, corner].entries()) {
    const standing = n === 3 || ring === corner ? 'repealed' : 'in_force';
    const wkb = multiPolygonWkb([[ring]]);
    const of = { key: `key-${n}`, objectId: `${n}`, attributes: '{}', areaM2: 1 };
    builder.add({ ...of, standing, adopted: n % 2 === 0, wkb });
    if (standing === 'in_force') builder.addZoneEdge(lineWkb(ring));
  }
  return new LineEngine(openLayerSnapshot(builder.finish()));
}

/** `shown`: of each distance. */
function measured(
  engine: LineEngine,
  [x = 0, y = 0]: Ring,
  shown = (distanceM: number): number => distanceM,
) {
  const idOf = (feature: number) => engine.snapshot.feature(feature).objectId;
  const measure = engine.measure({ xUtm32: x, yUtm32: y }, RADIUS_M);
  const { hit, distanceM, repealed } = measure;
  return {
    ...measure,
    hit: hit === null ? null : idOf(hit),
    distanceM: distanceM === null ? null : shown(distanceM),
    repealed: repealed.map((each) => [idOf(each.feature), shown(each.distanceM)]),
  };
}

it('measures edges through the centres of cells as those that pass them by', () => {
  const { originX, originY } = engineFrom(10_000, []).snapshot.meta.grid;
  const place = fc.integer({ min: 0, max: STEPS }).map((n) => HALF_CELL_M * (n + 80));
  const corner = fc.tuple(place, place).map(([x, y]) => [originX + x, originY + y]);
  const triangle = fc.tuple(corner, corner, corner).map(([a, b, c]): Ring => [a, b, c, a].flat());
  // On them, and off them.
  const off = fc.integer({ min: -2, max: 2 }).map((n) => 23.5 * n);
  const asked = fc.tuple(corner, off, off).map(([[x = 0, y = 0], dx, dy]) => [x + dx, y + dy]);
  fc.assert(
    fc.property(fc.array(triangle, { maxLength: 6 }), asked, (rings, point) => {
      const centred = engineFrom(10_000, rings);
      expect(centred.snapshot.meta.grid).toMatchObject({
        originX,
        originY,
        cellM: 2 * HALF_CELL_M,
      });
      const apart = engineFrom(10_037, rings);
      const near = (distanceM: number) => expect.closeTo(distanceM, 8) as number;
      expect(measured(centred, point)).toEqual(measured(apart, point, near));
    }),
    { numRuns: amountOf({ gate: 60, night: 2_000 }) },
  );
});
