/**
 * The DAGI themes and the postal districts: labels on the island's cells, merged. The rows of each theme are in
 * `areas/`. Codes and names are invented and lie outside the registers' own series, so no sample answer can be
 * taken for a real one.
 */
import { join } from 'node:path';
import type { AreaId } from '../../src/layers/keys.ts';
import type { AttributeType, SampleFeature, SampleValue } from './feature.ts';
import type { Ring, SampleGeometry } from './geometry.ts';
import { at, multiPolygon, readLine, withHeight } from './geometry.ts';
import { readCsv } from './read-csv.ts';
import { SAMPLE_LAYERS } from './schemas.ts';
import { textIn } from './table-row.ts';
import type { TableRow } from './table-row.ts';
import type { Cell } from './topology.ts';
import { mergeCells } from './topology.ts';

const FOLDER = join(import.meta.dirname, 'areas');

/** Columns that are not written as they stand. */
const OURS = ['when', 'code', 'ring', 'id.lokalId'];

/** One theme: every area at 1:10.000 and, as the service mixes scales, once more at 1:250.000. */
export function themeFeatures(theme: AreaId): SampleFeature[] {
  return readCsv(FOLDER, theme)
    .filter(({ when }) => when !== 'begins')
    .flatMap((row) => {
      const geometry = groundOf(row, theme);
      return [
        dagiFeature({ theme, row, geometry, coarse: false }),
        dagiFeature({ theme, row, geometry: thinned(geometry), coarse: true }),
      ];
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
    begins: begins.map((row) => {
      const geometry = groundOf(row, `${theme}_kommende`);
      return dagiFeature({ theme, row, geometry, coarse: false });
    }),
  };
}

interface DagiFeature {
  readonly theme: AreaId;
  readonly row: TableRow;
  readonly geometry: SampleGeometry;
  readonly coarse: boolean;
}

function dagiFeature({ theme, row, geometry, coarse }: DagiFeature): SampleFeature {
  // Ids differ per scale: never join a base-scale reference to a generalised row.
  const id = Number(row['id.lokalId']) + (coarse ? 1_250_000_000 : 0);
  const { schema } = SAMPLE_LAYERS[theme];
  const own = Object.entries(row).filter(([name]) => !OURS.includes(name));
  return {
    id: `dagi.${id}`,
    properties: {
      'id.namespace': coarse ? 'http://data.gov.dk/dagi0250k' : 'http://data.gov.dk/dagi',
      'id.lokalId': id,
      status: 'vedtaget',
      geometristatus: 'endelig',
      virkningFra: '2018-03-09T00:00:00.000+01:00',
      virkningsaktoer: 'Prøveministeriet (opdigtet)',
      forretningshaendelse: 'DAGIajourføring',
      registreringFra: '2025-02-03T15:07:39.000+01:00',
      registreringsaktoer: 'Prøvestyrelsen (opdigtet)',
      forretningsomraade: '52.20.20.27',
      forretningsproces: coarse ? 'DAGIafledning' : 'DAGISYSeditor',
      navn: null,
      redigeringsret: 'Prøvestyrelsen (opdigtet)',
      dataspecifikation: 'DAGI Objektspecifikation version 2.0',
      landekode: 'DK',
      skala: coarse ? '1:250.000' : '1:10.000',
      udtraeksdato: '2026-11-01T02:00:00',
      ...Object.fromEntries(own.map(([name, text]) => [name, typed(text, schema[name])])),
    },
    // DAGI is delivered with a height of 0 though its specification says it is not 3D.
    geometry: coarse ? geometry : withHeight(geometry),
  };
}

function typed(text: string | null, type: AttributeType | undefined): SampleValue {
  if (text === null || type === undefined || type === 'string') return text;
  return type === 'boolean' ? text === 'true' : Number(text);
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
