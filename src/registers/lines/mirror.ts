/** The mirrors of the ten lines. Names and provisions are D20 to D22. */
import { LIMITS } from '../../kernel/limits.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import { LINE_NAMES } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import { WFS_DEFAULTS, layerGuards } from '../../layers/layer-defaults.ts';
import type { Freshness, WfsSource } from '../../layers/source.ts';

const PORTAL_URL = 'https://arealeditering-dist-geo.miljoeportal.dk/geoserver/wfs';

const HERITAGE_URL = 'https://www.kulturarv.dk/ffgeoserver/public/wfs';

const CADASTRE_URL = 'https://wfs.datafordeler.dk/MATRIKLEN2/MatGaeldendeOgForeloebigWFS/1.0.0/WFS';

const DAY_S = 24 * 3600;

/** Nightly layers: one night may be missed before a copy counts as late. */
const NIGHTLY: Freshness = { limitS: 2 * DAY_S, hardLimitS: LIMITS.hardAgeS };

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

type LineText = Pick<LineLayer, 'provision' | 'geometry' | 'mapping' | 'source'>;

function line(id: LineKey, minRows: number, text: LineText): LineLayer {
  return {
    register: 'building-lines',
    id,
    name: LINE_NAMES[id],
    ...text,
    dated: false,
    files: null,
    freshness: NIGHTLY,
    guards: layerGuards(minRows),
    coverage: null,
  };
}

const NBL = 'Naturbeskyttelsesloven';

/** By key, with the registers' own URLs (`SOURCES=live`). */
export const LINE_LAYERS: Readonly<Record<LineKey, LineLayer>> = {
  strandbeskyttelse: line('strandbeskyttelse', 40_000, {
    geometry: 'area',
    provision: `${NBL} § 15`,
    mapping: 'cadastre',
    source: cadastre('StrandbeskyttelseFlade_Gaeldende'),
  }),
  klitfredning: line('klitfredning', 3_000, {
    geometry: 'area',
    provision: `${NBL} § 8`,
    mapping: 'cadastre',
    source: cadastre('KlitfredningFlade_Gaeldende'),
  }),
  soe: line('soe', 200, {
    geometry: 'area',
    provision: `${NBL} § 16`,
    mapping: 'portal',
    source: portal('soe_bes_linjer'),
  }),
  aa: line('aa', 200, {
    geometry: 'area',
    provision: `${NBL} § 16`,
    mapping: 'portal',
    source: portal('aa_bes_linjer'),
  }),
  skov: line('skov', 1_000, {
    geometry: 'area',
    provision: `${NBL} § 17`,
    mapping: 'portal-skov',
    source: portal('skovbyggelinjer'),
  }),
  kirke: line('kirke', 500, {
    geometry: 'area',
    provision: `${NBL} § 19`,
    mapping: 'portal',
    source: portal('kirkebyggelinjer'),
  }),
  fortidsminde: line('fortidsminde', 5_000, {
    geometry: 'area',
    provision: `${NBL} § 18`,
    mapping: 'heritage',
    source: heritage,
  }),
  dige: line('dige', 10_000, {
    geometry: 'line',
    provision: 'Museumsloven § 29 a',
    mapping: 'portal-dige',
    source: portal('bes_sten_jorddiger_2022'),
  }),
  natur: line('natur', 200_000, {
    geometry: 'area',
    provision: `${NBL} § 3`,
    mapping: 'portal-natur',
    source: portal('bes_naturtyper'),
  }),
  vandloeb: line('vandloeb', 5_000, {
    geometry: 'line',
    provision: `${NBL} § 3`,
    mapping: 'portal',
    source: portal('bes_vandloeb'),
  }),
};
