/** Names and provisions are D20 to D22. */
import type { LineLayer } from '../../layers/catalogue.ts';
import { LINE_KEYS, LINE_NAMES } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import { FRESHNESS, WFS_DEFAULTS, layerGuards } from '../../layers/layer-defaults.ts';
import type { WfsSource } from '../../layers/source.ts';

const PORTAL_URL = 'https://arealeditering-dist-geo.miljoeportal.dk/geoserver/wfs';

const HERITAGE_URL = 'https://www.kulturarv.dk/ffgeoserver/public/wfs';

const CADASTRE_URL = 'https://wfs.datafordeler.dk/MATRIKLEN2/MatGaeldendeOgForeloebigWFS/1.0.0/WFS';

function portal(typeName: string): WfsSource {
  return {
    ...WFS_DEFAULTS,
    host: 'portal',
    url: PORTAL_URL,
    typeName: `dai:${typeName}`,
    format: 'geojson',
    geometryProperty: 'Shape',
    keyProperty: 'Objekt_id',
  };
}

function cadastre(typeName: string): WfsSource {
  return {
    ...WFS_DEFAULTS,
    host: 'cadastre',
    url: CADASTRE_URL,
    typeName: `mat:${typeName}`,
    format: 'gml',
    geometryProperty: 'geometri',
    keyProperty: 'id.lokalId',
    srsName: 'urn:ogc:def:crs:EPSG::25832',
    apiKeyParameter: 'apikey',
  };
}

const heritage: WfsSource = {
  ...WFS_DEFAULTS,
  host: 'heritage',
  url: HERITAGE_URL,
  typeName: 'public:fundogfortidsminder_areal_beskyttelse',
  format: 'geojson',
  geometryProperty: 'geometri',
  keyProperty: 'beskyttelse_areal_lbnr',
  pageSize: 1_000,
};

interface LineText {
  readonly minRows: number;
  /** Of Naturbeskyttelsesloven, unless `law` is given. */
  readonly section: string;
  readonly law?: string;
  readonly geometry?: 'line';
  readonly mapping: LineLayer['mapping'];
  readonly source: WfsSource;
}

function onPortal(typeName: string, section: string, minRows: number): LineText {
  return { minRows, section, mapping: 'portal', source: portal(typeName) };
}

/** With the registers' own URLs (`SOURCES=live`). */
const LINES: Readonly<Record<LineKey, LineText>> = {
  strandbeskyttelse: {
    ...{ minRows: 40_000, section: '15', mapping: 'cadastre' },
    source: cadastre('StrandbeskyttelseFlade_Gaeldende'),
  },
  klitfredning: {
    ...{ minRows: 3_000, section: '8', mapping: 'cadastre' },
    source: cadastre('KlitfredningFlade_Gaeldende'),
  },
  soe: onPortal('soe_bes_linjer', '16', 200),
  aa: onPortal('aa_bes_linjer', '16', 200),
  skov: { ...onPortal('skovbyggelinjer', '17', 1_000), mapping: 'portal-skov' },
  kirke: onPortal('kirkebyggelinjer', '19', 500),
  fortidsminde: { minRows: 5_000, section: '18', mapping: 'heritage', source: heritage },
  dige: {
    ...onPortal('bes_sten_jorddiger_2022', '29 a', 10_000),
    ...{ law: 'Museumsloven', geometry: 'line', mapping: 'portal-dige' },
  },
  natur: { ...onPortal('bes_naturtyper', '3', 200_000), mapping: 'portal-natur' },
  vandloeb: { ...onPortal('bes_vandloeb', '3', 5_000), geometry: 'line' },
};

function line(id: LineKey): LineLayer {
  const { minRows, section, law = 'Naturbeskyttelsesloven', geometry = 'area' } = LINES[id];
  const { mapping, source } = LINES[id];
  return {
    ...{ register: 'building-lines', id, name: LINE_NAMES[id], provision: `${law} § ${section}` },
    ...{ geometry, dated: false, mapping, source, files: null, coverage: null },
    freshness: FRESHNESS.nightly,
    guards: layerGuards(minRows),
  };
}

export const LINE_LAYERS = Object.fromEntries(LINE_KEYS.map((id) => [id, line(id)])) as Readonly<
  Record<LineKey, LineLayer>
>;
