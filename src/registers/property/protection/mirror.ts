import { Type } from 'typebox';
import { LIMITS } from '../../../kernel/limits.ts';
import { PROTECTION } from '../../../layers/keys.ts';
import { FRESHNESS } from '../../../layers/layer-defaults.ts';
import { PROTECTION_MEANINGS, PROTECTION_TEXTS } from './protection.ts';
import type { ProtectionMeanings } from './protection.ts';
import { PROTECTION_SCHEMA } from './tables.ts';
import type { Catalogue } from '../../../layers/catalogue.ts';
import { ownSetting } from '../../../layers/register.ts';
import type { MirroredTable, TableRegister } from '../../../layers/register.ts';
import type { FeatureTableSource } from '../../../layers/source.ts';

const COMMON: Omit<FeatureTableSource, 'typeName'> = {
  kind: 'wfs',
  host: 'heritage',
  url: 'https://www.kulturarv.dk/geoserver/wfs',
  format: 'geojson',
  geometryProperty: 'geom',
  keyProperty: 'bygningsid',
  srsName: 'EPSG:25832',
  pageSize: 5_000,
  pageTimeoutMs: 120_000,
  pointTimeoutMs: 8_000,
  tries: 3,
  apiKeyParameter: null,
  anyOf: [],
  maxRows: LIMITS.featureTableRows,
};

/** Of all buildings those with a value, a survey or a case. */
const SURVEYED: FeatureTableSource['anyOf'] = [
  { property: 'bevaringsvaerdi', values: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] },
  { property: 'fredningsstatus', values: ['3', '4'] },
];

/** Two thirds of the counts in upstream/registers-bbr.md 11; the number of cases is unknown. */
const LAYERS: Readonly<
  Record<string, { readonly minRows: number; readonly anyOf?: FeatureTableSource['anyOf'] }>
> = {
  fredede: { minRows: 4_700 },
  bevaringssag: { minRows: 1 },
  alle: { minRows: 230_000, anyOf: SURVEYED },
};

function layer([entity, { minRows, anyOf = [] }]: (typeof ENTRIES)[number]): [
  string,
  MirroredTable,
] {
  return [
    entity,
    {
      source: { ...COMMON, typeName: `fbb:view_bygning_${entity}`, anyOf },
      guards: {
        minRows,
        maxDropShare: 0.1,
        maxGrowthShare: 0.25,
        maxChangeShare: 0.2,
        changeFloorRows: 25,
        maxIssueShare: 0.02,
        maxDanglingShare: 1,
      },
    },
  ];
}

const ENTRIES = Object.entries(LAYERS);

const MEANINGS_SHAPE = Type.Record(
  Type.String({ pattern: '^\\d{1,4}$' }),
  Type.Union(PROTECTION_TEXTS.map((text) => Type.Literal(text))),
  { additionalProperties: false },
);

/** Meanings of building status codes (D114). */
export function protectionMeaningsOf({ registers }: Pick<Catalogue, 'registers'>) {
  return ownSetting(registers[PROTECTION], 'meanings') as ProtectionMeanings;
}

export const PROTECTION_REGISTER: TableRegister = {
  id: PROTECTION,
  register: 'protection',
  name: 'FBB',
  called: ['FBB', 'FBB'],
  freshness: FRESHNESS.nightly,
  tables: Object.fromEntries(ENTRIES.map(layer)),
  schema: PROTECTION_SCHEMA,
  own: { meanings: { value: PROTECTION_MEANINGS, schema: MEANINGS_SHAPE, isReplacedWhole: false } },
};
