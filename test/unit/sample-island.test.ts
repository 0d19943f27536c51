/** The sample's data: the same every time, whole as a map, and as odd as the registers are. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import OverlayOp from 'jsts/org/locationtech/jts/operation/overlay/OverlayOp.js';
import { describe, expect, it } from 'vitest';
import { isInDenmark } from '../../src/geo/point.ts';
import { toUtm32, toWgs84 } from '../../src/geo/project.ts';
import type { AreaId, LineKey, Theme } from '../../src/layers/keys.ts';
import { LAYER_IDS, THEMES } from '../../src/layers/keys.ts';
import { CODE_COLUMNS } from '../../src/layers/mappings/dagi.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { valueText } from '../../sample/data/feature.ts';
import { areaOf, envelopeOf, linesOf, mapPositions, placeOf } from '../../sample/data/geometry.ts';
import { schemaOf } from '../../sample/data/schemas.ts';
import { keyOf } from '../../sample/holdings.ts';
import { SAMPLE_REGIONS } from '../support/sample-regions.ts';
import { edgeDistance, standingOf } from '../support/sample-truth.ts';

/** As much of a JTS geometry as is asked of it here; the package's own types do not resolve. */
interface Shape {
  getArea(): number;
}
const reader = new GeoJSONReader(new GeometryFactory()) as { read(geometry: unknown): Shape };
const isValid = (shape: Shape): boolean => IsValidOp.isValid(shape);
const overlap = (a: Shape, b: Shape): number =>
  (OverlayOp.intersection(a, b) as unknown as Shape).getArea();

const data = generateSample();
const everything = LAYER_IDS.flatMap((layer) => data[layer]);
const read = (feature: SampleFeature, name: string): string | null =>
  valueText(feature.properties[name]);
const base = (theme: Theme): readonly SampleFeature[] =>
  data[theme].filter((feature) => read(feature, 'skala') === '1:10.000');
const flat = (feature: SampleFeature): NonNullable<SampleFeature['geometry']> =>
  mapPositions(feature.geometry!, (pos) => pos.slice(0, 2));

describe('the sample island', () => {
  it('is the same to the last digit every time', () => {
    expect(generateSample()).toEqual(data);
    // A changed island changes README, examples and pinned answers: change this knowingly.
    const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
    expect(hash).toMatchInlineSnapshot(
      `"6073ef3cd8b0b9a8d256081c0c668bae62a30441b21f2003f05b058a4c81a81b"`,
    );
  });

  it('has a few hundred features a layer at most, about 1,650 in all', () => {
    const counts = Object.fromEntries(LAYER_IDS.map((layer) => [layer, data[layer].length]));
    expect(counts).toMatchInlineSnapshot(`
      {
        "aa": 26,
        "afstemningsomraade": 18,
        "dige": 303,
        "fortidsminde": 232,
        "kirke": 16,
        "klitfredning": 42,
        "kommune": 12,
        "menighedsraadsafstemningsomraade": 30,
        "natur": 436,
        "opstillingskreds": 8,
        "politikreds": 4,
        "postnummer": 12,
        "region": 4,
        "retskreds": 6,
        "skov": 96,
        "soe": 61,
        "sogn": 30,
        "strandbeskyttelse": 266,
        "vandloeb": 75,
      }
    `);
    expect(everything.length).toBeGreaterThan(1_500);
    expect(everything.length).toBeLessThan(2_500);
  });

  it('lies in the boxes of D35, in metres rounded to the millimetre', () => {
    for (const { geometry } of everything) {
      if (geometry === null) continue;
      const { minX, minY, maxX, maxY } = envelopeOf(geometry);
      expect(isInDenmark(toWgs84({ xUtm32: minX, yUtm32: minY }))).toBe(true);
      expect(isInDenmark(toWgs84({ xUtm32: maxX, yUtm32: maxY }))).toBe(true);
      const values = linesOf(geometry).flat(2);
      expect(values.every((value) => Math.round(value * 1000) / 1000 === value)).toBe(true);
    }
  });

  const realMap = '../shared/data/real/dagi/dagi2000_kommuneinddeling.geojson.gz';
  it.skipIf(!existsSync(realMap))(
    'lies in open sea, at least 15 km from land (skipped without the real extracts)',
    () => {
      const { features } = JSON.parse(gunzipSync(readFileSync(realMap)).toString()) as {
        features: { geometry: { coordinates: unknown } }[];
      };
      const box = envelopeOf({
        type: 'MultiLineString',
        coordinates: everything.flatMap(({ geometry }) => (geometry ? linesOf(geometry) : [])),
      });
      let nearest = Infinity;
      const visit = (node: unknown): void => {
        if (!Array.isArray(node)) return;
        if (typeof node[0] !== 'number') {
          node.forEach(visit);
          return;
        }
        const { xUtm32, yUtm32 } = toUtm32({ lon: node[0], lat: node[1] as number });
        const dx = Math.max(box.minX - xUtm32, 0, xUtm32 - box.maxX);
        const dy = Math.max(box.minY - yUtm32, 0, yUtm32 - box.maxY);
        nearest = Math.min(nearest, Math.hypot(dx, dy));
      };
      for (const feature of features) visit(feature.geometry.coordinates);
      expect(nearest).toBeGreaterThan(15_000);
    },
  );

  it('says of every authority and area that it is invented', () => {
    for (const theme of THEMES) {
      for (const feature of data[theme]) expect(read(feature, 'navn')).toContain('(opdigtet)');
    }
    for (const feature of everything) {
      const authority = read(feature, 'CVR_navn');
      if (authority !== null) expect(authority).toMatch(/\(opdigtet\)$|^Ukendt$/);
    }
  });

  it('gives every feature a key of its own and the attributes of its schema, in order', () => {
    for (const layer of LAYER_IDS) {
      const keys = data[layer].map((feature) => keyOf(layer, feature));
      expect(new Set(keys).size).toBe(data[layer].length);
      expect(keys).not.toContain(null);
      expect(new Set(data[layer].map((feature) => feature.id)).size).toBe(keys.length);
      for (const feature of data[layer]) {
        expect(Object.keys(feature.properties)).toEqual(Object.keys(schemaOf(layer)));
      }
    }
  });

  it('has guards in its catalogue that what is mirrored passes', () => {
    const catalogue = sampleCatalogue('http://127.0.0.1:1/');
    for (const [layer, { guards, source }] of Object.entries({
      ...catalogue.lines,
      ...catalogue.areas,
    })) {
      const mirrored = data[layer as AreaId | LineKey].filter(
        (feature) => standingOf(feature) !== 'hidden' && read(feature, 'skala') !== '1:250.000',
      );
      expect(mirrored.length).toBeGreaterThanOrEqual(guards.minRows);
      expect(source.url).toMatch(/^http:\/\/127\.0\.0\.1:1\/(portal|heritage|cadastre|dagi)\/wfs$/);
    }
  });
});

describe('the sample map', () => {
  const sidesOf = (feature: SampleFeature): string[] =>
    linesOf(feature.geometry!).flatMap((line) =>
      line.slice(1).map((pos, i) => `${line[i]!.join(' ')}>${pos.join(' ')}`),
    );
  const turned = (side: string): string => side.split('>').reverse().join('>');

  /** Sides that belong to one area only: the coast, if neighbours share every other side. */
  const openSides = (theme: Theme): string[] => {
    const sides = base(theme).flatMap(sidesOf);
    const all = new Set(sides);
    expect(all.size).toBe(sides.length);
    return sides.filter((side) => !all.has(turned(side))).sort();
  };

  it('gives neighbours every side of their border in common, and all themes one coast', () => {
    const coast = openSides('region');
    expect(coast.length).toBe(720 + 3 * 48);
    for (const theme of THEMES) expect(openSides(theme)).toEqual(coast);
  });

  it('covers the same land in every theme', () => {
    const land = (theme: Theme): number =>
      base(theme).reduce((sum, feature) => sum + areaOf(feature.geometry!), 0);
    for (const theme of THEMES) expect(land(theme)).toBeCloseTo(land('region'), 2);
  });

  it('has an enclave, an exclave, islets, and areas of several parts', () => {
    const parts = (code: string): number[] => {
      const found = base('kommune').find((feature) => read(feature, 'kommunekode') === code)!;
      const coordinates = found.geometry!.coordinates as readonly (readonly unknown[])[];
      return coordinates.map((rings) => rings.length);
    };
    expect(parts('91').sort()).toEqual([1, 1, 1]);
    expect(parts('92')).toEqual([3]);
    expect(parts('93')).toEqual([1]);
    expect(
      base('kommune').filter((feature) => read(feature, 'udenforKommuneinddeling') === 'true'),
    ).toHaveLength(2);
  });

  it('puts most of each area in the region the truth table names', () => {
    const codeOf = (theme: Theme, feature: SampleFeature): string =>
      read(feature, CODE_COLUMNS[theme])!.padStart(4, '0');
    const regions = base('region').map((feature) => ({
      code: codeOf('region', feature),
      shape: reader.read(flat(feature)),
    }));
    let crossing = 0;
    for (const theme of THEMES) {
      for (const feature of base(theme)) {
        const shape = reader.read(flat(feature));
        const shares = regions
          .map(({ code, shape: region }) => ({
            code,
            share: overlap(region, shape) / shape.getArea(),
          }))
          .sort((a, b) => b.share - a.share);
        // No narrow case: an answer that differs is wrong, not rounded otherwise.
        expect(shares[0]!.share).toBeGreaterThan(0.53);
        if (shares[1]!.share > 1e-6) crossing += 1;
        expect(SAMPLE_REGIONS[shares[0]!.code]).toContain(`${theme}/${codeOf(theme, feature)}`);
      }
    }
    expect(crossing).toBe(3);
  });

  it('is valid but for the two shapes broken on purpose', () => {
    const invalid = everything
      .filter((feature) => feature.geometry !== null)
      .filter((feature) => !isValid(reader.read(flat(feature))));
    expect(invalid.map((feature) => feature.id.split('.')[0])).toEqual([
      'bes_naturtyper',
      'bes_naturtyper',
    ]);
  });

  it.each(['strandbeskyttelse', 'klitfredning'] as const)(
    'cuts %s at parcels that share corners, and some that meet in a bare T',
    (layer) => {
      const pieces = data[layer].map((feature) => ({
        feature,
        corners: new Set(linesOf(feature.geometry!).flat().map(String)),
      }));
      // A corner of one piece beside another piece: either both have it, or only the first.
      const meetings = pieces.flatMap(({ feature }) =>
        linesOf(feature.geometry!)[0]!
          .slice(1)
          .flatMap((corner) =>
            pieces.filter((other) => other.feature !== feature).map((other) => ({ corner, other })),
          ),
      );
      const both = ({ corner, other }: (typeof meetings)[number]): boolean =>
        other.corners.has(String(corner));
      const shared = meetings.filter(both).length;
      const offsets = meetings
        .filter((meeting) => !both(meeting))
        .map(({ corner, other }) => edgeDistance(other.feature, placeOf(corner)))
        .filter((off) => off < 0.002);
      expect(shared).toBeGreaterThan(pieces.length * 4);
      expect(offsets.length).toBeGreaterThan(10);
      // What rounding to a millimetre leaves, never more.
      expect(Math.max(...offsets)).toBeLessThan(0.000_72);
      expect(Math.max(...offsets)).toBeGreaterThan(0.000_3);
    },
  );
});

describe('the sample rows', () => {
  const portal = ['soe', 'aa', 'skov', 'kirke', 'dige', 'natur', 'vandloeb'] as const;
  const rows = portal.flatMap((layer) => data[layer]);
  const count = (test: (feature: SampleFeature) => boolean, among = rows): number =>
    among.filter(test).length;

  it.each([
    ['adopted', 'Statuskode', /^3/, 500],
    ['of unknown status', 'Statuskode', /^0/, 5],
    ['a draft', 'Statuskode', /^1/, 2],
    ['proposed', 'Statuskode', /^2/, 5],
    ['cancelled', 'Statuskode', /^4/, 10],
    ['ended', 'Systid_til', /./, 10],
    ['seen by the authority only', 'Off_kode', /^2/, 2],
    ['seen by authorities only', 'Off_kode', /^3/, 2],
    ['a repealed forest line', 'Skovs_kode', /^2/, 3],
    ['with a reason for repeal', 'Op_aars_k', /^1/, 2],
    ['with several reasons for protection', 'Beskyt_kode', /^\d[;,]/, 30],
    ['of an unknown year', 'Besig_aar', /^-1$/, 50],
    ['of an unknown date', 'Oprettet', /^1800-01-01T04:00:00\.000$/, 20],
    ['with a time in the slashed style', 'Systid_fra', /^\d{4}\/\d\d\/\d\d \d\d:/, 300],
    ['with a time in the ISO style and no zone', 'Systid_fra', /^\d{4}-\d\d-\d\dT[\d:.]+$/, 300],
    ['with a document', 'Link', /^https?:/, 50],
    ['with a link that is no web address', 'Link', /^(file|javascript|dokumenter)/, 50],
    ['with an empty link', 'Link', /^$/, 20],
    ['of an authority in small letters', 'CVR_navn', /^r/, 20],
  ])('are sometimes %s', (_, attribute, pattern, atLeast) => {
    const found = count((feature) => pattern.test(read(feature, attribute) ?? 'null'));
    expect(found).toBeGreaterThanOrEqual(atLeast);
  });

  it('write codes as 3, "3", 3.0 and "3.0", each layer in its own way', () => {
    const codes = portal.map((layer) => {
      const adopted = data[layer].find((feature) => /^3/.test(read(feature, 'Statuskode')!))!;
      return [layer, adopted.properties['Statuskode']];
    });
    expect(Object.fromEntries(codes)).toEqual({
      soe: 3,
      aa: '3',
      skov: { raw: '3.0' },
      kirke: '3.0',
      dige: 3,
      natur: '3',
      vandloeb: { raw: '3.0' },
    });
  });

  it('have now and then a third ordinate, several parts or a hole', () => {
    const shapes = rows.map((feature) => feature.geometry);
    const given = shapes.filter((shape) => shape !== null);
    expect(given).toHaveLength(shapes.length);
    expect(given.filter((shape) => linesOf(shape)[0]![0]!.length === 3).length).toBeGreaterThan(50);
    const several = given.filter(
      (shape) => shape.type.startsWith('Multi') && shape.coordinates.length > 1,
    );
    expect(several.length).toBeGreaterThan(20);
    const holed = given.filter(
      (shape) => shape.type === 'MultiPolygon' && shape.coordinates.some((part) => part.length > 1),
    );
    expect(holed.length).toBeGreaterThan(50);
  });

  it('give several zones to some monuments, and every area once more at another scale', () => {
    const localities = data.fortidsminde.map((feature) => read(feature, 'systemnr'));
    expect(localities.length - new Set(localities).size).toBeGreaterThan(30);
    for (const theme of THEMES) expect(data[theme].length).toBe(2 * base(theme).length);
  });
});
