/** Kinds of files of rows, as people's programs write them, each with what its rows mean. */
import type { RoleColumns } from '../../src/core/rows/job-types.ts';
import { CsvReader } from '../../src/jobs/intake/csv.ts';
import type { ReadRows } from '../../src/jobs/intake/rows-reader.ts';
import { readWorkbook } from '../../src/jobs/intake/workbook.ts';
import { readIn } from '../support/read-rows.ts';
import { MAIN, OFFICE, packed, sheet } from './packed-workbook.ts';

/** The fields of a row by name, and `n`, its number from 0. */
export type Meant = Readonly<Record<string, string>>;

const FIELDS = ['road', 'number', 'letter', 'floor', 'door', 'code', 'town'];

export const MEANT: readonly Meant[] = `
  Skolegade|9|A|||6700|Esbjerg
  Skolegade|9||||6700|Esbjerg
  Skolegade|9|B|1|th|6700|Esbjerg
  Skolegade|9||st|tv|6700|Esbjerg
  Skolegade|11||2||6700|Esbjerg
  Skolegade|9|A|1|tv|6700|Esbjerg
  Enebærvej|4|A|||5000|Odense C
  Enebærvej|6||||5000|Odense C
  Æblevej|12|A|||5700|Svendborg`
  .trim()
  .split('\n')
  .map((line, n) => {
    const parts = line.trim().split('|');
    const row = Object.fromEntries(FIELDS.map((field, i) => [field, parts[i] ?? '']));
    const { floor = '', door = '' } = row;
    const unit = [floor && `${floor}.`, door].filter(Boolean).join(' ');
    return { ...row, n: `${n}`, next: `${n + 1}`, third: `${3 * n}`, unit, comma: unit && ', ' };
  });

export const designation = ({ road, number, letter, comma, unit, code, town }: Meant): string =>
  `${road} ${number}${letter}${comma}${unit}, ${code} ${town}`;

/** A heading and the text of its cells, `{road}` for the field. */
type Column = readonly [heading: string, cell: string];

/** `vej={road}; husnr={number}`. */
function columnsIn(text: string): readonly Column[] {
  return text.split(';').map((each) => {
    const at = each.indexOf('=');
    return [each.slice(0, at).trim(), each.slice(at + 1)];
  });
}

const cellOf = (cell: string, row: Meant): string =>
  cell.replaceAll(/\{(\w+)\}/g, (_, field: string) => row[field] ?? '');

export interface FileKind {
  readonly name: string;
  readonly columns: string;
  readonly named?: RoleColumns;
  /** `sure`: every row is A; `safe`: no row is sure of another address. */
  readonly wanted: 'sure' | 'safe';
  /** The heading that is named in `advarsler` where it makes a row unsure. */
  readonly told?: string;
}

const END = 'etage={floor};doer={door};postnr={code};by={town}';
const HOUSE = 'vej={road};husnr={number}{letter}';
const PARTS = `${HOUSE};${END}`;
const TEXT = 'adresse={road} {number}{letter}';

/** The files of each part, with `?` for its heading. */
const FILES = {
  letter: [
    `vej={road};husnr={number};?={letter};${END}`,
    `adresse={road} {number};?={letter};${END}`,
  ],
  floor: [
    `${HOUSE};?={floor};doer={door};postnr={code};by={town}`,
    `${TEXT}, {code} {town};?={floor};doer={door}`,
  ],
  door: [
    `${HOUSE};etage={floor};?={door};postnr={code};by={town}`,
    `${TEXT}, {code} {town};etage={floor};?={door}`,
  ],
  unit: [`${HOUSE};?={unit};postnr={code};by={town}`, `${TEXT}, {code} {town};?={unit}`],
  code: [
    `${HOUSE};etage={floor};doer={door};?={code};by={town}`,
    `${TEXT}{comma}{unit};?={code};by={town}`,
  ],
  town: [
    `${HOUSE};etage={floor};doer={door};postnr={code};?={town}`,
    `${TEXT}{comma}{unit};postnr={code};?={town}`,
  ],
  place: [`${TEXT}{comma}{unit};?={code} {town}`],
};
/** `wanted part: headings`. */
const HEADINGS = `
  sure letter: bogstav, Bogstav, Husbogstav, Litra, husnr_bogstav, House letter, Hausnummerzusatz, HUSBOGSTAV, Husnr. bogstav
  sure floor: Etage, Sal, Floor, Etagebetegnelse, Etg., Våning, Stockwerk, BBR etage, adr_etage
  sure door: Dør, Side, Door, Dørbetegnelse, Side/dør, Sidedørnr, Side (tv/th)
  sure code: Postnummer, Postnr., Post nr, Zip, ZIP code, Postal code, PLZ, PstCd, Postkode, Kunde postnr
  sure town: Bynavn, City, Town, Postdistrikt, Ort, Postort, postnrnavn, TwnNm, ShipToCity, Kunde by
  sure place: Postnr/by, Postnr og by, postnr_by
  safe letter: Letter, Nr. bogstav, Opgang, Bogstavkode, Underlitra, Tilføjelse, Felt 4, Ekstra, Suffix, Kolonne3, x3, Del, Tillæg, Mrk, Indgang
  safe floor: Felt 5, Plan, Niveau, Trin, Info, Level
  safe door: Felt 6, Retning, Info, Dørbetegnelse 2
  safe unit: Lejlighed, Bolig, Enhed, Apt., Unit, Adresse 2, Address line 2, Felt 7, Placering, Adr2, c/o, Lejl.nr., Supplerende adresse, Faktura adresse, Sal og side
  safe place: Felt 9, Sted, Lokalitet, Adresse 3`;

const ofHeadings: readonly FileKind[] = HEADINGS.trim()
  .split('\n')
  .flatMap((line) => {
    const [, wanted, part = '', list = ''] = /(\w+) (\w+): (.*)/.exec(line) ?? [];
    return list.split(', ').flatMap((told) =>
      FILES[part as keyof typeof FILES].map((file) => ({
        ...{ name: `${part} as ${told} in ${file}`, columns: file.replace('?', told) },
        ...{ wanted: wanted as FileKind['wanted'], told },
      })),
    );
  });

const ORDINARY = `
  id={next}|Navn=Anna Hansen {n}|Kundenr.=5000|Tlf=12345678|E-mail adresse=a@b.dk|Energimærke=A|Opført=1950|Areal m2=120|
  Antal etager=2|Kommune=Varde|Type=B|Bemærkning=ring først|Land=Danmark|c/o=Hansen|Region=Syddanmark|Enhed=stk|={n}|
  nr={next}|Unnamed: 0={third}|Leverandør=2|Husnr.={number}|Etage 2={floor}|Dato=2026-01-31|Supplerende bynavn=|Bogstav=-|
  Litra=NULL|Børn=2|By 2={town}|Sagsnr=2026-12|Kvm=85|Ejer=Bo B.|Postnr.={code}|Vejnavn={road}|Etager=2|Værelser=3|
  Status=aktiv|Prioritet=Anden|Kampagne=Center|Aktiv=false|Rabat=9|Enheder=12`
  .split('|')
  .map((column) => column.trim());

const OTHERS = `
  sure another address of the same row: ${PARTS};Leveringsadresse=Skolegade 9;Leveringspostnr=8000;Leveringsby=Aarhus
  sure the same headings twice: ${PARTS};${PARTS}
  sure the text and its parts: ${TEXT}{comma}{unit}, {code} {town};${PARTS}
  sure a text without its number: adresse={road};husnr={number}{letter};${END}
  sure a text kept by a formula: ${HOUSE};etage={floor};doer={door};postnr=="{code}";by={town}
  safe a place that contradicts: ${TEXT}{comma}{unit};Postnr.=8000
  safe an error of a spreadsheet: ${HOUSE};etage=#N/A;postnr={code};by={town}
  safe a formula as text: vej={road};husnr={number};bogstav==C2;${END}
  safe a foreign country: ${PARTS};Land=Sverige`;

export const FILE_KINDS: readonly FileKind[] = [
  ...ofHeadings,
  ...ORDINARY.map((column) => {
    return { name: `${column} before`, columns: `${column};${PARTS}`, wanted: 'sure' as const };
  }),
  ...OTHERS.trim()
    .split('\n')
    .map((line) => {
      const [, wanted, name = '', columns = ''] = /(sure|safe) ([^:]*): (.*)/.exec(line) ?? [];
      return { name, columns, wanted: wanted as FileKind['wanted'] };
    }),
  {
    ...{
      name: 'a letter that the caller left out',
      columns: `a={road};b={number};k={letter};${END}`,
    },
    ...{ named: { vej: 'a', husnr: 'b' }, wanted: 'safe', told: 'k' },
  },
  {
    ...{
      name: 'a floor named as a door',
      columns: `${TEXT}, {code} {town};Sal={floor};Dør={door}`,
    },
    ...{ named: { adresse: 'adresse', doer: 'Sal' }, wanted: 'safe', told: 'Dør' },
  },
];

function csvOf(columns: string): string {
  const all = columnsIn(columns);
  const lines = [
    all.map(([heading]) => heading),
    ...MEANT.map((row) => all.map(([, cell]) => cellOf(cell, row))),
  ];
  const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
  return `${lines.map((cells) => cells.map(quoted).join(';')).join('\n')}\n`;
}

const readCsv = (bytes: Buffer | string): ReadRows => readIn(new CsvReader(), bytes);

export const readKind = ({ columns }: FileKind): ReadRows => readCsv(csvOf(columns));

export interface WrittenKind {
  readonly name: string;
  readonly wanted: FileKind['wanted'] | 'refused';
  readonly read: () => Promise<ReadRows>;
}

const text = (value: string): string => `t="inlineStr"><is><t>${value}</t></is>`;

interface BookOptions {
  /** The XML of a column's cells, with `{}` for the value; a text where absent. */
  readonly cells?: Readonly<Record<string, string>>;
  /** Columns before the first, and titles above. */
  readonly left?: number;
  readonly above?: readonly string[];
  readonly parts?: Readonly<Record<string, string>>;
}

function workbookOf(
  columns: string,
  { cells = {}, left = 0, above = [], parts = {} }: BookOptions,
) {
  const all = columnsIn(columns);
  const cellXml = (row: number, at: number, xml: string): string =>
    xml === '' ? '' : `<c r="${String.fromCharCode(65 + left + at)}${row}" ${xml}</c>`;
  const lines = [
    ...above.map((title) => [text(title)]),
    all.map(([heading]) => heading && text(heading)),
    ...MEANT.map((row) =>
      all.map(([heading, cell]) => {
        const value = cellOf(cell, row);
        return value && (cells[heading]?.replaceAll('{}', value) ?? text(value));
      }),
    ),
  ];
  const rows = lines.map((line, i) => {
    return `<row r="${i + 1}">${line.map((xml, at) => cellXml(i + 1, at, xml)).join('')}</row>`;
  });
  return packed({ ...sheet(rows.join('')), ...parts });
}

const book = (
  wanted: WrittenKind['wanted'],
  name: string,
  options: BookOptions = {},
  columns = PARTS,
): WrittenKind => ({
  ...{ name, wanted },
  read: async () => readWorkbook(await workbookOf(columns, options), null),
});
const csv = (wanted: WrittenKind['wanted'], name: string, bytes: Buffer | string): WrittenKind => ({
  ...{ name, wanted },
  read: () => Promise.resolve().then(() => readCsv(bytes)),
});
const styles = (code: string) => ({
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
});
const ON_OPENING = {
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets><calcPr fullCalcOnLoad="1"/></workbook>`,
};
/** A text with the letters of an old charset in the order of `æøåÆØÅ`. */
const inLetters = (codes: readonly number[]): Buffer =>
  Buffer.from(
    Array.from(csvOf(PARTS), (char) => codes['æøåÆØÅ'.indexOf(char)] ?? char.charCodeAt(0)),
  );
const INDEXED = `={n};${PARTS}`;
const RUNS = 't="inlineStr"><is><r><t>{}</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is>';

/** Cells of `postnr` that are read. */
const READ_CELLS: Readonly<Record<string, string>> = {
  'a number': '><v>{}</v>',
  'runs and phonetic hints': RUNS,
  'a result of a formula': '><f>A1</f><v>{}</v>',
  'a text of a formula': 't="str"><f>A1</f><v>{}</v>',
  'a text in a value': 't="inlineStr"><v>{}</v>',
};
/** Cells of `door` whose value is not there. */
const LOST_CELLS: Readonly<Record<string, string>> = {
  'a formula without a value': '><f>A1</f>',
  'a formula with an empty value': '><f>A1</f><v/>',
  'a formula with a blank value': 't="n"><f>A1</f><v> </v>',
  'a formula of a truth': 't="b"><f>A1</f><v/>',
  'a formula of an error': 't="e"><f>A1</f><v/>',
  'a shared formula': '><f t="shared" si="0"/><v/>',
  'an array formula': '><f t="array" ref="D2:D9">A2:A9</f><v/>',
  'a formula written as 0.0': '><f>A1</f><v>0.0</v>',
  'no text of that number': 't="s"><v/>',
  'an unknown type': 't="zz"><v>1</v>',
};
/** Cells of `door` that say something else. */
const ODD_CELLS: Readonly<Record<string, string>> = {
  'an error': 't="e"><v>#REF!</v>',
  'a truth': 't="b"><v>1</v>',
  'an ISO day': 't="d"><v>2025-01-02</v>',
  'a day': 's="1"><v>45658</v>',
};
const ofCells = (
  wanted: WrittenKind['wanted'],
  column: string,
  all: Readonly<Record<string, string>>,
): readonly WrittenKind[] =>
  Object.entries(all).map(([name, xml]) =>
    book(wanted, `${name} as ${column}`, { cells: { [column]: xml }, parts: styles('d-m') }),
  );

export const WRITTEN_KINDS: readonly WrittenKind[] = [
  book('sure', 'texts'),
  ...ofCells('sure', 'postnr', READ_CELLS),
  ...['etage', 'doer', 'husnr', 'postnr'].flatMap((column) =>
    ofCells('refused', column, LOST_CELLS),
  ),
  ...['etage', 'doer'].flatMap((column) => ofCells('safe', column, ODD_CELLS)),
  book('sure', 'a format called Standard', {
    cells: { postnr: 's="1"><v>{}</v>' },
    parts: styles('Standard'),
  }),
  ...['><f>A1</f><v>0</v>', 't="str"><f>A1</f><v></v>'].map((doer) =>
    book('refused', 'a formula to be computed on opening', { cells: { doer }, parts: ON_OPENING }),
  ),
  book('refused', 'the same cell twice', {
    cells: { by: `${text('{}')}</c><c r="F2" ${text('Odense')}` },
  }),
  book('sure', 'a table that begins at C4', { left: 2, above: ['Liste', 'Udtræk', 'Alle'] }),
  book('sure', 'an index without a heading', {}, INDEXED),
  book('sure', 'the same headings twice', {}, `${PARTS};${PARTS}`),
  csv('sure', 'UTF-8 with a mark', `\ufeff${csvOf(PARTS)}`),
  csv('sure', 'UTF-16', Buffer.from(`\ufeff${csvOf(PARTS)}`, 'utf16le')),
  csv('sure', 'Windows-1252', Buffer.from(csvOf(PARTS), 'latin1')),
  csv('refused', 'Mac Roman', inLetters([0xbe, 0xbf, 0x8c, 0xae, 0xaf, 0x81])),
  csv('refused', 'DOS', inLetters([0x91, 0x9b, 0x86, 0x92, 0x9d, 0x8f])),
  csv('sure', 'an index of pandas', csvOf(INDEXED)),
  csv('refused', 'row names of R without a heading', csvOf(INDEXED).replace('"";', '')),
  csv('sure', 'titles above', `Liste;;;;;\n;;;;;\n${csvOf(PARTS)}`),
];
