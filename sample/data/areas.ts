/**
 * The DAGI themes and the postal districts: labels on the island's cells, merged. The rows of each theme are in
 * `areas/`. Codes and names are invented and lie outside the registers' own series, so no sample answer can be
 * taken for a real one.
 */
import { join } from 'node:path';
import type { AreaId } from '../../src/layers/keys.ts';
import { propertiesOf } from './feature.ts';
import type { SampleFeature } from './feature.ts';
import type { Ring, SampleGeometry } from './geometry.ts';
import { at, multiPolygon, readLine, withHeight } from './geometry.ts';
import { readCsv } from './read-csv.ts';
import { schemaOf } from './schemas.ts';
import { textIn } from './table-row.ts';
import type { TableRow } from './table-row.ts';
import type { Cell } from './topology.ts';
import { mergeCells } from './topology.ts';

const FOLDER = join(import.meta.dirname, 'areas');

/** What is otherwise at the small scale. */
const COARSE = {
  'id.namespace': 'http://data.gov.dk/dagi0250k',
  forretningsproces: 'DAGIafledning',
  skala: '1:250.000',
};

/** One theme: every area at 1:10.000 and, as the service mixes scales, once more at 1:250.000. */
export function themeFeatures(theme: AreaId): SampleFeature[] {
  return readCsv(FOLDER, theme)
    .filter(({ when }) => when !== 'begins')
    .flatMap((row) => {
      const geometry = groundOf(row, theme);
      return [dagiFeature(theme, row, geometry), dagiFeature(theme, row, thinned(geometry), true)];
    });
}

/** Its cells; postal districts may run out into the sea, unlike every other area. */
function groundOf({ code, ring }: TableRow, label: string): SampleGeometry {
  if (ring) return multiPolygon([readLine(ring)]);
  return mergeCells(islandCells().filter(({ labels }) => labels[label] === code));
}

let cells: readonly Cell[] | undefined;

function islandCells(): readonly Cell[] {
  return (cells ??= readCsv(FOLDER, 'cells').map((labels) => ({
    labels,
    ring: readLine(textIn(labels, 'ring')),
  })));
}

/** What a theme announces: areas that end, and areas as they will be. */
export interface AnnouncedAreas {
  /** Local ids at the base scale. */
  readonly ends: readonly string[];
  readonly begins: readonly SampleFeature[];
}

/** The regions become one; a parish loses its inland half to a new one. null: the theme has no plans. */
export function announcedAreas(theme: AreaId): AnnouncedAreas | null {
  const planned = Map.groupBy(readCsv(FOLDER, theme), ({ when }) => when);
  const begins = planned.get('begins');
  if (begins === undefined) return null;
  return {
    ends: (planned.get('ends') ?? []).map((row) => textIn(row, 'id.lokalId')),
    begins: begins.map((row) => dagiFeature(theme, row, groundOf(row, `${theme}_kommende`))),
  };
}

function dagiFeature(
  theme: AreaId,
  row: TableRow,
  geometry: SampleGeometry,
  coarse = false,
): SampleFeature {
  // Ids differ per scale: never join a base-scale reference to a generalised row.
  const id = String(Number(row['id.lokalId']) + (coarse ? 1_250_000_000 : 0));
  return {
    id: `dagi.${id}`,
    properties: propertiesOf(schemaOf(theme), { ...row, 'id.lokalId': id, ...(coarse && COARSE) }),
    // DAGI is delivered with a height of 0 though its specification says it is not 3D.
    geometry: coarse ? geometry : withHeight(geometry),
  };
}

/** Every fourth vertex: what a small scale looks like, and plainly not what a point is asked of. */
function thinned(geometry: SampleGeometry): SampleGeometry {
  if (geometry.type !== 'MultiPolygon') return geometry;
  const thin = (line: Ring): Ring => {
    const kept = line.slice(0, -1).filter((_, i) => i % 4 === 0);
    return [...kept, at(kept, 0)];
  };
  return { type: 'MultiPolygon', coordinates: geometry.coordinates.map((part) => part.map(thin)) };
}
