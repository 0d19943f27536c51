/**
 * The extract of BBR of April 2020 (every registration of some thousand buildings), as rows of the
 * register's tables: its files are XML in ISO-8859-1, which the register no longer writes.
 */
import { realFile } from './real-data.ts';
import { openMember } from '../../src/downloads/unzip.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { BbrEntity } from '../../sample/registers/property/buildings.ts';

export const FILES: Readonly<Record<BbrEntity, string>> = {
  Bygning: 'CO50200T_NA000_00001_20200418_010137',
  BygningEjendomsrelation: 'CO50300T_NA000_00001_20200418_010143',
  Ejendomsrelation: 'CO50400T_NA000_00001_20200418_010148',
  Enhed: 'CO50500T_NA000_00001_20200418_010154',
  EnhedEjendomsrelation: 'CO50600T_NA000_00001_20200418_010241',
  Etage: 'CO50800T_NA000_00001_20200418_010516',
  Grund: 'CO51000T_NA000_00001_20200418_011620',
  GrundJordstykke: 'CO51100T_NA000_00001_20200418_011936',
  Opgang: 'CO51200T_NA000_00001_20200418_012117',
  TekniskAnlaeg: 'CO51500T_NA000_00001_20200418_012857',
};

export type BbrExtract = Readonly<Record<BbrEntity, readonly TableRow[]>>;

export async function readBbrExtract(): Promise<BbrExtract> {
  const entries = Object.entries(FILES).map(
    async ([entity, file]) => [entity, await rowsIn(file)] as const,
  );
  return Object.fromEntries(await Promise.all(entries)) as unknown as BbrExtract;
}

async function rowsIn(file: string): Promise<TableRow[]> {
  const member = await openMember(realFile(`bbr/OIS_GRBBR_${file}.ZIP`), {
    extension: '.xml',
    stem: '',
    maxBytes: 100_000_000,
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of member.bytes()) chunks.push(chunk);
  member.close();
  const text = Buffer.concat(chunks).toString('latin1');
  const table = file.slice(0, 8).replace('T', 't');
  return [...text.matchAll(new RegExp(`<${table}>(.*?)</${table}>`, 'gs'))].map(([, row = '']) =>
    rowOf(row),
  );
}

/** A value that is not there has no element. */
function rowOf(xml: string): TableRow {
  const values = [...xml.matchAll(/<([^<>/]+)>([^<]*)</g)]
    .filter(([, name = '']) => !name.toLowerCase().startsWith('ois_'))
    .map(([, name = '', value = '']) => [name, decoded(value)] as const);
  return { registreringTil: null, virkningTil: null, ...Object.fromEntries(values) };
}

function decoded(value: string): string {
  return value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}
