/**
 * BBR as plain rows of text in tables of their own (`raw_bygning` …), under the register's names: for a
 * judge that knows nothing of how the service keeps them. Numbered fields are named by their first six
 * characters, the others without Danish letters.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { TableRow } from '../../sample/data/table-row.ts';
import { BUILDING_COLUMNS } from '../../src/registers/property/record-fields.ts';
import { realFile } from './real-data.ts';
import type { TestStore } from './store.ts';

export type RawRow = Readonly<Record<string, string | null | undefined>>;

/** Entities, and the columns a judge names though no row may have them. */
export const RAW_COLUMNS = {
  Ejendomsrelation: 'status bfenummer ejendomstype kommunekode',
  Grund:
    'status kommunekode gru010 gru021 gru022 gru023 gru024 gru025 gru026 gru027 gru028 bestemtfastejendom',
  GrundJordstykke: 'grund jordstykke',
  Bygning:
    `status kommunekode ${BUILDING_COLUMNS.map(({ prefix }) => prefix).join(' ')} byg031 byg123 byg124 byg125 ` +
    'byg126 byg127 byg128 byg129 byg404 byg406 grund jordstykke',
  BygningEjendomsrelation: 'bygning bygningpaafremmedgrund',
  Etage: 'status eta006 eta020 eta021 eta022 eta023 eta025 bygning',
  Opgang: 'status bygning',
  Enhed:
    'status enh020 enh026 enh031 enh051 enh052 adresseidentificerer etage opgang bygning ejerlejlighed',
  EnhedEjendomsrelation: 'enhed ejerlejlighed',
  TekniskAnlaeg:
    'status tek007 tek020 tek024 tek025 tek026 tek027 tek028 tek030 tek031 tek032 tek033 tek034 tek035 tek036 ' +
    'tek037 tek038 tek067 tek068 tek069 tek070 tek072 tek075 tek105 tek106 tek109 tek110 tek111 grund ' +
    'bygning enhed bygningpaafremmedgrund ejerlejlighed',
} as const;
const TABLES: Readonly<Record<RawEntity, string>> = {
  ...{ Bygning: 'CO50200', BygningEjendomsrelation: 'CO50300', Ejendomsrelation: 'CO50400' },
  ...{ Enhed: 'CO50500', EnhedEjendomsrelation: 'CO50600', Etage: 'CO50800', Grund: 'CO51000' },
  ...{ GrundJordstykke: 'CO51100', Opgang: 'CO51200', TekniskAnlaeg: 'CO51500' },
};

export type RawEntity = keyof typeof RAW_COLUMNS;
export const RAW_ENTITIES = Object.keys(RAW_COLUMNS) as RawEntity[];

const TIMES = 'id_lokalid registreringfra registreringtil virkningfra virkningtil';

/** `byg026Opførelsesår` is `byg026`; `bygningPåFremmedGrund` is `bygningpaafremmedgrund`. */
function plainName(name: string): string {
  const [numbered] = /^[a-z]{3}\d{3}/.exec(name) ?? [];
  const plain = name
    .toLowerCase()
    .replaceAll('å', 'aa')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'oe');
  return numbered ?? plain;
}

/** Fills `raw_<entity>`; an id that names another row (`…LokalId`) is named without that ending. */
export async function loadRaw(
  { pool }: Pick<TestStore, 'pool'>,
  entity: RawEntity,
  rows: readonly RawRow[],
): Promise<void> {
  const columns = `${TIMES} ${RAW_COLUMNS[entity]}`.split(' ');
  const table = `raw_${entity.toLowerCase()}`;
  await pool.query(`create table ${table} (${columns.map((name) => `${name} text`).join(', ')})`);
  const plain = rows.map((row) => {
    const named = Object.entries(row).map(([name, value]) => [plainName(name), value] as const);
    return new Map(named);
  });
  const values = columns.map((column) =>
    plain.map((row) => {
      const value = row.get(column) ?? row.get(`${column}lokalid`) ?? null;
      return value === '' ? null : value;
    }),
  );
  const places = columns.map((_, i) => `$${i + 1}::text[]`).join(', ');
  await pool.query(`insert into ${table} select * from unnest(${places})`, values);
}

/** Every version of the rows of an entity, from the zipped XML of the real extract. */
export function realRows(folder: string, entity: RawEntity): RawRow[] {
  const table = TABLES[entity];
  const name = readdirSync(folder).find((file) => file.includes(table));
  if (name === undefined) throw new Error(`No extract of ${entity}.`);
  const text = onlyMember(readFileSync(join(folder, name))).toString('latin1');
  const rows = text.matchAll(new RegExp(`<${table}t>(.*?)</${table}t>`, 'gs'));
  return [...rows].map(([, row = '']) => {
    const cells = row.matchAll(/<([^/>]+)>([^<]*)<\/\1>/g);
    return Object.fromEntries(
      [...cells].map(([, name = '', value = '']) => [name, plainText(value)]),
    );
  });
}

export type BbrExtract = Readonly<Record<RawEntity, readonly TableRow[]>>;

/** The real extract of April 2020 as rows of the register's tables; a value that is not there has no element. */
export function readBbrExtract(): BbrExtract {
  const rowOf = (row: RawRow) => {
    const values = Object.entries(row).filter(([name]) => !name.toLowerCase().startsWith('ois_'));
    return { registreringTil: null, virkningTil: null, ...Object.fromEntries(values) };
  };
  const entries = RAW_ENTITIES.map((entity) => [
    entity,
    realRows(realFile('bbr'), entity).map(rowOf),
  ]);
  return Object.fromEntries(entries) as BbrExtract;
}

function plainText(value: string): string {
  const named = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' } as const;
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: keyof typeof named) => named[name]);
}

/** Of a zip file with one member, found through its central directory. */
function onlyMember(zip: Buffer): Buffer {
  const directory = zip.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  const length = zip.readUInt32LE(directory + 20);
  const local = zip.readUInt32LE(directory + 42);
  const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return inflateRawSync(zip.subarray(from, from + length));
}
