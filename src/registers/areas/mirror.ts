import type { AreaLayer, AreaLayers } from '../../layers/catalogue.ts';
import { DATAFORDELER_FILES } from '../../layers/datafordeler-tables.ts';
import { PARISH_POLLING, POLLING, POSTAL } from '../../layers/keys.ts';
import type { AreaId, Theme } from '../../layers/keys.ts';
import { FRESHNESS, WFS_DEFAULTS, layerGuards } from '../../layers/layer-defaults.ts';
import type { FileSource, Guards, KnownPlace, WfsSource } from '../../layers/source.ts';

const DAGI_URL = 'https://wfs.datafordeler.dk/DAGIM/DAGI_10MULTIGEOM_GMLSFP/1.0.0/WFS';

function dagi(typeName: string): WfsSource {
  return {
    ...WFS_DEFAULTS,
    host: 'dagi',
    url: DAGI_URL,
    typeName: `dagi10:${typeName}`,
    format: 'gml',
    geometryProperty: 'geometri',
    keyProperty: 'id.lokalId',
    srsName: 'urn:ogc:def:crs:EPSG::25832',
    pageSize: 100,
    pageTimeoutMs: 300_000,
    apiKeyParameter: 'apikey',
  };
}

function dagiFiles(entity: string): FileSource {
  return {
    ...DATAFORDELER_FILES,
    register: 'DAGI',
    entity,
    format: 'gpkg',
    keyProperty: 'id_lokalId',
    geometryProperty: 'geometri',
    srsName: 'EPSG:25832',
  };
}

/** Areas hardly change: a new coastline is 0.1 %. */
function themeGuards(minRows: number, knownPlaces: readonly KnownPlace[]): Guards {
  return {
    ...layerGuards(minRows),
    maxChangeShare: 0.5,
    maxAreaDropShare: 0.002,
    maxAreaGrowthShare: 0.002,
    maxRepairShare: 0.001,
    maxCanaryShare: 0.05,
    knownPlaces,
  };
}

/** Far from any border of these themes. */
const PLACES = {
  copenhagen: { lon: 12.5683, lat: 55.6761 },
  aarhus: { lon: 10.2039, lat: 56.1629 },
  odense: { lon: 10.3883, lat: 55.3959 },
  aalborg: { lon: 9.9187, lat: 57.0488 },
  bornholm: { lon: 14.92, lat: 55.13 },
} as const;

/** The two eastern regions merge on 1 January 2027, so they are left out. */
const KNOWN_CODES: Readonly<
  Partial<Record<AreaId, Readonly<Partial<Record<keyof typeof PLACES, string>>>>>
> = {
  region: { aarhus: '1082', odense: '1083', aalborg: '1081' },
  kommune: {
    copenhagen: '0101',
    aarhus: '0751',
    odense: '0461',
    aalborg: '0851',
    bornholm: '0400',
  },
  politikreds: {
    copenhagen: '1470',
    aarhus: '1461',
    odense: '1465',
    aalborg: '1460',
    bornholm: '1471',
  },
  // Copenhagen's districts are single streets, and the other place is near a border.
  [POSTAL]: { aarhus: '8000', odense: '5000', aalborg: '9000' },
};

function knownPlaces(id: AreaId): KnownPlace[] {
  return Object.entries(KNOWN_CODES[id] ?? {}).map(([place, code]) => ({
    code,
    ...PLACES[place as keyof typeof PLACES],
  }));
}

interface AreaText {
  readonly name: string;
  readonly typeName: string;
  readonly minRows: number;
  readonly entity?: string;
}

function area<Id extends AreaId>(
  id: Id,
  { name, typeName, minRows, entity = typeName }: AreaText,
): AreaLayer<Id> {
  return {
    register: 'dagi',
    id,
    geometry: 'area',
    dated: true,
    name,
    mapping: id,
    source: dagi(typeName),
    files: dagiFiles(entity),
    freshness: FRESHNESS.weekly,
    guards: themeGuards(minRows, knownPlaces(id)),
    coverage: null,
  };
}

function theme<Id extends Theme>(id: Id, text: Omit<AreaText, 'name'>): AreaLayer<Id> {
  return area(id, { name: id.slice(0, 1).toUpperCase() + id.slice(1), ...text });
}

/** Minimum row counts are those of registers-geo.md 2.7 (region 4 from 2027). */
export const AREA_LAYERS: AreaLayers = {
  region: theme('region', { typeName: 'Regionsinddeling', minRows: 4 }),
  kommune: theme('kommune', { typeName: 'Kommuneinddeling', minRows: 98 }),
  sogn: theme('sogn', { typeName: 'Sogneinddeling', minRows: 2_000 }),
  retskreds: theme('retskreds', { typeName: 'Retskreds', minRows: 24 }),
  politikreds: theme('politikreds', { typeName: 'Politikreds', minRows: 12 }),
  opstillingskreds: theme('opstillingskreds', { typeName: 'Opstillingskreds', minRows: 92 }),
  [POSTAL]: area(POSTAL, {
    name: 'Postdistrikt',
    typeName: 'Postnummerinddeling',
    minRows: 550,
  }),
  [POLLING]: area(POLLING, {
    name: 'Afstemningsområde',
    typeName: 'Afstemningsomraade',
    minRows: 900,
  }),
  [PARISH_POLLING]: area(PARISH_POLLING, {
    name: 'Menighedsrådsafstemningsområde',
    typeName: 'Menighedsraadsafstemningsomraade',
    entity: 'MRafstemningsomraade',
    minRows: 1_400,
  }),
};
