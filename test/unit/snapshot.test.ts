import { execFileSync, spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseProperties } from 'flatgeobuf/lib/mjs/generic/feature.js';
import { deserializeStream } from 'flatgeobuf/lib/mjs/generic/featurecollection.js';
import { fromGeometry } from 'flatgeobuf/lib/mjs/geojson/geometry.js';
import type { HeaderMeta } from 'flatgeobuf/lib/mjs/header-meta.js';
import WKB from 'ol/format/WKB.js';
import type MultiPolygon from 'ol/geom/MultiPolygon.js';
import { describe, expect, it } from 'vitest';
import { lineWkb, multiPolygonWkb } from '../../src/geo/wkb.ts';
import { LayerSnapshotBuilder } from '../../src/snapshot/build-layer.ts';
import type { SnapshotFeature } from '../../src/snapshot/build-layer.ts';
import { writeFlatGeobuf } from '../../src/snapshot/flatgeobuf-write.ts';
import { SnapshotRefused } from '../../src/snapshot/format.ts';
import { openLayerSnapshot } from '../../src/snapshot/layer.ts';
import { box, star } from '../support/layer-fixture.ts';
import { multiLineWkb } from '../support/multi-line.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { ownFolder } from '../support/opened.ts';

const dir = ownFolder('snapshot-test');

/** Areas with holes and parts, every kind of attribute, ids that are UUIDs or are not. */
function features(count: number, idOf: (i: number) => string): SnapshotFeature[] {
  const random = randomFrom(count + 1);
  return Array.from({ length: count }, (_, i) => {
    const centre = { xUtm32: 600_000 + 9_000 * random(), yUtm32: 6_200_000 + 9_000 * random() };
    const shell = star(centre, { radiusM: 200, corners: 12, random });
    const hole = star(centre, { radiusM: 40, corners: 5, random });
    const island = box(centre.xUtm32 + 500, centre.yUtm32, 30.125);
    const name = ['Sø', 'Å', 'Kær "3"', 'Mose\n', ''][i % 5];
    const statusCode = i % 3 === 0 ? null : String(i % 4);
    const validFrom = i % 4 === 1 ? null : `2011-0${1 + (i % 9)}-20T22:00:00Z`;
    return {
      key: i % 2 === 0 ? idOf(i) : `${idOf(i)}/x`,
      objectId: idOf(i),
      standing: i % 5 === 0 ? 'repealed' : 'in_force',
      adopted: i % 2 === 0,
      attributes: JSON.stringify(
        i % 7 === 0
          ? { name, nested: { a: [i % 2] }, sometimes: null, statusCode, validFrom }
          : { name, nested: { a: [i % 2] }, statusCode, validFrom },
      ),
      wkb: multiPolygonWkb(i % 6 === 5 ? [] : [[shell, hole], [island]]),
      areaM2: i % 4 === 0 ? null : 1234.5 + i,
    } satisfies SnapshotFeature;
  });
}

function uuid(i: number): string {
  return `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
}

function encode(list: readonly SnapshotFeature[]): SharedArrayBuffer {
  const builder = new LayerSnapshotBuilder({ layer: 'natur', geometry: 'area', version: 3 });
  for (const feature of list) builder.add(feature);
  return builder.withZones().finish();
}

function withoutGeometry(list: readonly { key: string }[]): Record<string, unknown> {
  return Object.fromEntries(list.map((feature) => [feature.key, { ...feature, wkb: undefined }]));
}

describe('a layer snapshot', () => {
  it('gives back every feature, byte for byte in its attributes', () => {
    for (const idOf of [uuid, (i: number) => `id æ ${i}`]) {
      const list = features(200, idOf);
      const buffer = encode(list);
      const snapshot = openLayerSnapshot(buffer);
      expect(snapshot.meta).toMatchObject({ featureCount: 200, version: 3, layer: 'natur' });
      // Threads share it: nothing of it is copied.
      expect(snapshot.xy.buffer).toBe(buffer);
      const records = list.map((_, i) => snapshot.feature(i));
      expect(withoutGeometry(records)).toEqual(withoutGeometry(list));
    }
  });

  it('ranks features by object id, then key', () => {
    const snapshot = openLayerSnapshot(encode(features(50, (i) => `same-${i % 7}`)));
    const byRank: string[] = [];
    for (let i = 0; i < 50; i++) {
      const { objectId, key } = snapshot.feature(i);
      byRank[snapshot.featureRank[i]!] = `${objectId}|${key}`;
    }
    expect(byRank).toEqual([...byRank].sort());
  });

  it('refuses geometry of another kind and rings left open, naming the feature', () => {
    const line = { ...features(1, uuid)[0]!, key: 'k9', wkb: lineWkb([1, 2, 3, 4]) };
    const open = { ...line, wkb: multiPolygonWkb([[[0, 0, 1, 0, 1, 1]]]) };
    expect(() => encode([line])).toThrow('k9');
    expect(() => encode([open])).toThrow('k9');
  });

  it('is refused when cut, bent, of another version, or something else', () => {
    const whole = encode(features(20, uuid));
    const change = (at: number, by: number): SharedArrayBuffer => {
      const copy = new SharedArrayBuffer(whole.byteLength);
      new Uint8Array(copy).set(new Uint8Array(whole));
      new Uint8Array(copy)[at]! ^= by;
      return copy;
    };
    const cut = new SharedArrayBuffer(whole.byteLength - 64);
    new Uint8Array(cut).set(new Uint8Array(whole).subarray(0, cut.byteLength));
    for (const broken of [cut, new SharedArrayBuffer(0), new SharedArrayBuffer(100)]) {
      expect(() => openLayerSnapshot(broken)).toThrow(SnapshotRefused);
    }
    for (const at of [0, 8, 12, 16, 24, 40, whole.byteLength >> 1, whole.byteLength - 1]) {
      expect(() => openLayerSnapshot(change(at, 1)), `byte ${at}`).toThrow(SnapshotRefused);
    }
    expect(openLayerSnapshot(whole, { verified: true }).meta.featureCount).toBe(20);
  });
});

const gdal = spawnSync('ogrinfo', ['--version']).error === undefined;

/** A file as the format's own library reads it: properties, and coordinates beside them. */
async function readBack(path: string) {
  let header = null as HeaderMeta | null;
  const stream = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const features: Record<string, unknown>[] = [];
  const read = deserializeStream(stream, {
    headerMetaFn: (meta: HeaderMeta) => (header = meta),
    fromFeature: (_id, feature, { columns, geometryType }) => {
      const shape = feature.geometry();
      const geometry = shape === null ? null : fromGeometry(shape, geometryType);
      const coordinates = geometry?.type === 'MultiPolygon' ? geometry.coordinates : [];
      features.push({ ...parseProperties(feature, columns), coordinates });
      return {};
    },
  });
  for await (const _ of read);
  return { header, features };
}

function byKey(a: Record<string, unknown>, b: Record<string, unknown>): number {
  return String(a['noegle']) < String(b['noegle']) ? -1 : 1;
}

/**
 * What a file is to hold of a feature. Null is left out, but in a column that only some features have:
 * there it is told from nothing.
 */
function inFile({ wkb, attributes, ...own }: SnapshotFeature, isAlone: boolean) {
  const given = JSON.parse(attributes) as Record<string, unknown>;
  const geometry = new WKB().readGeometry(wkb) as MultiPolygon;
  const { name, statusCode, validFrom, ...more } = given;
  const all = {
    ...{ noegle: own.key, objekt_id: own.objectId, i_kraft: own.standing === 'in_force' },
    ...{ vedtaget: own.adopted, areal_m2: own.areaM2, navn: name, status_kode: statusCode },
    ...{ gaeldende_fra: validFrom, ...more, coordinates: geometry.getCoordinates() },
  };
  const written = Object.entries(all).filter(
    ([name, value]) => value !== null || (name === 'sometimes' && !isAlone),
  );
  return Object.fromEntries(written);
}

describe('a FlatGeobuf file', () => {
  it("gives the format's own library what was written, geometry to the last bit", async () => {
    for (const count of [0, 1, 16, 17, 300]) {
      const path = join(dir, `round-${count}.fgb`);
      const list = features(count, uuid);
      const snapshot = openLayerSnapshot(encode(list));
      await writeFlatGeobuf(path, snapshot);
      const { header, features: read } = await readBack(path);
      expect(header).toMatchObject({ featuresCount: count, crs: { org: 'EPSG', code: 25832 } });
      expect(JSON.parse(header!.metadata!)).toEqual({
        layer: 'natur',
        geometry: 'area',
        version: 3,
      });
      const expected = list.map((feature) => inFile(feature, count === 1));
      expect(read.sort(byKey)).toEqual(expected.sort(byKey));
    }
  });

  it.skipIf(!gdal)('opens in ogrinfo with every column (skipped without gdal)', async () => {
    const path = join(dir, 'open.fgb');
    const list = features(120, uuid).filter((_, i) => i % 6 !== 5);
    await writeFlatGeobuf(path, openLayerSnapshot(encode(list)));
    const summary = execFileSync('ogrinfo', ['-al', '-so', path], { encoding: 'utf8' });
    expect(summary).toContain(`Feature Count: ${list.length}`);
    expect(summary).toContain('Geometry: Multi Polygon');
    expect(summary).toContain('ID["EPSG",25832]');
    for (const column of [
      ...['noegle: String', 'i_kraft: Integer(Boolean)', 'vedtaget: Integer(Boolean)'],
      ...['areal_m2: Real', 'navn: String', 'gaeldende_fra: DateTime'],
    ]) {
      expect(summary).toContain(column);
    }
  });

  it.skipIf(!gdal)('answers a window through its index (skipped without gdal)', async () => {
    const path = join(dir, 'window.fgb');
    const builder = new LayerSnapshotBuilder({ layer: 'dige', geometry: 'line', version: 1 });
    for (let i = 0; i < 2_000; i++) {
      const [x, y] = [500_000 + 100 * (i % 50), 6_200_000 + 100 * Math.floor(i / 50)];
      builder.add({
        ...features(1, uuid)[0]!,
        key: `d${i}`,
        wkb: multiLineWkb([[x, y, x + 50, y + 50]]),
      });
    }
    await writeFlatGeobuf(path, openLayerSnapshot(builder.finish()));
    const window = ['-spat', '500990', '6200990', '501560', '6201560'];
    const found = execFileSync('ogrinfo', ['-al', '-so', ...window, path], { encoding: 'utf8' });
    expect(found).toContain('Feature Count: 36');
    expect(found).toContain('Geometry: Multi Line String');
  });
});
