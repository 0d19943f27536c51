/**
 * The lines of the island, each a file of `lines/`: overlaps, holes, repeals, rows that are not adopted, have ended or
 * are hidden, and links that must not be passed on. On the SITES lie features with round measures alone: a forest zone
 * with a hole and a proposed one over its edge; dykes; a bog with a lake in it, and beside it two shapes that are not
 * valid: one crosses itself in the middle, one touches itself at the top and so walls in a triangle.
 */
import { join } from 'node:path';
import { layerOf } from '../../src/layers/catalogue.ts';
import type { LineKey } from '../../src/layers/keys.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { localName } from '../hosts.ts';
import { propertiesOf } from './feature.ts';
import type { SampleFeature } from './feature.ts';
import { at, multiLine, multiPolygon, polygon, readParts, withHeight } from './geometry.ts';
import { readCsv } from './read-csv.ts';
import { schemaOf } from './schemas.ts';
import { textIn } from './table-row.ts';
import type { TableRow } from './table-row.ts';

const FOLDER = join(import.meta.dirname, 'lines');

/** Texts that follow from a code. */
const CODES = readCsv(FOLDER, 'codes');

export function lineFeatures(layer: LineKey): SampleFeature[] {
  const { source, geometry } = layerOf(REGISTERS_CATALOGUE, layer);
  return readCsv(FOLDER, layer).map((row) => {
    const parts = readParts(textIn(row, 'shape'));
    const shape = geometry === 'line' ? multiLine(...at(parts, 0)) : multiPolygon(...parts);
    const flat = source.host === 'cadastre' ? polygon(...at(parts, 0)) : shape;
    return {
      id: `${localName(layer)}.${textIn(row, source.keyProperty)}`,
      properties: propertiesOf(schemaOf(layer), { ...row, ...textsOf(row) }),
      geometry: row['height'] ? withHeight(flat) : flat,
    };
  });
}

function textsOf(row: TableRow): TableRow {
  const said = CODES.filter(({ of, code }) => Number(row[of ?? ''] ?? NaN) === Number(code));
  return Object.fromEntries(said.map((each) => [textIn(each, 'column'), textIn(each, 'text')]));
}
