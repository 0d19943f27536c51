/** What a repair leaves that answers could not show: flat rings, and rings turned inside out by rounding. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { areaGeometryJson } from '../../src/geo/rings-text.ts';
import { signedRingArea } from '../../src/geo/ring-area.ts';
import { AREA_LAYERS } from '../../src/registers/areas/mirror.ts';
import { bowTie, box, positionsOf } from '../support/layer-fixture.ts';
import { describeReal, realFile } from '../support/real-data.ts';
import { stagedPage } from '../support/staged-page.ts';
import { sharedStore } from '../support/store.ts';

type Position = readonly number[];
type Rings = readonly (readonly Position[])[];

const X = 600_000;
const Y = 6_200_000;
const square = (x: number, y: number) => positionsOf(box(x, y, 100));
/** Of two millimetres, and crossed. */
const thread = (x: number, y: number, length: number) => positionsOf(bowTie(x, y, length, 0.002));

const store = await sharedStore({ purpose: 'sync' });

/** Stages areas of a theme as a sync does; what became of them, by key, as answers would show it. */
async function staged(collection: object, srsName: string) {
  const base = AREA_LAYERS.sogn;
  const layer = { ...base, source: { ...base.source, srsName, dagiScale: null } };
  const run = await stagedPage(store, layer, collection);
  const { rows } = await store.pool.query<{ key: string; wkb: Buffer; valid: boolean }>(
    `select key, ST_AsBinary(geom, 'NDR') as wkb, ST_IsValid(geom) as valid
     from stage_feature where run_id = $1`,
    [run.id],
  );
  const { rows: issues } = await store.pool.query<{ feature_key: string; detail: string }>(
    "select feature_key, detail from sync_issue where run_id = $1 and kind = 'repaired'",
    [run.id],
  );
  return { run, rows, issues };
}

/** Rings of an area as it is answered in metres: those of no area, or in the wrong direction. */
function slivers(wkb: Uint8Array): Position[][] {
  const text = new TextDecoder().decode(areaGeometryJson(wkb));
  const { epsg25832_rings: polygons } = JSON.parse(text) as { epsg25832_rings: Position[][][] };
  return polygons.flatMap((rings) =>
    rings.filter((ring, n) => {
      const flat = Float64Array.from(ring.flat());
      const area = signedRingArea(flat, 0, ring.length);
      return n === 0 ? area <= 0 : area >= 0;
    }),
  );
}

function feature(id: string, coordinates: Rings) {
  const code = id.padStart(4, '7');
  return {
    type: 'Feature',
    id: `sogn.${id}`,
    properties: { 'id.lokalId': id, sognekode: code, navn: `Sogn ${id}` },
    geometry: { type: 'Polygon', coordinates },
  };
}

const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::25832' } };

describe('a repaired area', () => {
  test('loses the parts that are nothing once rounded, counted and told', async () => {
    // A thread of two millimetres crosses itself beside a square; a hole as thin lies in the third.
    const features = [
      feature('1', [[...square(X, Y), ...thread(X + 100, Y, 50), [X, Y]]]),
      feature('2', [square(X + 300, Y)]),
      feature('3', [
        [...square(X + 500, Y).slice(0, 4), [X + 550, Y + 150], [X + 500, Y]],
        thread(X + 520, Y + 20, 20),
      ]),
    ];
    const { run, rows, issues } = await staged(
      { type: 'FeatureCollection', crs, features },
      'EPSG:25832',
    );
    expect(run.counts).toMatchObject({ staged: 3, repaired: 2, lostInRepair: 0 });
    expect(run.counts.slivers).toBeGreaterThan(2);
    for (const { wkb, valid } of rows) expect([valid, slivers(wkb)]).toEqual([true, []]);
    expect(issues.map(({ feature_key }) => feature_key).sort()).toEqual(['1', '3']);
    for (const { detail } of issues) expect(detail).toMatch(/, \d+ slivers dropped\.$/);
  });

  test('of which nothing is left is missing, not an empty area', async () => {
    const features = [feature('9', [thread(X, Y, 50)])];
    const { run, rows } = await staged({ type: 'FeatureCollection', crs, features }, 'EPSG:25832');
    expect(run.counts).toMatchObject({ staged: 0, repaired: 0, lostInRepair: 1 });
    expect(rows).toEqual([]);
  });
});

describeReal('the real parishes, their outlines crossed', [], () => {
  test('come out without a ring that is flat or reversed', async () => {
    const zipped = readFileSync(realFile('dagi/dagi2000_sogneinddeling.geojson.gz'));
    const collection = JSON.parse(gunzipSync(zipped).toString()) as {
      features: { geometry: { type: string; coordinates: unknown } }[];
    };
    for (const { geometry } of collection.features) {
      const polygons = (
        geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
      ) as Position[][][];
      for (const ring of polygons.flat()) for (let n = 0; n < 5; n += 1) cross(ring, n * 7);
    }
    const { run, rows, issues } = await staged(collection, 'urn:ogc:def:crs:OGC:1.3:CRS84');
    expect(run.counts.repaired).toBeGreaterThan(1_000);
    expect(run.counts.slivers).toBeGreaterThan(0);
    expect(run.counts.staged + run.counts.lostInRepair).toBe(collection.features.length);
    const wrong = rows.filter(({ wkb, valid }) => !valid || slivers(wkb).length > 0);
    expect(wrong.map(({ key }) => key)).toEqual([]);
    const told = issues.filter(({ detail }) => detail.includes('slivers dropped'));
    console.log(
      `${run.counts.repaired} parishes repaired, ${run.counts.slivers} slivers dropped, ` +
        `told of ${told.length} among the first ${issues.length} issues`,
    );
  });
});

function cross(ring: Position[], seed: number): void {
  if (ring.length < 6) return;
  const at = 1 + (seed % (ring.length - 4));
  const [one, other] = [ring[at], ring[at + 1]];
  if (one !== undefined && other !== undefined) ring.splice(at, 2, other, one);
}
