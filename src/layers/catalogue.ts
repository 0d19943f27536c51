/**
 * The catalogue: what is mirrored, as data. Everything that must know "which layers are there"
 * reads this. Names and provisions are D20 to D22; type names and addresses are the registers' own.
 */
import { LIMITS } from '../kernel/limits.ts';
import { ADDRESS_REGISTER } from './address-register.ts';
import type { Announcement } from './announcement.ts';
import { ASSESSMENT_REGISTER } from './assessment-register.ts';
import { BBR_REGISTER } from './bbr-register.ts';
import { CADASTRE_REGISTER } from './cadastre-register.ts';
import type { Coverage } from './coverage.ts';
import type { AreaId, LayerId, LineKey, MirrorId, RegisterId, Theme } from './keys.ts';
import {
  ADDRESSES,
  ASSESSMENTS,
  BBR,
  CADASTRE,
  LAYER_IDS,
  PLACE_NAMES,
  POSTAL,
  PROTECTION,
  isLineKey,
} from './keys.ts';
import { PLACE_REGISTER } from './place-register.ts';
import { PROTECTION_REGISTER } from './protection-register.ts';
import { overrideRegister } from './register.ts';
import type { RegisterOverride, TableRegister } from './register.ts';
import type { FileSource, Freshness, Guards, KnownPlace, SourceHost, WfsSource } from './source.ts';

export type MappingId =
  | 'portal'
  | 'portal-skov'
  | 'portal-natur'
  | 'portal-dige'
  | 'cadastre'
  | 'heritage'
  | AreaId;

interface LayerBase {
  readonly id: LayerId;
  readonly mapping: MappingId;
  /** Asked live for one point, and mirrored where there is no file or its listing fails. */
  readonly source: WfsSource;
  /** Where the whole table is to be had as a file: the first choice of a sync. */
  readonly files: FileSource | null;
  readonly freshness: Freshness;
  readonly guards: Guards;
  /** The land its source claims to cover; null: the country. */
  readonly coverage: Coverage | null;
  /** Whether its rows are announced with a date, and become valid by it. */
  readonly dated: boolean;
}

/** One of the ten lines. `geometry` is the register's: an area is the zone, a line is the thing. */
export interface LineLayer extends LayerBase {
  readonly register: 'building-lines';
  readonly id: LineKey;
  readonly geometry: 'area' | 'line';
  readonly dated: false;
  /** Display name (D21) and legal provision (D22). */
  readonly name: string;
  readonly provision: string;
}

/** One of the six DAGI themes, or the postal districts. */
export interface AreaLayer<Id extends AreaId = AreaId> extends LayerBase {
  readonly register: 'dagi';
  readonly id: Id;
  readonly geometry: 'area';
  readonly dated: true;
  readonly name: string;
  /** The column of the public code. */
  readonly codeColumn: string;
  /** Changes that are known ahead and that no file carries yet. */
  readonly announcements?: readonly Announcement[];
}

export type Layer = LineLayer | AreaLayer;

const PORTAL_URL = 'https://arealeditering-dist-geo.miljoeportal.dk/geoserver/wfs';
const HERITAGE_URL = 'https://www.kulturarv.dk/ffgeoserver/public/wfs';
const CADASTRE_URL = 'https://wfs.datafordeler.dk/MATRIKLEN2/MatGaeldendeOgForeloebigWFS/1.0.0/WFS';
const DAGI_URL = 'https://wfs.datafordeler.dk/DAGIM/DAGI_10MULTIGEOM_GMLSFP/1.0.0/WFS';
const DOWNLOADS_URL = 'https://api.datafordeler.dk/FileDownloads';

const DAY_S = 24 * 3600;

/** Nightly layers: a night may be missed before a copy counts as late. */
const NIGHTLY: Freshness = { limitS: 2 * DAY_S, hardLimitS: LIMITS.hardAgeS };
/** DAGI totals are weekly. */
const WEEKLY: Freshness = { limitS: 8 * DAY_S, hardLimitS: LIMITS.hardAgeS };

const COMMON = {
  kind: 'wfs',
  srsName: 'EPSG:25832',
  pageSize: 2_000,
  pageTimeoutMs: 120_000,
  pointTimeoutMs: 8_000,
  tries: 3,
  apiKeyParameter: null,
} as const;

function portal(typeName: string): WfsSource {
  return {
    ...COMMON,
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
    ...COMMON,
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
  ...COMMON,
  host: 'heritage',
  url: HERITAGE_URL,
  typeName: 'public:fundogfortidsminder_areal_beskyttelse',
  format: 'geojson',
  geometryProperty: 'geometri',
  keyProperty: 'beskyttelse_areal_lbnr',
  pageSize: 1_000,
};

function dagi(typeName: string): WfsSource {
  return {
    ...COMMON,
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
    kind: 'files',
    host: 'datafordeler-files',
    listUrl: `${DOWNLOADS_URL}/v2.0/GetAvailableFileDownloads`,
    fetchUrl: `${DOWNLOADS_URL}/v1.0/GetFile`,
    register: 'DAGI',
    entity,
    format: 'gpkg',
    versions: ['1', '2', '3'],
    minBytes: 10_000,
    keyProperty: 'id_lokalId',
    geometryProperty: 'geometri',
    srsName: 'EPSG:25832',
    listTimeoutMs: 60_000,
    fetchTimeoutMs: 30 * 60_000,
    tries: 10,
    apiKeyParameter: 'apikey',
  };
}

/** Guards sized by what is known of each layer (upstream/byggelinjer.md 6, registers-geo.md 2.7). */
function lineGuards(minRows: number): Guards {
  return {
    minRows,
    maxChangeShare: 0.2,
    changeFloorRows: 25,
    maxIssueShare: 0.02,
    maxLostRows: 0,
    maxDropShare: 0.1,
    maxGrowthShare: 0.25,
    maxAreaDropShare: 0.2,
    maxAreaGrowthShare: 0.25,
    maxRepairShare: 0.01,
    maxCanaryShare: 0.1,
    knownPlaces: [],
  };
}

/** Areas cover the same land from year to year, and hardly move: a new coastline is 0.1 %. */
function themeGuards(minRows: number, knownPlaces: readonly KnownPlace[]): Guards {
  return {
    ...lineGuards(minRows),
    maxChangeShare: 0.5,
    maxAreaDropShare: 0.002,
    maxAreaGrowthShare: 0.002,
    maxRepairShare: 0.001,
    maxCanaryShare: 0.05,
    knownPlaces,
  };
}

/** Midst of five cities and an island, far from any border of these themes. */
const PLACES = {
  copenhagen: { lon: 12.5683, lat: 55.6761 },
  aarhus: { lon: 10.2039, lat: 56.1629 },
  odense: { lon: 10.3883, lat: 55.3959 },
  aalborg: { lon: 9.9187, lat: 57.0488 },
  bornholm: { lon: 14.92, lat: 55.13 },
} as const;

/** Codes by place. The two eastern regions merge on 1 January 2027 and are left out. */
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
  // Copenhagen's are streets of their own, and the other midst is near a border.
  [POSTAL]: { aarhus: '8000', odense: '5000', aalborg: '9000' },
};

function knownPlaces(id: AreaId): KnownPlace[] {
  return Object.entries(KNOWN_CODES[id] ?? {}).map(([place, code]) => ({
    code,
    ...PLACES[place as keyof typeof PLACES],
  }));
}

type LineText = Pick<LineLayer, 'name' | 'provision' | 'geometry' | 'mapping' | 'source'>;

function line(id: LineKey, minRows: number, text: LineText): LineLayer {
  return {
    register: 'building-lines',
    id,
    ...text,
    dated: false,
    files: null,
    freshness: NIGHTLY,
    guards: lineGuards(minRows),
    coverage: null,
  };
}

interface AreaText {
  readonly name: string;
  /** Of the classic service; the entity of the files has the same. */
  readonly typeName: string;
  readonly codeColumn: string;
  readonly minRows: number;
}

function area<Id extends AreaId>(
  id: Id,
  { name, typeName, codeColumn, minRows }: AreaText,
): AreaLayer<Id> {
  return {
    register: 'dagi',
    id,
    geometry: 'area',
    dated: true,
    name,
    codeColumn,
    mapping: id,
    source: dagi(typeName),
    files: dagiFiles(typeName),
    freshness: WEEKLY,
    guards: themeGuards(minRows, knownPlaces(id)),
    coverage: null,
  };
}

const NBL = 'Naturbeskyttelsesloven';

/** The ten lines by key, with the registers' own addresses (`SOURCES=live`). */
export const LINE_LAYERS: Readonly<Record<LineKey, LineLayer>> = {
  strandbeskyttelse: line('strandbeskyttelse', 40_000, {
    geometry: 'area',
    name: 'Strandbeskyttelseslinje',
    provision: `${NBL} § 15`,
    mapping: 'cadastre',
    source: cadastre('StrandbeskyttelseFlade_Gaeldende'),
  }),
  klitfredning: line('klitfredning', 3_000, {
    geometry: 'area',
    name: 'Klitfredningslinje',
    provision: `${NBL} § 8`,
    mapping: 'cadastre',
    source: cadastre('KlitfredningFlade_Gaeldende'),
  }),
  soe: line('soe', 200, {
    geometry: 'area',
    name: 'Søbeskyttelseslinje',
    provision: `${NBL} § 16`,
    mapping: 'portal',
    source: portal('soe_bes_linjer'),
  }),
  aa: line('aa', 200, {
    geometry: 'area',
    name: 'Åbeskyttelseslinje',
    provision: `${NBL} § 16`,
    mapping: 'portal',
    source: portal('aa_bes_linjer'),
  }),
  skov: line('skov', 1_000, {
    geometry: 'area',
    name: 'Skovbyggelinje',
    provision: `${NBL} § 17`,
    mapping: 'portal-skov',
    source: portal('skovbyggelinjer'),
  }),
  kirke: line('kirke', 500, {
    geometry: 'area',
    name: 'Kirkebyggelinje',
    provision: `${NBL} § 19`,
    mapping: 'portal',
    source: portal('kirkebyggelinjer'),
  }),
  fortidsminde: line('fortidsminde', 5_000, {
    geometry: 'area',
    name: 'Fortidsmindebeskyttelseslinje',
    provision: `${NBL} § 18`,
    mapping: 'heritage',
    source: heritage,
  }),
  dige: line('dige', 10_000, {
    geometry: 'line',
    name: 'Beskyttet sten- og jorddige',
    provision: 'Museumsloven § 29 a',
    mapping: 'portal-dige',
    source: portal('bes_sten_jorddiger_2022'),
  }),
  natur: line('natur', 200_000, {
    geometry: 'area',
    name: 'Beskyttet natur (§ 3)',
    provision: `${NBL} § 3`,
    mapping: 'portal-natur',
    source: portal('bes_naturtyper'),
  }),
  vandloeb: line('vandloeb', 5_000, {
    geometry: 'line',
    name: 'Beskyttet vandløb (§ 3)',
    provision: `${NBL} § 3`,
    mapping: 'portal',
    source: portal('bes_vandloeb'),
  }),
};

export type AreaLayers = { readonly [Id in AreaId]: AreaLayer<Id> };

function theme<Id extends Theme>(id: Id, text: Omit<AreaText, 'name'>): AreaLayer<Id> {
  return area(id, { name: id.slice(0, 1).toUpperCase() + id.slice(1), ...text });
}

/**
 * The areas by key. Least row counts of the themes are those of registers-geo.md 2.7 (region 4 from
 * 2027); of the postal districts some 1,090 are known, of which 500 are streets in Copenhagen. Courts and police go
 * by authority code, not by running number.
 */
export const AREA_LAYERS: AreaLayers = {
  region: theme('region', { typeName: 'Regionsinddeling', codeColumn: 'regionskode', minRows: 4 }),
  kommune: theme('kommune', {
    typeName: 'Kommuneinddeling',
    codeColumn: 'kommunekode',
    minRows: 98,
  }),
  sogn: theme('sogn', { typeName: 'Sogneinddeling', codeColumn: 'sognekode', minRows: 2_000 }),
  retskreds: theme('retskreds', {
    typeName: 'Retskreds',
    codeColumn: 'myndighedskode',
    minRows: 24,
  }),
  politikreds: theme('politikreds', {
    typeName: 'Politikreds',
    codeColumn: 'myndighedskode',
    minRows: 12,
  }),
  opstillingskreds: theme('opstillingskreds', {
    typeName: 'Opstillingskreds',
    codeColumn: 'opstillingskredsnummer',
    minRows: 92,
  }),
  [POSTAL]: area(POSTAL, {
    name: 'Postdistrikt',
    typeName: 'Postnummerinddeling',
    codeColumn: 'postnummer',
    minRows: 550,
  }),
};

/** A catalogue in force: the definitions above, or the same with overridden sources and guards. */
export interface Catalogue {
  readonly lines: Readonly<Record<LineKey, LineLayer>>;
  readonly areas: AreaLayers;
  readonly registers: Readonly<Record<RegisterId, TableRegister>>;
}

/** Registers that have no folder of their own yet. */
export const UNMOVED: Pick<
  Catalogue['registers'],
  | typeof CADASTRE
  | typeof ADDRESSES
  | typeof BBR
  | typeof ASSESSMENTS
  | typeof PROTECTION
  | typeof PLACE_NAMES
> = {
  [CADASTRE]: CADASTRE_REGISTER,
  [ADDRESSES]: ADDRESS_REGISTER,
  [BBR]: BBR_REGISTER,
  [ASSESSMENTS]: ASSESSMENT_REGISTER,
  [PROTECTION]: PROTECTION_REGISTER,
  [PLACE_NAMES]: PLACE_REGISTER,
};

/** Whatever is mirrored under a version of its own. */
export type Mirrored = Layer | TableRegister;

/** Everything mirrored, layers first (the order of MIRROR_IDS). */
export function allMirrored(catalogue: Catalogue): readonly Mirrored[] {
  return [...allLayers(catalogue), ...Object.values(catalogue.registers)];
}

export function mirroredOf(catalogue: Catalogue, id: MirrorId): Mirrored {
  const registers: Readonly<Partial<Record<MirrorId, TableRegister>>> = catalogue.registers;
  return registers[id] ?? layerOf(catalogue, id as LayerId);
}

/** The host it is read from, and whether that asks for a key. null: none of it is read here. */
export function sourceHostOf(
  mirrored: Mirrored,
): { readonly host: SourceHost; readonly apiKeyParameter: string | null } | null {
  if (!('tables' in mirrored)) return mirrored.source;
  return Object.values(mirrored.tables).find(({ source }) => source !== null)?.source ?? null;
}

/** Every layer, in the order of LAYER_IDS. */
export function allLayers(catalogue: Catalogue): readonly Layer[] {
  return LAYER_IDS.map((id) => layerOf(catalogue, id));
}

export function layerOf({ lines, areas }: Catalogue, id: LayerId): Layer {
  return isLineKey(id) ? lines[id] : areas[id];
}

/** What an override file or a sample says about one layer; everything else stays as defined. */
export interface LayerOverride {
  readonly source?: Partial<WfsSource>;
  /** null: no files, the WFS is mirrored. Nothing to replace where the definition has none. */
  readonly files?: Partial<FileSource> | null;
  readonly freshness?: Partial<Freshness>;
  readonly guards?: Partial<Guards>;
  /** null: the country. */
  readonly coverage?: Coverage | null;
  /** Areas only. */
  readonly announcements?: readonly Announcement[];
}

/** By the key of what is mirrored; what is not named stays as defined. */
export type SourceOverrides = Readonly<Partial<Record<LayerId, LayerOverride>>> &
  Readonly<Partial<Record<RegisterId, RegisterOverride>>>;

/** The catalogue with some sources, freshness or guards replaced. */
export function overrideCatalogue(base: Catalogue, overrides: SourceOverrides): Catalogue {
  const apply = <L extends Layer>(layer: L): L => {
    const change = overrides[layer.id];
    if (change === undefined) return layer;
    return {
      ...layer,
      source: { ...layer.source, ...change.source },
      files:
        layer.files === null || change.files === null ? null : { ...layer.files, ...change.files },
      freshness: { ...layer.freshness, ...change.freshness },
      guards: { ...layer.guards, ...change.guards },
      ...(change.coverage !== undefined && { coverage: change.coverage }),
      ...(change.announcements !== undefined && { announcements: change.announcements }),
    };
  };
  return {
    lines: mapRecord(base.lines, apply),
    areas: mapRecord(base.areas, apply) as AreaLayers,
    registers: mapRecord(base.registers, (register) =>
      overrideRegister(register, overrides[register.id] ?? {}),
    ),
  };
}

function mapRecord<K extends string, V>(
  record: Readonly<Record<K, V>>,
  change: (value: V) => V,
): Record<K, V> {
  return Object.fromEntries(
    Object.entries<V>(record).map(([key, value]) => [key, change(value)]),
  ) as Record<K, V>;
}
