/** Rows of jobs: how a body of any type becomes chunks, whatever is in it and however it is cut. */
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { headingOf } from '../../src/core/rows/cells.ts';
import { isRounded, numberOf, numberWritten, textOf } from '../../src/core/rows/cells.ts';
import { cutChunk, decodeRows, encodeRows } from '../../src/jobs/chunk-rows.ts';
import type { Cell, Row } from '../../src/core/rows/cells.ts';
import { CsvReader } from '../../src/jobs/intake/csv.ts';
import { EncodingGuess } from '../../src/jobs/intake/encoding.ts';
import { CsvRows } from '../../src/jobs/intake/csv-rows.ts';
import { JsonReader } from '../../src/jobs/intake/json.ts';
import { NdjsonReader } from '../../src/jobs/intake/ndjson.ts';
import { installRowsBodies } from '../../src/http/v1/jobs/body.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { cellsOf, readCsv, readIn, rowsOf } from '../support/read-rows.ts';
import { amountOf } from '../support/run-settings.ts';
import { until } from '../support/until.ts';

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure && error.type === 'invalid_request') return error.message;
    throw error;
  }
  return 'nothing';
}

describe('a chunk', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '\u001f', '\u001e', 'Æ;"\n', null, undefined, true, false, 0, -1.5, 1e300),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  );
  const trimmed = (row: Row): Cell[] => {
    const cells = Array.from(row);
    while (cells.length > 0 && cells.at(-1) === undefined) cells.pop();
    return cells;
  };

  test('gives back the rows it was made of', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 6 }), { minLength: 1 }), (rows) => {
        expect(decodeRows(encodeRows(rows)).map(trimmed)).toEqual(rows.map(trimmed));
      }),
    );
  });

  test('is cut into chunks of so many rows, in their order', () => {
    const texts = fc.array(fc.constantFrom('', 'a', 'æøå', '1,5'), { minLength: 1, maxLength: 3 });
    const rows = fc.oneof(
      fc.array(texts, { minLength: 1, maxLength: 12 }),
      fc.array(fc.array(cell, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
    );
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 13 }), (all, most) => {
        const cuts = cutChunk(encodeRows(all), { rows: all.length, most });
        expect(cuts.flatMap(({ input }) => decodeRows(input)).map(trimmed)).toEqual(
          all.map(trimmed),
        );
        expect(cuts.map(({ rows: some }) => some)).toEqual(
          Array.from({ length: Math.ceil(all.length / most) }, (_, i) =>
            Math.min(most, all.length - i * most),
          ),
        );
      }),
    );
  });

  test('takes a hole in a row for a column the row does not name', () => {
    const row: Cell[] = [];
    row[1] = 'b';
    expect(decodeRows(encodeRows([row, ['a']]))).toEqual([[undefined, 'b'], ['a']]);
  });
});

describe('a CSV', () => {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const value = fc
    .string({ unit: fc.constantFrom('a', 'ø', '€', '𐍈', ';', ',', '"', '\n', '\r', '\t', ' ') })
    .filter((text) => text.length <= 20);

  test('means the same whatever its delimiter, line end, charset and the pieces it comes in', () => {
    const shape = fc.record({
      rows: fc.array(fc.tuple(value, value, value), { maxLength: 8 }),
      delimiter: fc.constantFrom(';', ',', '\t', '|'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      bom: fc.boolean(),
      isEnded: fc.boolean(),
      piece: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(shape, ({ rows, delimiter, end, bom, isEnded, piece }) => {
        const lines = [['a', 'b', 'c'], ...rows].map((row) => row.map(quoted).join(delimiter));
        const body = `${bom ? '\ufeff' : ''}${lines.join(end)}${isEnded ? end : ''}`;
        expect(readCsv(body, piece)).toEqual({ columns: ['a', 'b', 'c'], rows });
      }),
      { numRuns: amountOf({ gate: 100, night: 400 }) },
    );
  });

  test.each<readonly [body: string, rows: string | string[][]]>([
    ['a;b\n1;2', '1;2'],
    ['a;b\n1,5;2,25\n', '1,5;2,25'],
    ['a,b\r\n1;2,3\r\n', [['1;2', '3']]],
    ['a;b\n\n1;2\n\n\n3;4\n\n', '1;2|3;4'],
    ['a;b\n1\n', '1'],
    ['a;b\n;\n', ';'],
    ['a;b\n"";\n', ';'],
    ['a\n""\n', ''],
    ['a;b;;\n1;2;;\n3;4\n', '1;2|3;4'],
    ['a;b\n1;hus "A"\n', '1;hus "A"'],
    ['a;b\n1;"x\r\ny;""z"""\n', [['1', 'x\r\ny;"z"']]],
    ['"a";" b "\n1;2', '1;2'],
    ['adresse\nGade 1, 1000 By\n', 'Gade 1, 1000 By'],
    ['a;b', []],
    ['a;b\n', []],
  ])('%j is read', (body, table) => {
    const rows = typeof table === 'string' ? cellsOf(table) : table;
    for (const piece of [1, 3, 1000]) expect(readCsv(body, piece).rows).toEqual(rows);
  });

  test.each([
    [';vej;', ['Kolonne 1', 'vej']],
    ['a;;b;', ['a', 'Kolonne 2', 'b']],
    ['by;by;by (2);by', ['by', 'by (3)', 'by (2)', 'by (4)']],
    [`${'x'.repeat(200)};${'x'.repeat(200)}`, ['x'.repeat(200), `${'x'.repeat(194)} (2)`]],
  ])('with the headings %.40j has columns of their own', (head, columns) => {
    expect(readCsv(`${head}\n`).columns).toEqual(columns);
  });

  test.each([
    ['', 'The first line must be a header'],
    ['\n \n', 'The first line must be a header'],
    [';;\n', 'The first line must be a header'],
    [`${'x'.repeat(201)};b\n`, 'Column 1: the name of a column has 1 to 200'],
    [
      '__proto__;b\n',
      'Column 1: the name of a column has no control characters and is not __proto__.',
    ],
    [`${Array.from({ length: 201 }, (_, i) => i).join(';')}\n`, 'at most 200 columns'],
    [`"${'x'.repeat(200_000)}`, 'The header, the first line, is too long'],
    ['a;b\n1;2\n1;2;3\n', 'Row 2 has more cells than the header has columns: name every column'],
    ['a;b\n1;"2"3\n', 'Row 1: something follows a quoted cell'],
    ['a;b\n1;2\n1;"2', 'Row 2: a quoted cell is not closed.'],
    ['a;b\n1;\u0000', 'Row 1 has a control character'],
    ['a;b\n1;"\u001f"', 'Row 1 has a control character'],
    [`a;b\n1;${'x'.repeat(1001)}\n`, 'Row 1, column b: a text may have at most 1000 characters.'],
    [`a;b\n"${'ø'.repeat(1001)}";1`, 'Row 1, column a: a text may have at most 1000 characters.'],
    [`a;b\n1;"${'x\n'.repeat(100_000)}`, 'Row 1, column b: a text may have at most 1000'],
  ])('%.40j is refused', (body, text) => {
    for (const piece of [7, 1 << 16]) expect(refusalOf(() => readCsv(body, piece))).toContain(text);
  });

  test('takes a thousand characters, however many bytes they are, and a name of 200', () => {
    const name = 'ø'.repeat(200);
    for (const char of ['x', 'ø', '€', '𐍈']) {
      const long = char.repeat(JOB_LIMITS.valueChars);
      const body = `${name};b\n${long};"${long}"\n`;
      for (const piece of [5, 1 << 16]) expect(readCsv(body, piece).rows).toEqual([[long, long]]);
    }
  });

  test.each([';', ',', '\t', '|'])(
    'may name its delimiter %j in a line before the header',
    (mark) => {
      const expected = { columns: ['a;b', 'c,d', 'e'], rows: cellsOf('1;2;3|4;5;6') };
      const lines = ['"a;b";"c,d";e', '1;2;3', '4;5;6'];
      const [head, ...rows] = lines.map((line) => line.replaceAll(/;(?!b)/g, mark));
      for (const [line, end] of [
        ['sep=', '\n'],
        ['sep=', '\r\n'],
        ['SEP=', '\r'],
        ['\ufeffsep=', '\r\n'],
      ] as const) {
        const text = [`${line}${mark}`, head, ...rows].join(end);
        for (const piece of [1, 2, 3, 5, 7, 1000]) expect(readCsv(text, piece)).toEqual(expected);
      }
      expect(readCsv('a;b\nsep=;\n')).toEqual({ columns: ['a', 'b'], rows: [['sep=', '']] });
      expect(refusalOf(() => readCsv(`sep=${mark}\n`))).toContain('must be a header');
      expect(refusalOf(() => readCsv(`sep=${mark}`))).toContain('must be a header');
    },
  );

  test.each([
    ['an .xlsx', 'PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0', /Excel workbook.*save it as CSV/],
    ['an .xls', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0', /Excel workbook.*save it as CSV/],
    ['letters of DOS', '\x9d;\x8f\n', /neither UTF-8 nor Windows-1252/],
  ])('that is %s is named as that', (_what, text, says) => {
    const body = Buffer.from(text, 'latin1');
    for (const piece of [1, 3, 1000]) {
      for (const charset of [null, 'windows-1252'] as const) {
        expect(refusalOf(() => readCsv(body, piece, charset))).toMatch(says);
      }
    }
  });

  test.each([
    ['macintosh', { æ: 0xbe, ø: 0xbf, å: 0x8c, Æ: 0xae, Ø: 0xaf, Å: 0x81, '½': 0xb8, é: 0x8e }],
    ['dos', { æ: 0x91, ø: 0x9b, å: 0x86, Æ: 0x92, Ø: 0x9d, Å: 0x8f, '½': 0xab, é: 0x82 }],
  ] as const)('in the letters of %s is not read as Windows-1252', (charset, codes) => {
    const roads = ['Blåbærvej', 'Østergade', 'Søvej', 'Ærøvej', 'Kærvej', 'Åvej'];
    for (const road of roads) {
      for (const text of [`vej;nr\n${road};1\n`, `vej;nr;n\n${road};1;2½\n`]) {
        const codeOf = (char: string) => (codes as Record<string, number>)[char];
        const bytes = Buffer.from(Array.from(text, (char) => codeOf(char) ?? char.charCodeAt(0)));
        const refused = [1, 1000].map((piece) => refusalOf(() => readCsv(bytes, piece)));
        for (const each of refused) expect(each, text).toContain('charset=macintosh');
        const guess = new EncodingGuess();
        guess.push(bytes);
        const isMac = charset === 'macintosh';
        expect(guess.end(), text).toBe(isMac ? 'macintosh' : 'utf-8');
        if (isMac) expect(readCsv(bytes, 1, charset).rows[0]?.[0]).toBe(road);
      }
    }
  });

  test('is UTF-8 or Windows-1252 by what it says, its mark or its letters', () => {
    const text = 'vej;by\nÆblevej “1”;Ærøskøbing\n';
    const rows = [['Æblevej “1”', 'Ærøskøbing']];
    const old = Buffer.from(
      Array.from(text, (char) => ({ '“': 0x93, '”': 0x94 })[char] ?? char.charCodeAt(0)),
    );
    for (const piece of [1, 2, 5, 1000]) {
      expect(readCsv(text, piece).rows).toEqual(rows);
      expect(readCsv(`\ufeff${text}`, piece, 'windows-1252').rows).toEqual(rows);
      expect(readCsv(old, piece).rows).toEqual(rows);
      expect(readCsv(old, piece, 'windows-1252').rows).toEqual(rows);
      expect(refusalOf(() => readCsv(old, piece, 'utf-8'))).toContain(
        'The text is not valid UTF-8',
      );
    }
    expect(readCsv(Buffer.from(`\ufeff${text}`, 'utf16le'))).toEqual(readCsv(Buffer.from(text)));
    // Damaged, not old: it would be read as mush.
    const damaged = Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28, 0x0a])]);
    expect(refusalOf(() => readCsv(damaged))).toContain('The text is not valid UTF-8');
    expect(refusalOf(() => readCsv(Buffer.from([0x61, 0x0a, 0x41, 0xc3]), 1, 'utf-8'))).toContain(
      'not valid UTF-8',
    );
  });

  test.each([
    ['Sager 2026;;\r\nUdskrevet 1.1.;;\r\nsag;x;y\r\nA;1;2\r\nB;3;4\r\n', ['sag', 'x', 'y'], 2, 3],
    ['\n\nsag;x\nA;1\n', ['sag', 'x'], 1, null],
    ['Sager, 2026\n1\n2\n', ['Sager', '2026'], 2, null],
    ['adresse;\nNygade 1;\nNygade 2;a\nNygade 3;b\n', 'more cells', 0, null],
    ['sag;\n1;2\n3;4\n', 'more cells', 0, null],
  ])('%j has its head where it is', (text, columns, rows, guessed) => {
    for (const piece of [1, 7, text.length]) {
      const work = () => readIn(new CsvReader(), text, piece);
      if (typeof columns === 'string') expect(refusalOf(work)).toContain(columns);
      else {
        const found = work();
        expect([found.columns, found.rows, found.guessedHead]).toEqual([columns, rows, guessed]);
      }
    }
  });

  test('is read under the row that is named, as a spreadsheet counts, and numbers its rows so', () => {
    const text = 'sep=;\nNote\n\n"to\nlinjer";\nsag;x\nA;1\n\n;;\nB;2';
    const numbers: number[] = [];
    const onRows = (_text: Uint8Array, _rows: number, some: readonly number[]) => {
      numbers.push(...some);
    };
    const reader = new CsvRows({ onRows, headRow: 4 });
    reader.push(Buffer.from(text));
    expect(reader.end()).toMatchObject({ columns: ['sag', 'x'], headRow: 4, guessedHead: null });
    expect(numbers).toEqual([5, 7, 8]);
    for (const row of [2, 9]) {
      const other = new CsvReader(null, row);
      expect(refusalOf(() => readIn(other, text))).toContain(`Row ${row} has no names of columns`);
    }
  });

  test('has at most a million rows', () => {
    const reader = new CsvReader();
    reader.push(Buffer.from('a\n'));
    reader.push(Buffer.from('1\n'.repeat(JOB_LIMITS.rowsPerJob)));
    expect(refusalOf(() => reader.push(Buffer.from('1\n')))).toBe(
      'A job may have at most 1000000 rows.',
    );
  });

  test('of anything at all is read or refused, and never breaks the reader', () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const likely = fc.string({
      unit: fc.constantFrom('a', ';', '"', '\n', '\r', 'ø', ' '),
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.oneof(bytes, likely), fc.integer({ min: 1, max: 50 }), (body, piece) => {
        const whole = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
        // Said, because of bytes at random what comes first decides.
        const take = (size?: number) => readCsv(whole, size, 'windows-1252');
        if (refusalOf(take) === 'nothing') expect(take(piece)).toEqual(take());
        else expect(refusalOf(() => take(piece))).not.toBe('nothing');
        expect(refusalOf(() => readCsv(whole, piece))).toMatch(/./);
      }),
      { numRuns: amountOf({ gate: 250, night: 1_000 }) },
    );
  });
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

describe.each([
  ['NDJSON', (lines: string[]) => lines.join('\n'), () => new NdjsonReader()],
  ['JSON', (rows: string[]) => `{"rows": [${rows.join(' , ')}]}`, () => new JsonReader()],
] as const)('rows of %s', (_name, bodyOf, reader) => {
  const of = (rows: string[], piece?: number) => rowsOf(readIn(reader(), bodyOf(rows), piece));

  test('are those that were written, in whatever pieces', () => {
    // oxlint-disable-next-line no-control-regex -- names have none
    const refused = /[\u0000-\u001f\u007f]|^__proto__$/;
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((text) => headingOf(text) === text && !refused.test(text) && text.isWellFormed());
    const value = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'ø', '"', '\\', '{', '}', '[', ']', ',', ':', '\n') }),
      fc.constantFrom(null, true, false, 0, 12.5, -3, '', '𐍈'),
    );
    const object = fc.dictionary(name, value, { maxKeys: 4, noNullPrototype: true });
    const pieces = fc.integer({ min: 1, max: 11 });
    fc.assert(
      fc.property(fc.array(object, { maxLength: 6 }), pieces, (objects, piece) => {
        const { columns, rows } = of(
          objects.map((each) => JSON.stringify(each)),
          piece,
        );
        expect([...columns]).toEqual([...new Set(objects.flatMap((each) => Object.keys(each)))]);
        const shown = rows.map((row) =>
          Object.fromEntries(
            columns.flatMap((column, i) => (row[i] === undefined ? [] : [[column, row[i]]])),
          ),
        );
        expect(shown).toEqual(objects);
      }),
      { numRuns: amountOf({ gate: 100, night: 300 }) },
    );
  });

  test.each([
    ['[1]', 'Row 1 must be a JSON object.'],
    ['"x"', 'Row 1 must be a JSON object.'],
    ['{"a":1', 'not valid JSON'],
    ['{"a":1}}', 'not valid JSON'],
    ['{"a":1,"a":2}', 'names a column more than once'],
    ['{"a":{"b":1}}', 'nested'],
    ['{"a":[]}', 'a value is a text, a number, true, false or null'],
    ['{"__proto__":1}', 'the name of a column has no control characters'],
    ['{"":1}', 'the name of a column has 1 to 200'],
    [`{"${'x'.repeat(201)}":1}`, 'the name of a column has 1 to 200'],
    [`{"a":"${'x'.repeat(1001)}"}`, 'at most 1000 characters'],
    ['{"a":1e999}', 'a value is a text'],
    ['{"a\\u0000":1}', 'the name of a column has no control characters'],
  ])('as %.40j are refused', (row, text) => {
    for (const piece of [3, 1 << 16]) expect(refusalOf(() => of([row], piece))).toContain(text);
  });

  test('keep the digits that no double has (D280)', () => {
    const row = '{"a":9007199254740991,"b":-9007199254740993,"c":1e20,"d":"1234567890123456"}';
    const kept = [9_007_199_254_740_991, '-9007199254740993', 1e20, '1234567890123456'];
    expect(of([row]).rows).toEqual([kept]);
  });

  test('have at most 200 columns together, and a thousand characters a value', () => {
    const wide = Array.from({ length: 201 }, (_, i) => `{"c${i}":1}`);
    expect(refusalOf(() => of(wide))).toContain('at most 200 columns');
    expect(of(wide.slice(1)).columns).toHaveLength(200);
    const long = '𐍈'.repeat(1000);
    expect(of([JSON.stringify({ a: long })]).rows).toEqual([[long]]);
  });

  test('that are no text of Unicode are mended, and a line without end is refused', () => {
    expect(of(['{"a":"x\\u0000\\ud800"}']).rows).toEqual([['x\ufffd\ufffd']]);
    expect(refusalOf(() => of([`{"a":"${'x'.repeat(2 ** 21)}`]))).toMatch(/bytes|valid JSON/);
  });
});

describe('a JSON body', () => {
  test.each([
    ['{"rows":[]}', 0],
    ['{"rows":[{"a":1}],"kind":"dagi"}', 1],
    ['{"kind":"a[\\"rows\\":[","rows" : [ {"a":"]}"} , {} ] , "start":true}', 2],
    ['{"columns":{"x":"rows"},"rows":[{"a":null}]}', 1],
    ['{"a":{"rows":[{"b":1}]}}', 0],
  ])('%s is split into its rows and the rest', (body, count) => {
    for (const piece of [1, 4, 1000]) {
      const reader = new JsonReader();
      expect(readIn(reader, body, piece).rows).toBe(count);
      const head = JSON.parse(reader.head().toString()) as { rows?: unknown[] };
      const whole = JSON.parse(body) as { rows?: unknown[] };
      expect(head).toEqual({ ...whole, ...(whole.rows && { rows: whole.rows.slice(0, 1) }) });
    }
  });

  test.each(['{"rows":[', '{"rows":[{}', '{"rows":[,{}]}', '{"rows":[{},]}', '{"rows":[{} {}]}'])(
    '%s is refused',
    (body) => {
      expect(refusalOf(() => readIn(new JsonReader(), body))).toContain('not valid JSON');
    },
  );

  test('that was read whole before it is refused was not cut off', async () => {
    const app = Fastify();
    app.addHook('preParsing', async (request, _reply, payload) => {
      const whole = await buffer(payload);
      await until(() => request.raw.destroyed);
      return Readable.from([whole]);
    });
    installRowsBodies(app, localLimiters());
    app.post('/rows', () => 'read');
    try {
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      for (const [type, body, says] of [
        ['application/json', '{"rows":[1]}', 'Row 1 must be a JSON object.'],
        ['text/csv;HEADER="absent"', 'a;b', 'header=absent says that it has none'],
      ] as const) {
        const headers = { 'content-type': type };
        const answer = await fetch(`${url}/rows`, { method: 'POST', headers, body });
        expect(await answer.text()).toContain(says);
      }
    } finally {
      await app.close();
    }
  });

  test('has little beside its rows', () => {
    const body = `{"label":"${'x'.repeat(JOB_LIMITS.headBytes)}"}`;
    expect(refusalOf(() => readIn(new JsonReader(), body))).toContain('beside its rows');
  });
});

describe('a cell', () => {
  test.each([
    ['55.6', 55.6],
    [' 55,6 ', 55.6],
    ['-1', -1],
    ['6.175.000,25', 6_175_000.25],
    ['6 175 000', 6_175_000],
    ['1.234.567', 1_234_567],
    ['175.000', 175],
    ['1e3', 1000],
    [12, 12],
    ['', null],
    ['0x10', null],
    ['1,2,3', null],
    ['Infinity', null],
    ['12 m', null],
    ['١٢', null],
    [true, null],
    [null, null],
    [undefined, null],
  ])('%j is the number %j', (cell, number) => {
    expect(numberOf(cell)).toBe(number);
  });

  test.each([
    [' a b ', 'a b'],
    ['', null],
    [' ', null],
    [7, '7'],
    [null, null],
    [undefined, null],
    [true, null],
  ])('%j is the text %j', (cell, text) => {
    expect(textOf(cell)).toBe(text);
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
