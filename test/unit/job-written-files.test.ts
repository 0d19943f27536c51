/** Files of rows as people's programs write them: names inside workbooks, headings, delimiters, formats. */
import { buffer } from 'node:stream/consumers';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { isRounded, numberOf, numberWritten } from '../../src/core/rows/cells.ts';
import { JsonReader } from '../../src/jobs/intake/json.ts';
import { readWorkbook } from '../../src/jobs/intake/workbook.ts';
import { codeFormatOf, shownAs } from '../../src/jobs/workbook/code-format.ts';
import { partName } from '../../src/jobs/workbook/archive.ts';
import { isDateFormat } from '../../src/jobs/workbook/dates.ts';
import { BrowserArchive } from '../../src/web/job/archive.ts';
import { cellsOf, readCsv, readIn, rowsOf } from '../support/read-rows.ts';

describe('a workbook whose parts are named otherwise', () => {
  /** Of a whole archive: a name in it, in all places, by another of the same length. */
  const renamed = (archive: Buffer, from: string, to: string): Buffer =>
    Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1');
  const expected = { columns: ['sag', 'x'], rows: [['a', 650_040.5]] };
  const made = async (relations: (text: string) => string = (text) => text): Promise<Buffer> => {
    const whole = Buffer.from(
      await writeXlsx({ sheets: [{ name: 'A', rows: [expected.columns, ...expected.rows] }] }),
    );
    const from = await BrowserArchive.open(new Blob([Uint8Array.from(whole)]));
    const zip = new ZipFile();
    for (const name of namesIn(whole)) {
      let text = '';
      for await (const piece of from.part(partName(name) ?? '')) text += piece;
      const isRelations = name === 'xl/_rels/workbook.xml.rels';
      zip.addBuffer(Buffer.from(isRelations ? relations(text) : text), name, { compress: false });
    }
    zip.end();
    return await buffer(zip.outputStream);
  };
  const opened = async (bytes: Buffer) => rowsOf(await readWorkbook(bytes, null));

  test.each([
    ['backslashes', 'xl/worksheets/', 'xl\\worksheets\\'],
    ['other letters', 'xl/sharedStrings.xml', 'XL/SHAREDSTRINGS.XML'],
    ['other letters of a folder', 'xl/worksheets/', 'xl/Worksheets/'],
  ])('by %s', async (_what, from, to) => {
    // The relations name it as before.
    const bytes = await made();
    const only = renamedNames(bytes, from, to);
    expect(await opened(only)).toEqual(expected);
    // As a browser opens it.
    const archive = await BrowserArchive.open(new Blob([Uint8Array.from(only)]));
    expect(archive.has('xl/worksheets/sheet1.xml')).toBe(true);
  });

  test.each([
    ['worksheets/', './worksheets/'],
    ['worksheets/', '../xl/worksheets/'],
    ['worksheets/', '/xl/worksheets/'],
    ['worksheets/', 'worksheets\\'],
    ['worksheets/', '\\xl\\worksheets\\'],
    ['worksheets/', 'other/../worksheets/'],
    ['worksheets/', '%77orksheets/'],
  ])('by targets: %s as %s', async (from, to) => {
    const bytes = await made((text) =>
      text
        .replaceAll(`Target="${from}`, `Target="${to}`)
        .replaceAll(`Target="/xl/${from}`, `Target="${to}`),
    );
    expect(await opened(bytes)).toEqual(expected);
  });

  test('a target that leads out of the archive is refused, and so are two parts of one name', async () => {
    const outside = await made((text) => text.replaceAll('Target="', 'Target="../../'));
    await expect(opened(outside)).rejects.toMatchObject({ status: 400 });
    const twice = renamed(
      await made(),
      '[Content_Types].xml',
      'xl/WORKBOOK.XML\\.\\.'.slice(0, 19),
    );
    await expect(opened(twice)).rejects.toMatchObject({ status: 400 });
  });

  /** Names stand in the head of each member and in the directory; the texts are let be. */
  function renamedNames(archive: Buffer, from: string, to: string): Buffer {
    const bytes = Buffer.from(archive);
    for (const [signature, head, lengthAt] of [
      ['PK\u0003\u0004', 30, 26],
      ['PK\u0001\u0002', 46, 28],
    ] as const) {
      for (let at = bytes.indexOf(signature, 0, 'latin1'); at >= 0;) {
        const length = bytes.readUInt16LE(at + lengthAt);
        const name = bytes.toString('latin1', at + head, at + head + length);
        bytes.write(name.replace(from, to), at + head, 'latin1');
        at = bytes.indexOf(signature, at + head, 'latin1');
      }
    }
    return bytes;
  }

  function namesIn(archive: Buffer): string[] {
    const names: string[] = [];
    for (let at = archive.indexOf('PK\u0001\u0002', 0, 'latin1'); at >= 0;) {
      names.push(archive.toString('latin1', at + 46, at + 46 + archive.readUInt16LE(at + 28)));
      at = archive.indexOf('PK\u0001\u0002', at + 46, 'latin1');
    }
    return names;
  }
});

test.each([
  ['xl\\worksheets\\sheet1.xml', 'xl/worksheets/sheet1.xml'],
  ['/xl/Workbook.xml', 'xl/workbook.xml'],
  ['xl/./a/../b.xml', 'xl/b.xml'],
  ['../x', null],
  ['xl/../../x', null],
])('the part %s is %s', (name, path) => expect(partName(name)).toBe(path));

test.each(['Vej\nnavn', 'Vej\r\nnavn', 'Vej\tnavn', 'Vej \n navn', 'Vej\u2028navn'])(
  'the heading %j is read in one line',
  async (name) => {
    const named = { columns: ['Vej navn', 'x'], rows: [['a', '1']] };
    expect(readCsv(`"${name}";x\na;1\n`)).toEqual(named);
    const rows = cellsOf(`${name};x|a;1`);
    const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'A', rows }] }));
    expect(rowsOf(await readWorkbook(bytes, null))).toEqual(named);
    const body = JSON.stringify({ rows: [{ [name]: 'a', x: '1' }] });
    expect(rowsOf(readIn(new JsonReader(), body))).toEqual(named);
  },
);

test('a format is of dates by its pattern, whatever a language calls the general one', () => {
  const dates = [
    ...['yyyy-mm-dd', 'd. mmmm yyyy', '[$-406]d. mmmm yyyy;@', 'dd\\-mm\\-yyyy', 'DD-MM-YYYY'],
    ...['yyyy"år"', '[$-F800]dddd, mmmm dd, yyyy', 'yyyy年m月d日', '"kl. "hh.mm', 'ggge'],
    ...['h:mm AM/PM', 'mm:ss.0', '[Red]dd-mm-yy'],
  ];
  const others = [
    ...['General', 'Standard', 'Standaard', 'Estándar', 'Normál', 'Genel', 'Geral', 'Yleinen'],
    ...['Ogólny', 'Standardowy', 'Všeobecný', 'Основной', 'Γενικός', 'G/標準', 'G/通用格式'],
    ...['Padrão', 'Allmänt', 'Algemeen', '[Red]Standard', '0.00E+00', 'Standard" d"'],
    ...['0', '#,##0', '[h]:mm', '[mm]:ss', '@', '0" d"', '"dmy"', '\\d\\m', '_-* #,##0_-'],
  ];
  expect(dates.filter((code) => !isDateFormat(164, code))).toEqual([]);
  expect(others.filter((code) => isDateFormat(164, code))).toEqual([]);
});

describe('the delimiter is what cuts rows alike', () => {
  test.each([
    ['commas in a name', 'Adresse (vej, nr, etage, dør);x;y\n1;650040,5;6314025,25\n', 3],
    ['semicolons in a name', '"a",b;c;d;e,f\n1,2,3\n4,5,6\n', 3],
    ['a bar in a name', 'a|b|c|d\te\n1\t2\n3\t4\n', 2],
    ['a header alone', 'a;b,c;d\n', 3],
    ['quoted delimiters in rows', 'navn,adresse\n"Hansen; Jens; A","Vej 1"\n', 2],
    ['free texts', 'id;navn, fornavn;by\n1;Jensen, Hans;Odense\n2;Hansen;Vejle\n', 3],
    ['lines with nothing before it', '\n \n\na;b\n1;2\n', 2],
    ['one column', 'adresse\nVej 1, 5000 Odense\n', 1],
  ])('%s', (_what, text, columns) => {
    const whole = readCsv(text);
    expect(whole.columns).toHaveLength(columns);
    for (const bytes of [1, 3, 7]) expect(readCsv(text, bytes)).toEqual(whole);
    expect(readCsv(text.replaceAll('\n', '\r\n'))).toEqual(whole);
    expect(readCsv(text.replaceAll('\n', '\r'))).toEqual(whole);
  });

  test('however many rows there are, and however they come', () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => `${n};650040,${n};6314025,25`);
    const text = `Sag (nr, år, art);x;y\n${rows.join('\n')}`;
    expect(readCsv(text).rows).toHaveLength(3_000);
    expect(readCsv(text, 100)).toEqual(readCsv(text));
  });
});

describe('a number', () => {
  test.each([
    ['0000', 93, '0093'],
    ['0000;-0000', 93, '0093'],
    ['[$-406]0000', 93, '0093'],
    ['"DK-"0000', 93, 'DK-0093'],
    ['\\D\\K\\-0000', 93, 'DK-0093'],
    ['000000-0000', 101_991_234, '010199-1234'],
    ['00 00 00 00', 1_020_304, '01 02 03 04'],
    ['000', 12_345, '12345'],
    ['00-00', 12_345, '123-45'],
    ['#0000_-', 93, '0093'],
    ['?000', 93, '093'],
    ['[$DK-]0000', 93, 'DK0093'],
    ['[$nr. -406]0000', 93, 'nr. 0093'],
    ['[Red]0000;[Blue]-0000', 5, '0005'],
    ['[<1000]0000;0', 93, '0093'],
    ['[Red][<1000]0000;[Blue]0', 999, '0999'],
    ['[<1000]000;[<10000]"A-"0000;"B-"00000', 93, '093'],
    ['[<1000]000;[<10000]"A-"0000;"B-"00000', 1_000, 'A-1000'],
    ['[<1000]000;[<10000]"A-"0000;"B-"00000', 10_000, 'B-10000'],
    ['[<=99999999]00 00 00 00;0000000000', 1_020_304, '01 02 03 04'],
    ['[=0]"0000";0000', 93, '0093'],
    ['[>=1000]0;0000', 93, '0093'],
    ['"[<5]"0000;-0', 93, '[<5]0093'],
    ['0000;-0000;"; "000', 0, '; 000'],
  ])('of the format %s shows %d as %s', (code, value, shown) => {
    const format = codeFormatOf(code);
    expect(format).not.toBeNull();
    expect(shownAs(format!, value)).toBe(shown);
  });

  test.each([
    ...['0', '0.00', '#,##0', '0%', '0.00E+00', 'yyyy-mm-dd', '@', '[>100]0000'],
    ...['[<1000]0;#,##0', '"0000', '0,000', null],
  ])('of the format %s is a number', (code) => expect(codeFormatOf(code)).toBeNull());

  test.each([
    ['[<1000]0000;0', 1_000],
    ['[>=1000]0;0000', 1_000],
    ['[<1000]0000;[<5000]00000', 5_000],
    ['0000;-0000;0', 0],
    ['0000;-0000;', 0],
  ])('of the format %s is a code, but not %d', (code, value) => {
    expect(shownAs(codeFormatOf(code)!, value)).toBeNull();
  });

  test.each([
    ['6,50E+05', true],
    ['6.5e5', true],
    ['9,10E+06', true],
    ['6.500405E+05', false],
    ['650040,5', false],
    ['1E0', false],
  ])('%s rounded: %s', (text, rounded) => expect(isRounded(text)).toBe(rounded));

  test.each([' ', '\u00a0', '\u202f', '\u2009', "'", '\u2019'])('may have %j within', (mark) => {
    const text = `650${mark}040,5`;
    expect(numberOf(text)).toBe(650_040.5);
    expect(numberWritten(text, 'comma')).toBe('650040.5');
  });
});
