/** Workbooks and UTF-16 taken in as rows: as people's programs write them, and as hostile ones do. */
import { buffer } from 'node:stream/consumers';
import { writeXlsx } from 'hucre/xlsx';
import type { WriteSheet } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { STYLES_XML } from '../../src/jobs/files/sheet-xml.ts';
import { workbookStream } from '../../src/jobs/files/workbook.ts';
import type { Sheet } from '../../src/jobs/files/workbook.ts';
import { readWorkbook, workbookRows } from '../../src/jobs/intake/workbook.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { JsonReader } from '../../src/jobs/intake/json.ts';
import { codeFormatOf, shownAs } from '../../src/jobs/workbook/code-format.ts';
import { BrowserArchive } from '../../src/web/job/archive.ts';
import { isDateFormat, isoOf, serialOf } from '../../src/jobs/workbook/dates.ts';
import { cellsOf, readCsv, readIn, rowsOf } from '../support/read-rows.ts';
import { MAIN, OFFICE, RELS, packed, sheet } from '../jobs/packed-workbook.ts';

async function written(sheets: WriteSheet[], dateSystem: '1900' | '1904' = '1900') {
  return Buffer.from(await writeXlsx({ sheets, dateSystem }));
}

/** Rows of texts and numbers; an empty cell is none. */
const tableOf = (text: string) =>
  cellsOf(text).map((row) =>
    row.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : cell === '' ? null : cell)),
  );

const read = async (bytes: Buffer, sheet: string | null = null) =>
  rowsOf(await readWorkbook(bytes, sheet));

async function refusal(reading: Promise<unknown>): Promise<Failure> {
  const failure = await reading.then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(Failure);
  expect((failure as Failure).status).toBe(400);
  return failure as Failure;
}

const sent = (rows: Sheet['rows']) => workbookStream([{ name: 'Svar', head: ['a', 'b'], rows }]);

const HEAD =
  '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="inlineStr"><is><t>b</t></is></c></row>';

describe('a workbook of another program', () => {
  test('gives texts, numbers, truth values and dates as its cells show them', async () => {
    const day = new Date(Date.UTC(2026, 0, 31));
    const moment = new Date(Date.UTC(2026, 0, 31, 12, 30));
    const rows = [
      ['kode', 'tal', 'ja', 'dag', 'note'],
      ['0093', 645003.25, true, day, 'Ærø & ø <b>'],
      [null, null, null, null, null],
      ['0094', -7, false, moment, null],
    ];
    expect(await read(await written([{ name: 'Ark1', rows }]))).toEqual({
      columns: ['kode', 'tal', 'ja', 'dag', 'note'],
      rows: [
        ['0093', 645003.25, true, '2026-01-31', 'Ærø & ø <b>'],
        ['0094', -7, false, '2026-01-31T12:30:00', null],
      ],
    });
  });

  test('counts its days from 1900 or from 1904', async () => {
    const rows = [['dag'], [new Date(Date.UTC(2026, 1, 28))]];
    for (const system of ['1900', '1904'] as const) {
      const { rows: found } = await read(await written([{ name: 'Ark1', rows }], system));
      expect(found, system).toEqual([['2026-02-28']]);
    }
    expect(isoOf(1, 1900)).toBe('1900-01-01');
    expect(isoOf(59, 1900)).toBe('1900-02-28');
    expect(isoOf(60, 1900)).toBeNull();
    expect(isoOf(61, 1900)).toBe('1900-03-01');
    expect(isoOf(0, 1904)).toBe('1904-01-01');
    expect(isoOf(0.75, 1900)).toBe('18:00:00');
    for (const [day, system] of [
      [-1, 1900],
      [2_958_466, 1900],
      [1e300, 1904],
    ] as const)
      expect(isoOf(day, system)).toBeNull();
    for (const text of ['2026-02-31', '2026-1-31', '1900-02-28', '2026-01-31T24:00:00', '12:00']) {
      expect(serialOf(text), text).toBeNull();
    }
    expect(isoOf(serialOf('2026-01-31T23:59:59')!, 1900)).toBe('2026-01-31T23:59:59');
  });

  // Their results: job-file-kinds.test.ts.
  test('is refused where a formula has no result, by the name of its cell', async () => {
    const open = await packed(sheet(`${HEAD}<row r="2"><c r="A2"><f>1+1</f></c></row>`));
    expect((await refusal(read(open))).message).toContain('A2');
  });

  const merges = (row: number, last = row) => [
    { startRow: row, startCol: 0, endRow: last, endCol: 1 },
  ];

  test('with merged cells in its head, or under it, is refused, naming them', async () => {
    const rows = cellsOf('x;y|1;2|3;4');
    for (const [row, named] of [
      [0, 'A1:B1'],
      [2, 'A3:B3'],
    ] as const) {
      const book = await written([{ name: 'Ark1', rows, merges: merges(row) }]);
      expect((await refusal(read(book))).message).toContain(named);
    }
    // From a title into the head.
    const titled = [['sted', null], ...rows];
    const into = await written([{ name: 'Ark1', rows: titled, merges: merges(0, 1) }]);
    expect((await refusal(read(into))).message).toContain('A1:B2');
  });

  test('is read under its titles, merged or not, or under the row that is named', async () => {
    const rows = tableOf('Sager 2026;;|;;|Udskrevet af kommunen;;|sag;x;y|A;1;2|;;|B;3;4');
    const book = await written([{ name: 'Ark1', rows, merges: merges(0, 1) }]);
    expect(await read(book)).toEqual({ columns: ['sag', 'x', 'y'], rows: tableOf('A;1;2|B;3;4') });
    expect((await readWorkbook(book, null)).guessedHead).toBe(4);
    const named = await readWorkbook(book, null, 5);
    expect([named.columns, named.rows, named.guessedHead]).toEqual([['A', '1', '2'], 1, null]);
    for (const row of [2, 6, 8]) {
      const { message } = await refusal(readWorkbook(book, null, row));
      expect(message).toContain(`Row ${row} has no names of columns`);
    }
    const numbers: number[] = [];
    const options = { sheet: null, headRow: null, unpackedBytes: 1 << 20 };
    for await (const some of workbookRows(book, options)) numbers.push(...some.numbers);
    expect(numbers).toEqual([5, 7]);
  });

  test.each([
    ['a list of one column', 'adresse|Nygade 1|Nygade 2', ['adresse']],
    ['a head of two, of which one is empty below', 'a;b|nr. 1|nr. 2', ['a', 'b']],
    ['one whose head is followed by numbers', 'x;y|1;2|3;4', ['x', 'y']],
  ])('%s has no titles', async (_name, rows, columns) => {
    const book = await written([{ name: 'Ark1', rows: tableOf(rows) }]);
    const found = await readWorkbook(book, null);
    expect([found.columns, found.rows, found.guessedHead]).toEqual([columns, 2, null]);
  });

  test('is read where only one sheet that is shown has rows, else by the name of its sheet', async () => {
    const one = { name: 'Data', rows: [['a'], ['1']] };
    const hidden = { name: 'Skjult', hidden: true, rows: [['b'], ['2']] };
    const empty = { name: 'Ark3', rows: [] };
    const other = { name: 'Mere', rows: [['c'], ['3']] };
    expect((await read(await written([hidden, one, empty]))).rows).toEqual([['1']]);
    const two = await written([one, hidden, other]);
    const { message } = await refusal(read(two));
    expect(message).toContain('Data, Mere');
    expect(message).not.toContain('Skjult');
    expect((await read(two, 'Mere')).columns).toEqual(['c']);
    expect((await read(two, 'Skjult')).rows).toEqual([['2']]);
    expect((await refusal(read(two, 'Ark9'))).message).toContain('Data, Skjult, Mere');
    await refusal(read(await written([hidden, { ...one, rows: [] }])));
  });

  test('may leave names of cells and rows out, and write texts in runs', async () => {
    const text = '<si><r><t>Ær</t></r><r><t>ø</t></r><rPh sb="0" eb="1"><t>nej</t></rPh></si>';
    const bytes = await packed({
      ...sheet(
        '<row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>b</t></is></c></row>' +
          '<row><c><v>1</v></c><c t="b"><v>1</v></c></row>',
      ),
      'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${text}</sst>`,
    });
    expect(await read(bytes)).toEqual({ columns: ['Ærø', 'b'], rows: [[1, true]] });
  });

  test('keeps the zeros that a format of zeros shows', async () => {
    const bytes = await packed({
      ...sheet(
        `${HEAD}<row r="2"><c r="A2" s="1"><v>93</v></c><c r="B2" s="2"><v>93</v></c></row>`,
      ),
      'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts><numFmt numFmtId="164" formatCode="0000"/><numFmt numFmtId="165" formatCode="0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`,
    });
    expect((await read(bytes)).rows).toEqual([['0093', 93]]);
  });

  test('has the limits that a CSV has: columns, their names, cells, characters', async () => {
    const many = Array.from({ length: JOB_LIMITS.columns + 1 }, (_, i) => `k${i}`);
    const long = 'x'.repeat(JOB_LIMITS.valueChars + 1);
    for (const [rows, told] of [
      [[many, []], String(JOB_LIMITS.columns)],
      [[['a'], ['1'], ['2', '3']], 'Row 2'],
      [[['a'], [long]], String(JOB_LIMITS.valueChars)],
    ] as const) {
      const bytes = await written([{ name: 'Ark1', rows: rows.map((row) => [...row]) }]);
      expect((await refusal(read(bytes))).message).toContain(told);
    }
  });

  test('of our own making comes back as it was', async () => {
    const given = [
      ['=1+1', '0093'],
      ['a\u0001\r\nb', '_x0041_ & <'],
    ];
    const stream = sent(async function* (sink) {
      for (const row of given) {
        for (const cell of row) sink.text(cell);
        yield await Promise.resolve(sink.take());
      }
    });
    expect(await read(await buffer(stream))).toEqual({ columns: ['a', 'b'], rows: given });
    // Without it openpyxl takes the style of its own.
    expect(STYLES_XML).toContain('<cellStyle name="Normal" xfId="0" builtinId="0"/>');
  });
});

describe('a workbook that is sent', () => {
  test('is made no faster than it is read, and no further once nobody reads', async () => {
    const ended = Promise.withResolvers<undefined>();
    const stream = sent(async function* (sink) {
      try {
        for (;;) {
          for (let i = 0; i < 10_000; i++) sink.text('x');
          yield await Promise.resolve(sink.take());
        }
      } finally {
        ended.resolve(undefined);
      }
    });
    let bytes = 0;
    for await (const piece of stream) {
      bytes += (piece as Buffer).length;
      if (bytes > 200_000) break;
    }
    await ended.promise;
    expect(stream.destroyed).toBe(true);
  });

  test('breaks off where its rows do, so that nobody takes it for whole', async () => {
    const stream = sent(async function* (sink) {
      sink.text('1');
      yield await Promise.resolve(sink.take());
      throw new Error('The rows were deleted meanwhile.');
    });
    await expect(buffer(stream)).rejects.toThrow('deleted meanwhile');
  });
});

describe('a hostile workbook', () => {
  test('that unpacks to more than is allowed is refused before it is unpacked', async () => {
    const bomb = await packed(sheet(`${HEAD}${' '.repeat(8 * 1024 * 1024)}`));
    expect(bomb.length).toBeLessThan(100_000);
    // What it says of its own size is made small: the bytes that come out are what counts.
    const lying = Buffer.from(bomb);
    expect((await refusal(readWorkbookUpTo(bomb, 1024 * 1024))).message).toContain('1 MiB');
    for (let at = lying.indexOf('PK\x01\x02'); at >= 0; at = lying.indexOf('PK\x01\x02', at + 4)) {
      if (lying.readUInt32LE(at + 24) > 1e6) lying.writeUInt32LE(1_000, at + 24);
    }
    await refusal(readWorkbookUpTo(lying, 1024 * 1024));
  });

  test('is refused for a text without end, endless depth, or a document type', async () => {
    const endless = 'x'.repeat(JOB_LIMITS.workbook.tokenChars + 10_000);
    const deep = '<a>'.repeat(JOB_LIMITS.workbook.depth + 5);
    const doctype = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';
    for (const rows of [
      `${HEAD}<row><c t="inlineStr"><is><t>${endless}</t></is></c></row>`,
      `${HEAD}${deep}`,
      `${HEAD}<row><c r="A2"><v>én</v></c></row>`,
      `${HEAD}<row><c r="ZZZZZ2"><v>1</v></c></row>`,
      `${HEAD}<row><c r="A2" t="s"><v>7</v></c></row>`,
      `${HEAD}<row>`,
    ]) {
      await refusal(read(await packed(sheet(rows))));
    }
    const [path = '', xml = ''] = Object.entries(sheet(HEAD))[0] ?? [];
    await refusal(read(await packed({ [path]: doctype + xml })));
  });

  test('is refused where it is cut, changed, or no workbook', async () => {
    const whole = await written([{ name: 'Ark1', rows: [['a'], ['1']] }]);
    await refusal(read(whole.subarray(0, whole.length - 30)));
    await refusal(read(Buffer.from('PK\x03\x04')));
    await refusal(read(Buffer.alloc(0)));
    const { members } = JOB_LIMITS.workbook;
    const many = (path: (at: number) => string, text: string): Record<string, string> =>
      Object.fromEntries(Array.from({ length: members }, (_, at) => [path(at), text]));
    const pictures = await refusal(read(await packed(many((at) => `xl/media/${at}.png`, ''))));
    expect(pictures.message).toMatch(/more than 1000 sheets, pictures and other parts/);
    const listed = Array.from(
      { length: members + 1 },
      (_, at) => `<sheet name="${at}" r:id="r1"/>`,
    );
    const sheets = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`;
    const tooMany = await refusal(read(await packed({ 'xl/workbook.xml': sheets })));
    expect(tooMany.message).toMatch(/more than 1000 sheets/);
    await refusal(read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1, 2, 3])));
    await refusal(read(await packed({ '_rels/.rels': `<Relationships xmlns="${RELS}"/>` })));
    // Any byte of it changed: refused, or read as it was, never an error of the service.
    for (let at = 0; at < whole.length; at += 97) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      await read(changed).catch((error: unknown) => expect(error).toBeInstanceOf(Failure));
    }
  });
});

/** With a smaller limit than a body has. */
async function readWorkbookUpTo(bytes: Buffer, unpackedBytes: number): Promise<void> {
  const rows = workbookRows(bytes, { sheet: null, headRow: null, unpackedBytes });
  while (!(await rows.next()).done);
}

describe('a workbook whose parts are named otherwise', () => {
  const expected = { columns: ['sag', 'x'], rows: [['a', 650_040.5]] };
  const text = (of: string) => `<c t="inlineStr"><is><t>${of}</t></is></c>`;
  const made = (target?: string): Promise<Buffer> =>
    packed(
      {
        ...sheet(
          `<row><c t="s"><v>0</v></c>${text('x')}</row>` +
            `<row>${text('a')}<c><v>650040.5</v></c></row>`,
        ),
        'xl/sharedStrings.xml': `<sst xmlns="${MAIN}"><si><t>sag</t></si></sst>`,
      },
      target,
    );

  test.each([
    ['backslashes', 'xl/worksheets/', 'xl\\worksheets\\'],
    ['other letters', 'xl/sharedStrings.xml', 'XL/SHAREDSTRINGS.XML'],
    ['other letters of a folder', 'xl/worksheets/', 'xl/Worksheets/'],
  ])('by %s', async (_what, from, to) => {
    // The relations name it as before.
    const bytes = await made();
    const only = renamedNames(bytes, from, to);
    expect(await read(only)).toEqual(expected);
    // As a browser opens it.
    const archive = await BrowserArchive.open(new Blob([Uint8Array.from(only)]));
    expect(archive.has('xl/worksheets/sheet1.xml')).toBe(true);
  });

  test.each([
    ...['./worksheets/sheet1.xml', '../xl/worksheets/sheet1.xml', '/xl/worksheets/sheet1.xml'],
    ...['worksheets\\sheet1.xml', '\\xl\\worksheets\\sheet1.xml', '%77orksheets/sheet1.xml'],
    'other/../worksheets/sheet1.xml',
  ])('by the target %s', async (target) => {
    expect(await read(await made(target))).toEqual(expected);
  });

  test('a target that leads out of the archive is refused, and so are two parts of one name', async () => {
    await refusal(read(await made('../../worksheets/sheet1.xml')));
    await refusal(read(await packed({ ...sheet(HEAD), 'xl/WORKBOOK.XML': '<x/>' })));
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
});

test.each(['Vej\nnavn', 'Vej\r\nnavn', 'Vej\tnavn', 'Vej \n navn', 'Vej\u2028navn'])(
  'the heading %j is read in one line',
  async (name) => {
    const named = { columns: ['Vej navn', 'x'], rows: [['a', '1']] };
    expect(readCsv(`"${name}";x\na;1\n`)).toEqual(named);
    const rows = cellsOf(`${name};x|a;1`);
    expect(await read(await written([{ name: 'A', rows }]))).toEqual(named);
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

describe('a number of the format', () => {
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
  ])('%s shows %d as %s', (code, value, shown) => {
    const format = codeFormatOf(code);
    expect(format).not.toBeNull();
    expect(shownAs(format!, value)).toBe(shown);
  });

  test.each([
    ...['0', '0.00', '#,##0', '0%', '0.00E+00', 'yyyy-mm-dd', '@', '[>100]0000'],
    ...['[<1000]0;#,##0', '"0000', '0,000', null],
  ])('%s is a number', (code) => expect(codeFormatOf(code)).toBeNull());

  test.each([
    ['[<1000]0000;0', 1_000],
    ['[>=1000]0;0000', 1_000],
    ['[<1000]0000;[<5000]00000', 5_000],
    ['0000;-0000;0', 0],
    ['0000;-0000;', 0],
  ])('%s is a code, but not %d', (code, value) => {
    expect(shownAs(codeFormatOf(code)!, value)).toBeNull();
  });
});

describe('UTF-16', () => {
  const TEXT = 'navn\tø\r\nÆrø\t1\r\n😀\t2\r\n';
  const little = Buffer.from(TEXT, 'utf16le');
  const swapped = Buffer.from(little).swap16();

  test.each([
    ['with its mark', Buffer.concat([Buffer.from([0xff, 0xfe]), little]), null],
    ['the other way round', Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]), null],
    ['without a mark', little, null],
    ['without a mark, the other way round', swapped, null],
    ['as its head says', little, 'utf-16' as const],
  ])('%s is read as rows, in pieces of any size', (_, bytes, charset) => {
    for (const size of [1, 3, 7, bytes.length]) {
      expect(readCsv(bytes, size, charset)).toEqual({
        columns: ['navn', 'ø'],
        rows: cellsOf('Ærø;1|😀;2'),
      });
    }
  });

  test('that is cut in a letter is refused', () => {
    expect(() => readCsv(little.subarray(0, little.length - 1))).toThrow('UTF-16');
  });
});
