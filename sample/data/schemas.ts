/**
 * Each layer as the sample holds it: least rows, format, and the feature type's schema, attribute names
 * and types as the registers publish them (names not known from the WFS itself follow the pattern of
 * their neighbours).
 */
import type { AreaId, LayerId, LineKey } from '../../src/layers/keys.ts';
import type { ConditionId } from '../../src/layers/conditions/condition.ts';
import { conditionOf, isConditionId } from '../../src/layers/conditions/index.ts';
import type { FileSource } from '../../src/layers/source.ts';
import type { AttributeType, Schema } from './feature.ts';

/** How a portal layer writes its codes: each of these has been seen in exports. */
export type CodeStyle = 'integer' | 'text' | 'decimal' | 'decimal-text';

/** `2024-03-14T14:26:58.966` or `2014/04/24 15:45:20.000`; neither names a zone. */
export type TimeStyle = 'iso' | 'slashed';

export interface PortalStyle {
  readonly codes: CodeStyle;
  readonly times: TimeStyle;
  /** Code and text of its theme. */
  readonly theme: readonly [code: number, text: string];
}

/** The layers of the portal; those of the catalogue that come from there. */
export const PORTAL_STYLES = {
  soe: { codes: 'integer', times: 'iso', theme: [2003, 'Søbeskyttelseslinjer'] },
  aa: { codes: 'text', times: 'slashed', theme: [2004, 'Åbeskyttelseslinjer'] },
  skov: { codes: 'decimal', times: 'iso', theme: [2005, 'Skovbyggelinjer'] },
  kirke: { codes: 'decimal-text', times: 'iso', theme: [2008, 'Kirkebyggelinjer'] },
  dige: { codes: 'integer', times: 'iso', theme: [2002, 'Beskyttede sten- og jorddiger'] },
  natur: { codes: 'text', times: 'slashed', theme: [2013, 'Beskyttede naturtyper'] },
  vandloeb: { codes: 'decimal', times: 'iso', theme: [2014, 'Beskyttede vandløb'] },
} as const satisfies Readonly<Partial<Record<LineKey, PortalStyle>>>;
export type PortalLayer = keyof typeof PORTAL_STYLES;

const CODE_TYPES: Readonly<Record<CodeStyle, AttributeType>> = {
  integer: 'int',
  text: 'string',
  decimal: 'double',
  'decimal-text': 'string',
};

function portal(layer: PortalLayer, extra: (code: AttributeType) => Schema = () => ({})): Schema {
  const style = PORTAL_STYLES[layer];
  const code = CODE_TYPES[style.codes];
  const time = style.times === 'iso' ? 'dateTime' : 'string';
  return {
    Temakode: code,
    Temanavn: 'string',
    Objekt_id: 'string',
    Version_id: 'string',
    Systid_fra: time,
    Systid_til: time,
    Oprettet: time,
    Oprindkode: code,
    Oprindelse: 'string',
    Statuskode: code,
    Status: 'string',
    Off_kode: code,
    Offentlig: 'string',
    CVR_kode: code,
    CVR_navn: 'string',
    Bruger_id: 'string',
    Link: 'string',
    ...extra(code),
    Shape_area: 'double',
    Shape_length: 'double',
  };
}

const CADASTRE: Schema = {
  forretningshaendelse: 'string',
  senesteSagLokalId: 'string',
  forretningsproces: 'string',
  'id.namespace': 'string',
  'id.lokalId': 'string',
  paataenktHandling: 'string',
  registreringFra: 'dateTime',
  virkningFra: 'dateTime',
  virkningsaktoer: 'string',
  temaFladeID: 'int',
  tematype: 'string',
  jordstykkeLokalId: 'string',
};

const HERITAGE: Schema = {
  id: 'int',
  beskyttelse_areal_lbnr: 'int',
  systemnr: 'int',
  stednr: 'string',
  loknr: 'string',
  sbext: 'string',
  frednr: 'string',
  anlaegstype: 'string',
  datering: 'string',
  fred_status: 'string',
  url: 'string',
};

function dagi(own: Schema): Schema {
  return {
    'id.namespace': 'string',
    'id.lokalId': 'int',
    status: 'string',
    geometristatus: 'string',
    virkningFra: 'dateTime',
    virkningsaktoer: 'string',
    forretningshaendelse: 'string',
    registreringFra: 'dateTime',
    registreringsaktoer: 'string',
    forretningsomraade: 'string',
    forretningsproces: 'string',
    navn: 'string',
    redigeringsret: 'string',
    dataspecifikation: 'string',
    landekode: 'string',
    skala: 'string',
    udtraeksdato: 'dateTime',
    ...own,
  };
}

export const SCHEMAS: Readonly<Record<LineKey | AreaId, Schema>> = {
  region: dagi({ regionskode: 'int', NUTS2vaerdi: 'string' }),
  kommune: dagi({
    kommunekode: 'string',
    LAU1vaerdi: 'string',
    udenforKommuneinddeling: 'boolean',
    regionskode: 'int',
    regionsLokalId: 'int',
  }),
  sogn: dagi({ sognekode: 'int', LAU2vaerdi: 'int' }),
  retskreds: dagi({ myndighedskode: 'int', retskredsnummer: 'int' }),
  politikreds: dagi({ myndighedskode: 'int', politikredsnummer: 'int' }),
  opstillingskreds: dagi({
    opstillingskredsnummer: 'int',
    valgkredsnummer: 'int',
    storkredsnummer: 'int',
    storkredsLokalId: 'int',
  }),
  postnummer: dagi({ postnummer: 'string', erGadepostnummer: 'boolean' }),
  afstemningsomraade: dagi({ afstemningsomraadenummer: 'string', kommuneLokalId: 'int' }),
  menighedsraadsafstemningsomraade: dagi({
    MRafstemningsomraadenummer: 'string',
    kommuneLokalId: 'int',
  }),
  strandbeskyttelse: CADASTRE,
  klitfredning: CADASTRE,
  soe: portal('soe', (code) => ({
    Op_aars_k: code,
    Op_aarsag: 'string',
    Aendr_kode: code,
    Aendrbegr: 'string',
    Sagsbeh: 'string',
  })),
  aa: portal('aa', (code) => ({
    Op_aars_k: code,
    Op_aarsag: 'string',
    Aendr_kode: code,
    Aendrbegr: 'string',
    Sagsbeh: 'string',
  })),
  skov: portal('skov', (code) => ({
    Skovs_kode: code,
    Skovs_navn: 'string',
    Skov_eje_k: code,
    Skov_eje: 'string',
    Op_aars_k: code,
    Op_aarsag: 'string',
    Aendr_kode: code,
    Aendrbegr: 'string',
    Sagsbeh: 'string',
  })),
  kirke: portal('kirke', (code) => ({
    Aendr_kode: code,
    Aendrbegr: 'string',
    Sagsbeh: 'string',
  })),
  fortidsminde: HERITAGE,
  dige: portal('dige', () => ({
    T_digenr: 'string',
    Dige_id: 'int',
    Beskyt_kode: 'string',
    Digetypebeskrivelse: 'string',
    Vaerdi_kult: 'int',
    Vaerdi_land: 'int',
    Vaerdi_bio: 'int',
  })),
  natur: portal('natur', (code) => ({
    Natyp_kode: code,
    Natyp_navn: 'string',
    Aendr_kode: code,
    Aendrbegr: 'string',
    Sagsbeh: 'string',
    Gl_sys_ref: 'string',
    Besig_dato: 'string',
    Besig_aar: 'int',
    Journalnr: 'string',
    Vedligehold_status: 'string',
    Vedligehold_tid: 'string',
  })),
  vandloeb: portal('vandloeb', (code) => ({ Aendr_kode: code, Aendrbegr: 'string' })),
};

/** Columns in the order of what is declared of it. */
export function conditionSchema(id: ConditionId): Schema {
  const { source, objectId, inForce, fields } = conditionOf(id);
  const { decides, begins, ends, lapses } = inForce;
  const names = [
    [source.keyProperty],
    objectId,
    ...decides.map(({ columns }) => columns),
    ...[...begins, ...ends, lapses?.after ?? []],
    ...fields.map(({ from }) => from),
  ].flatMap((columns) => columns[0] ?? []);
  return Object.fromEntries([...new Set(names)].map((name) => [name, 'string' as const]));
}

export function schemaOf(layer: LayerId): Schema {
  return isConditionId(layer) ? conditionSchema(layer) : SCHEMAS[layer];
}

/** Least rows of each layer, a little under what the sample mirrors. */
export const MIN_ROWS: Readonly<Record<LineKey | AreaId, number>> = {
  region: 2,
  kommune: 6,
  sogn: 15,
  retskreds: 3,
  politikreds: 2,
  opstillingskreds: 4,
  postnummer: 6,
  afstemningsomraade: 9,
  menighedsraadsafstemningsomraade: 15,
  strandbeskyttelse: 200,
  klitfredning: 30,
  soe: 40,
  aa: 15,
  skov: 60,
  kirke: 10,
  fortidsminde: 150,
  dige: 200,
  natur: 300,
  vandloeb: 50,
};

/** Areas mirrored from files, every format among them; the others keep to the WFS. */
export const FILE_FORMATS: Readonly<Partial<Record<LayerId, FileSource['format']>>> = {
  region: 'json',
  kommune: 'gpkg',
  sogn: 'gml',
  postnummer: 'gpkg',
  afstemningsomraade: 'json',
  menighedsraadsafstemningsomraade: 'gpkg',
};
