/** The sample's data: the same every time, whole as a map, and as odd as the registers are. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { describe, expect, it } from 'vitest';
import { toUtm32 } from '../../src/geo/project.ts';
import type { Theme } from '../../src/layers/keys.ts';
import { LAYER_IDS, THEMES } from '../../src/layers/keys.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { valueText } from '../../sample/data/feature.ts';
import { envelopeOf, linesOf, mapPositions } from '../../sample/data/geometry.ts';

/** As much of a JTS geometry as is asked of it here; the package's own types do not resolve. */
interface Shape {
  getArea(): number;
}
const reader = new GeoJSONReader(new GeometryFactory()) as { read(geometry: unknown): Shape };
const isValid = (shape: Shape): boolean => IsValidOp.isValid(shape);

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

  it('is valid but for the two shapes broken on purpose', () => {
    const invalid = everything
      .filter((feature) => feature.geometry !== null)
      .filter((feature) => !isValid(reader.read(flat(feature))));
    expect(invalid.map((feature) => feature.id.split('.')[0])).toEqual([
      'bes_naturtyper',
      'bes_naturtyper',
    ]);
  });
});
