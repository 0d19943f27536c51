/** Real parcels of two generations of the cadastre, read by GDAL, as rows of the register's tables. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TableRow } from '../../sample/data/table-row.ts';
import { ogr2ogr, realFile } from './real-data.ts';

/** One parcel as GDAL tells it. */
type Told = Readonly<Record<string, string>>;

/** Their rows, and the square metres of all of them as GDAL measures. */
export function readParcelExtract() {
  const districts = gunzipSync(readFileSync(realFile('matrikel/ejerlav.csv.gz'))).toString();
  const parcels = [...ofViborg(), ...ofThemes()];
  return {
    Ejerlav: rowsOf(districts, ';').map(({ kode = '', navn = '' }) => ({
      ...identity(kode),
      ejerlavskode: kode,
      ejerlavsnavn: navn,
    })),
    Jordstykke: parcels.map(({ id = '', bfe = '', number = '', district = '', code = '' }) => ({
      ...identity(id),
      samletFastEjendomLokalId: bfe === '0' ? null : bfe,
      matrikelnummer: number,
      ejerlavLokalId: district,
      kommuneLokalId: code.padStart(4, '0'),
    })),
    Lodflade: parcels.map(({ id = '', wkt = '' }) => ({
      ...identity(`${id}_1`),
      jordstykkeLokalId: id,
      geometri: wkt,
    })),
    areaM2: parcels.reduce((sum, { m2 }) => sum + Number(m2), 0),
  };
}

function identity(id: string): TableRow {
  const since = '2010-01-01T00:00:00Z';
  return {
    id_lokalId: id,
    status: 'Gældende',
    registreringFra: since,
    registreringTil: null,
    virkningFra: since,
    virkningTil: null,
  };
}

/** GML 3.1 of 2014. */
function ofViborg(): Told[] {
  const rows = ogr(
    'jordstykker_viborg_2014.gml.gz',
    'select *, OGR_GEOM_AREA as m2 from Jordstykke',
  );
  return rows.map((row) => ({
    id: row['featureID'] ?? '',
    bfe: row['sfe_Ejendomsnummer'] ?? '',
    number: row['matrikelnummer'] ?? '',
    district: row['landsejerlavskode'] ?? '',
    code: row['kommunekode'] ?? '',
    wkt: row['WKT'] ?? '',
    m2: row['m2'] ?? '',
  }));
}

/** A table of DAWA's of 2015: geometry as EWKB, the rest as JSON. */
function ofThemes(): Told[] {
  const file = 'temaer_jordstykker.csv.gz';
  const rows = ogr(file, 'select id, fields, OGR_GEOM_AREA as m2 from temaer_jordstykker', [
    '-oo',
    'GEOM_POSSIBLE_NAMES=geom',
  ]);
  return rows.map(({ fields = '{}', WKT = '', m2 = '' }) => {
    const told = JSON.parse(fields) as Readonly<Record<string, string | number | undefined>>;
    return {
      id: String(told['featureID']),
      bfe: String(told['sfeejendomsnr'] ?? '0'),
      number: String(told['matrikelnr']),
      district: String(told['ejerlavkode']),
      code: String(told['kommunekode']),
      wkt: WKT,
      m2,
    };
  });
}

function ogr(file: string, query: string, more: readonly string[] = []): Told[] {
  const source = `/vsigzip/${realFile(`matrikel/${file}`)}`;
  const csv = ogr2ogr(
    ...['-f', 'CSV', '/vsistdout/', file.includes('.csv') ? `CSV:${source}` : source],
    ...['-lco', 'GEOMETRY=AS_WKT', '-sql', query, ...more],
  );
  return rowsOf(csv, ',');
}

function rowsOf(csv: string, delimiter: string): Told[] {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\r\\n]*)(${delimiter}|\\r?\\n|$)`, 'y');
  const lines: string[][] = [[]];
  while (cell.lastIndex < csv.length) {
    const [, value = '', end = ''] = cell.exec(csv) ?? [];
    lines.at(-1)?.push(value.replace(/^"|"$/g, '').replaceAll('""', '"'));
    if (end !== delimiter) lines.push([]);
  }
  const [names = [], ...rows] = lines.filter((line) => line.length > 0);
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? ''])));
}
