/**
 * The real DAR 1.0 extract as rows of the file downloads, so that it is imported as any table is. What
 * the extract lacks is put back from its own texts and from the register of 2015 beside it: the road and
 * the postcode of an access address (most lead nowhere), and roads that were left out.
 */
import { createHash } from 'node:crypto';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { darRows, osakLines } from './address-extract.ts';

type ExtractTables = Readonly<Partial<Record<SampleEntity, readonly TableRow[]>>>;

export function readDarExtract(): ExtractTables {
  const postcodes = darRows('Postnummer');
  const roads = darRows('NavngivenVej').map(withoutShape);
  const units = darRows('Adresse');
  const mended = mendRoads({
    accesses: darRows('Husnummer'),
    units,
    parts: darRows('NavngivenVejKommunedel'),
    known: new Set(roads.map((row) => row['id'] ?? '')),
  });
  return {
    Postnummer: postcodes,
    SupplerendeBynavn: darRows('SupplerendeBynavn'),
    NavngivenVej: [...roads, ...mended.roads],
    NavngivenVejKommunedel: darRows('NavngivenVejKommunedel'),
    Adressepunkt: darRows('Adressepunkt'),
    Husnummer: mendPostcodes(mended.accesses, postcodes),
    Adresse: units,
  };
}

function withoutShape(row: TableRow): TableRow {
  return Object.fromEntries(
    Object.entries(row).filter(([name]) => !name.startsWith('vejnavnebeliggenhed')),
  );
}

function codesOf2015(): ReadonlyMap<string, string> {
  return new Map(
    osakLines('Adgangsadresse.CSV.gz').map(({ id = '', kommunekode = '', vejkode = '' }) => [
      id,
      `${kommunekode.padStart(4, '0')}-${vejkode.padStart(4, '0')}`,
    ]),
  );
}

function isOpen(row: TableRow): boolean {
  return row['registreringtil'] === null && row['virkningtil'] === null;
}

function mendRoads(given: {
  readonly accesses: readonly TableRow[];
  readonly units: readonly TableRow[];
  readonly parts: readonly TableRow[];
  readonly known: ReadonlySet<string>;
}): { readonly accesses: readonly TableRow[]; readonly roads: readonly TableRow[] } {
  const { accesses, units, parts, known } = given;
  const codes = codesOf2015();
  const roadAt = new Map(
    parts
      .filter(isOpen)
      .map((row) => [`${row['kommune']}-${row['vejkode']}`, row['navngivenvej_id']]),
  );
  const textOf = new Map(
    units.filter(isOpen).map((row) => [row['husnummer_id'], row['adressebetegnelse']]),
  );
  const roads = new Map<string, TableRow>();
  const mended = accesses.map((row) => {
    const id = row['id'] ?? '';
    const text = ownText(row);
    const found = row['navngivenvej_id'] ?? roadAt.get(codes.get(id) ?? '') ?? null;
    const road = found !== null && known.has(found) ? found : null;
    const name = nameIn(textOf.get(id) ?? text, row['husnummertekst'] ?? '');
    const own = found ?? (name === null ? null : idOf(name));
    if (road === null && own !== null && name !== null) roads.set(own, roadRow(row, own, name));
    return { ...row, adgangsadressebetegnelse: text, navngivenvej_id: own };
  });
  return { accesses: mended, roads: [...roads.values()] };
}

/** An access address whose postcode the extract has not gets that of the register of 2015. */
function mendPostcodes(
  accesses: readonly TableRow[],
  postcodes: readonly TableRow[],
): readonly TableRow[] {
  const known = new Set(postcodes.map((row) => row['id']));
  const idOfCode = new Map(postcodes.map((row) => [row['postnr'], row['id'] ?? null]));
  const codeOf = new Map(
    osakLines('Adgangsadresse.CSV.gz').map(({ id, postnummer }) => [id, postnummer]),
  );
  return accesses.map((row) => {
    if (known.has(row['postnummer_id'] ?? '')) return row;
    const code = codeOf.get(row['id'] ?? '')?.padStart(4, '0');
    return { ...row, postnummer_id: idOfCode.get(code ?? '') ?? row['postnummer_id'] ?? null };
  });
}

/** `VEJNAVN MANGLER 23, …` is no text of the register's own. */
function ownText({ adgangsadressebetegnelse: text = null }: TableRow): string | null {
  return text?.startsWith('VEJNAVN MANGLER') === true ? null : text;
}

/** What stands before the number. */
function nameIn(text: string | null, houseNumber: string): string | null {
  const at = text?.indexOf(` ${houseNumber}`) ?? -1;
  return text === null || at <= 0 ? null : text.slice(0, at);
}

function idOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function roadRow(access: TableRow, id: string, name: string): TableRow {
  return {
    id,
    registreringfra: access['registreringfra'] ?? null,
    registreringtil: null,
    virkningfra: '1900-01-01T12:00:00Z',
    virkningtil: null,
    status: '3',
    vejnavn: name,
    vejadresseringsnavn: null,
  };
}
