/** The sample's data: the same every time, whole as a map, and as odd as the registers are. */
import { createHash } from 'node:crypto';
import GeometryFactory from 'jsts/org/locationtech/jts/geom/GeometryFactory.js';
import GeoJSONReader from 'jsts/org/locationtech/jts/io/GeoJSONReader.js';
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js';
import { describe, expect, it } from 'vitest';
import { LAYER_IDS, THEMES } from '../../src/layers/keys.ts';
import { generateSample } from '../../sample/data/dataset.ts';
import type { SampleFeature } from '../../sample/data/feature.ts';
import { valueText } from '../../sample/data/feature.ts';
import { mapPositions } from '../../sample/data/geometry.ts';

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

it('the sample map is valid but for the two shapes broken on purpose', () => {
  const invalid = everything
    .filter((feature) => feature.geometry !== null)
    .filter((feature) => !isValid(reader.read(flat(feature))));
  expect(invalid.map((feature) => feature.id.split('.')[0])).toEqual([
    'bes_naturtyper',
    'bes_naturtyper',
  ]);
});
