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

/** From `name:type` words; a word alone is a text. `own` has the types of one layer. */
function schema(text: string, own: Readonly<Record<string, AttributeType>> = {}): Schema {
  const words = text.trim().split(/\s+/);
  const attributes = words.map((word) => {
    const [name = '', type = 'string'] = word.split(':');
    return [name, own[type] ?? (type as AttributeType)] as const;
  });
  return Object.fromEntries(attributes);
}

function portal(layer: PortalLayer, extra = ''): Schema {
  const { codes, times } = PORTAL_STYLES[layer];
  return schema(
    `Temakode:code Temanavn Objekt_id Version_id Systid_fra:time Systid_til:time Oprettet:time
    Oprindkode:code Oprindelse Statuskode:code Status Off_kode:code Offentlig CVR_kode:code CVR_navn
    Bruger_id Link ${extra} Shape_area:double Shape_length:double`,
    { code: CODE_TYPES[codes], time: times === 'iso' ? 'dateTime' : 'string' },
  );
}

const REPEALED = 'Op_aars_k:code Op_aarsag';
const CHANGED = 'Aendr_kode:code Aendrbegr';

const CADASTRE = schema(`forretningshaendelse senesteSagLokalId forretningsproces id.namespace
  id.lokalId paataenktHandling registreringFra:dateTime virkningFra:dateTime virkningsaktoer
  temaFladeID:int tematype jordstykkeLokalId`);

const HERITAGE = schema(`id:int beskyttelse_areal_lbnr:int systemnr:int stednr loknr sbext frednr
  anlaegstype datering fred_status url`);

function dagi(own: string): Schema {
  return schema(`id.namespace id.lokalId:int status geometristatus virkningFra:dateTime virkningsaktoer
    forretningshaendelse registreringFra:dateTime registreringsaktoer forretningsomraade forretningsproces
    navn redigeringsret dataspecifikation landekode skala udtraeksdato:dateTime ${own}`);
}

interface SampleLayer {
  /** A little under what the sample mirrors. */
  readonly minRows: number;
  readonly schema: Schema;
  /** Areas mirrored from files, every format among them; the others keep to the WFS. */
  readonly file?: FileSource['format'];
}

export const SAMPLE_LAYERS: Readonly<Record<LineKey | AreaId, SampleLayer>> = {
  region: { minRows: 2, file: 'json', schema: dagi('regionskode:int NUTS2vaerdi') },
  kommune: {
    minRows: 6,
    file: 'gpkg',
    schema: dagi(`kommunekode LAU1vaerdi udenforKommuneinddeling:boolean regionskode:int
      regionsLokalId:int`),
  },
  sogn: { minRows: 15, file: 'gml', schema: dagi('sognekode:int LAU2vaerdi:int') },
  retskreds: { minRows: 3, schema: dagi('myndighedskode:int retskredsnummer:int') },
  politikreds: { minRows: 2, schema: dagi('myndighedskode:int politikredsnummer:int') },
  opstillingskreds: {
    minRows: 4,
    schema: dagi(`opstillingskredsnummer:int valgkredsnummer:int storkredsnummer:int
      storkredsLokalId:int`),
  },
  postnummer: { minRows: 6, file: 'gpkg', schema: dagi('postnummer erGadepostnummer:boolean') },
  afstemningsomraade: {
    minRows: 9,
    file: 'json',
    schema: dagi('afstemningsomraadenummer kommuneLokalId:int'),
  },
  menighedsraadsafstemningsomraade: {
    minRows: 15,
    file: 'gpkg',
    schema: dagi('MRafstemningsomraadenummer kommuneLokalId:int'),
  },
  strandbeskyttelse: { minRows: 200, schema: CADASTRE },
  klitfredning: { minRows: 30, schema: CADASTRE },
  soe: { minRows: 40, schema: portal('soe', `${REPEALED} ${CHANGED} Sagsbeh`) },
  aa: { minRows: 15, schema: portal('aa', `${REPEALED} ${CHANGED} Sagsbeh`) },
  skov: {
    minRows: 60,
    schema: portal(
      'skov',
      `Skovs_kode:code Skovs_navn Skov_eje_k:code Skov_eje ${REPEALED} ${CHANGED} Sagsbeh`,
    ),
  },
  kirke: { minRows: 10, schema: portal('kirke', `${CHANGED} Sagsbeh`) },
  fortidsminde: { minRows: 150, schema: HERITAGE },
  dige: {
    minRows: 200,
    schema: portal(
      'dige',
      `T_digenr Dige_id:int Beskyt_kode Digetypebeskrivelse Vaerdi_kult:int Vaerdi_land:int
      Vaerdi_bio:int`,
    ),
  },
  natur: {
    minRows: 300,
    schema: portal(
      'natur',
      `Natyp_kode:code Natyp_navn ${CHANGED} Sagsbeh Gl_sys_ref Besig_dato Besig_aar:int Journalnr
      Vedligehold_status Vedligehold_tid`,
    ),
  },
  vandloeb: { minRows: 50, schema: portal('vandloeb', CHANGED) },
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
  return isConditionId(layer) ? conditionSchema(layer) : SAMPLE_LAYERS[layer].schema;
}
