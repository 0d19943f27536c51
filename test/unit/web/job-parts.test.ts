/** The parts of the page of jobs that need no browser. */
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { workbookStream } from '../../../src/jobs/files/workbook.ts';
import { numberWritten } from '../../../src/core/rows/cells.ts';
import { guess } from '../../../src/core/rows/guess.ts';
import { Failure } from '../../../src/kernel/failures.ts';
import { readState, writeState } from '../../../src/web/job/address-bar.ts';
import { EventReader } from '../../../src/web/job/events.ts';
import { pageOf, placesOf } from '../../../src/web/job/first-page.ts';
import type { Job } from '../../../src/web/job/api.ts';
import { numbered, piecesOf } from '../../../src/web/job/pieces.ts';
import { plotOf } from '../../../src/web/job/plot.ts';
import { JOB_LIMITS } from '../../../src/jobs/limits.ts';
import { lookThrough, readRows } from '../../../src/web/job/source.ts';
import { costOf, takesRest, viewOf } from '../../../src/web/job/view.ts';
import { cellsOf, readCsv } from '../../support/read-rows.ts';

describe('a guess', () => {
  test.each([
    ['sag;øst;nord', '1;647650,5;6314000', 'miljoe', 25832, 'comma', 'øst nord'],
    ['Longitude;Latitude', '11.38;56.95', 'miljoe', 4326, 'point', 'Longitude Latitude'],
    // Named the other way round, as surveyors do.
    ['x;y', '6314000;647650', 'miljoe', 25832, null, 'y x'],
    // No name says it; the values do.
    ['a;b;c', '7;647650.5;6314000.25', 'miljoe', 25832, 'point', 'b c'],
    ['Adresse;Postnr', 'Ny Prøvegade 12;0093', 'datavask', 4326, null, ''],
    ['Vejnavn;Husnr.;By', 'Ny Prøvegade;12;Midtprøve', 'datavask', 4326, null, ''],
    ['BFE-nummer;navn', '9100001;a', 'bbr', 4326, null, ''],
    ['hest', '1', 'miljoe', 4326, null, ''],
  ] as const)('of %s over %s', (names, row, ...expected) => {
    const [kind, srid, decimal, place] = expected;
    const guessed = guess(names.split(';'), [row.split(';')]);
    expect(guessed).toMatchObject({ kind, srid, decimal });
    const { x, y } = guessed.columns;
    expect([x, y].filter((name) => name !== undefined).join(' ')).toBe(place);
  });

  test.each([
    ['Adresse på ejendom', 'Ny Prøvegade 12A, 0093 Midtprøve'],
    ['Adresse (ejendom)', 'Ny Prøvegade 12'],
    ['Beliggenhed', 'ny prøvegade 12a'],
    ['Beliggenhed i byen', 'Ny Prøvegade 12, 2. tv, 0093 Midtprøve'],
    // The values say it.
    ['Hvor', 'Ny Prøvegade 12 A 0093 Midtprøve'],
  ])('takes "%s" for the address', (column, text) => {
    const rows = [
      ['7', text, 'ring 12 gange'],
      ['8', '', null],
    ];
    const { kind, columns } = guess(['Sagsnr', column, 'Note'], rows);
    expect([kind, columns]).toEqual(['datavask', { adresse: column }]);
  });

  test.each([
    ['Adresse på mail', 'hans12@et.example'],
    ['Adresse oprettet', '12. marts 2024'],
    ['Note', 'Sagen fra 12 maj 2024 blev lukket'],
  ])('takes no "%s" for an address', (column, text) => {
    expect(guess(['Sagsnr', column], [['7', text]]).columns).toEqual({});
  });

  test('of the parts of an address finds each', () => {
    const { columns } = guess(['Gadenavn', 'Husnummer', 'Postnummer', 'Bynavn'], []);
    expect(columns).toEqual({
      ...{ vej: 'Gadenavn', husnr: 'Husnummer', postnr: 'Postnummer', by: 'Bynavn' },
    });
  });

  test.each([
    ['12.345', 'comma', '12345'],
    ['6.314.000,25', 'comma', '6314000.25'],
    ['12,345', 'point', '12345'],
    ['647650,5', 'comma', '647650.5'],
    ['her', 'comma', null],
    ['', 'point', null],
  ] as const)('that is corrected reads %s with a %s as %s', (text, decimal, written) => {
    expect(numberWritten(text, decimal)).toBe(written);
  });
});

const fileOf = (content: string | Uint8Array<ArrayBuffer>, name: string) =>
  new File([content], name);

describe('a file', () => {
  const TEXT = 'sag;øst;nord\r\nÆ1;647650,5;6314000\r\nÆ2;647660;6314010\r\n';

  test.each([
    ['UTF-8', new TextEncoder().encode(`\ufeff${TEXT}`), 'utf-8'],
    ['Windows-1252', Uint8Array.from(Buffer.from(TEXT, 'latin1')), 'windows-1252'],
    ['UTF-16', Uint8Array.from(Buffer.from(`\ufeff${TEXT}`, 'utf16le')), 'utf-16'],
  ])('in %s is read, and what it is written in is told', async (_name, bytes, charset) => {
    const looked = await lookThrough(fileOf(bytes, 'sager.csv'));
    expect(looked).toEqual({
      reading: { type: 'csv', charset, delimiter: ';', sheet: null, headRow: 1 },
      columns: ['sag', 'øst', 'nord'],
      rows: cellsOf('Æ1;647650,5;6314000|Æ2;647660;6314010'),
      numbers: [2, 3],
      totalRows: 2,
    });
  });

  test('is read as it is corrected', async () => {
    const file = fileOf('a;b,c\n1;2,3\n', 'en.csv');
    for (const [given, columns] of [
      [{}, ['a', 'b,c']],
      [{ delimiter: ',' }, ['a;b', 'c']],
      [{ delimiter: '' }, ['a;b,c']],
    ] as const)
      expect(await lookThrough(file, given)).toMatchObject({ columns });
  });

  test('has its head under titles, or where it is corrected, and rows sent by their place in it', async () => {
    const file = fileOf('Sager;\n\nsag;x\nA;1\n\nB;2\n', 'sager.csv');
    const looked = await lookThrough(file);
    expect(looked).toMatchObject({ columns: ['sag', 'x'], numbers: [4, 6] });
    expect(looked.reading.headRow).toBe(3);
    const corrected = await lookThrough(file, { headRow: 4 });
    expect(corrected).toMatchObject({ columns: ['A', '1'], numbers: [6] });
    await expect(lookThrough(file, { headRow: 5 })).rejects.toThrow('Row 5 has no names');
    const bodies: string[] = [];
    const batches = numbered(readRows(file, looked.reading));
    for await (const { body } of piecesOf(batches, { isText: true })) bodies.push(body);
    expect(bodies).toEqual(['sep=;\r\nsag;x;Række i filen\r\nA;1;4\r\nB;2;6\r\n']);
    const again = fileOf(bodies.join(''), 'igen.csv');
    const columns: string[] = [];
    for await (const batch of numbered(readRows(again, { ...looked.reading, headRow: 1 }))) {
      columns.splice(0, columns.length, ...batch.columns);
    }
    expect(columns).toEqual(['sag', 'x', 'Række i filen']);
  });

  test('of NDJSON keeps numbers and truth values, and columns in the order of first sight', async () => {
    const file = fileOf('{"a":1,"b":"0093"}\n\n{"b":null,"c":true}\n', 'en.ndjson');
    expect(await lookThrough(file)).toMatchObject({
      columns: ['a', 'b', 'c'],
      rows: [
        [1, '0093'],
        [undefined, null, true],
      ],
      totalRows: 2,
    });
  });

  test.each([
    ['a;b\n1;2;3\n', 'en.csv', 'Row 1 has more cells'],
    ['a;b\n"1;2\n', 'en.csv', 'Row 1: a quoted cell is not closed'],
    ['{"a":[1]}\n', 'en.ndjson', 'Row 1, column a: a value is a text'],
    ['{"a":1}\nhest\n', 'en.ndjson', 'Row 2 is not valid JSON'],
    ['{"a":1}\n[]\n', 'en.ndjson', 'Row 2 must be a JSON object'],
    [`{"a":"${'x'.repeat(1_001)}"}`, 'en.ndjson', 'may have at most 1000 characters'],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, n]))),
      ...['en.ndjson', 'at most 200 columns'],
    ],
    [
      Array.from({ length: 201 }, (_, n) => `{"a${n}":1}`).join('\n'),
      ...['en.ndjson', 'at most 200 columns'],
    ],
    [`{"a":"${'x'.repeat(JOB_LIMITS.rowBytes)}"}`, 'en.ndjson', 'Row 1 has more than'],
    [`{"a":1}\n{"a":"${'x'.repeat(JOB_LIMITS.rowBytes)}"}\n`, 'en.ndjson', 'Row 2 has more than'],
    ['PK\u0003\u0004', 'en.xlsx', 'The workbook (.xlsx) is damaged'],
  ])('of %j is refused before anything is sent', async (text, name, why) => {
    await expect(lookThrough(fileOf(text, name))).rejects.toThrow(why);
    await expect(lookThrough(fileOf(text, name))).rejects.toBeInstanceOf(Failure);
  });

  test('that is a workbook is read as the service reads it', async () => {
    const bytes = await buffer(
      workbookStream([
        {
          name: 'Sager',
          head: ['kode', 'tal', 'ja'],
          rows: async function* (sink) {
            sink.text('0093');
            sink.number('12.5');
            sink.boolean(true);
            yield await Promise.resolve(sink.take());
          },
        },
      ]),
    );
    const file = fileOf(Uint8Array.from(bytes), 'sager.xlsx');
    expect(await lookThrough(file)).toMatchObject({
      columns: ['kode', 'tal', 'ja'],
      rows: [['0093', 12.5, true]],
      totalRows: 1,
    });
    // Any byte of it changed: refused, or read as it was, and never an error of the page.
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      const read = lookThrough(fileOf(changed, 'sager.xlsx')).then(
        ({ rows }) => expect(rows).toEqual([['0093', 12.5, true]]),
        (error: unknown) => expect(error).toBeInstanceOf(Failure),
      );
      await read;
    }
  });
});

describe('pieces', () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'æ', ';', ',', '"', ' ', '\t', '|', '\n', '=', '😀') }),
    fc.constant(''),
  );

  test('of a csv are read by the service as the rows they were, wherever they are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .integer({ min: 1, max: 4 })
          .chain((columns) =>
            fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }),
          ),
        fc.integer({ min: 1, max: 60 }),
        async (rows, pieceChars) => {
          const columns = (rows[0] ?? []).map((_cell, at) => `k${at};"`);
          const batches = (async function* () {
            yield await Promise.resolve({ columns, rows, numbers: null });
          })();
          const read: unknown[] = [];
          let next = 1;
          for await (const piece of piecesOf(batches, { isText: true, pieceChars })) {
            const found = readCsv(piece.body, undefined, 'utf-8');
            expect(found.columns).toEqual(columns);
            expect(piece).toMatchObject({ firstRow: next, rows: found.rows.length });
            next += found.rows.length;
            read.push(...found.rows);
          }
          expect(read).toEqual(rows);
        },
      ),
    );
  });

  test('of other files are NDJSON, and come out the same each time', async () => {
    const file = fileOf('{"a":1}\n{"b":"x"}\n{"a":null}\n', 'en.ndjson');
    const { reading } = await lookThrough(file);
    const cut = async () => {
      const bodies: string[] = [];
      const options = { isText: false, pieceChars: 10 };
      for await (const { body } of piecesOf(readRows(file, reading), options)) bodies.push(body);
      return bodies;
    };
    expect(await cut()).toEqual(['{"a":1}\n', '{"b":"x"}\n', '{"a":null}\n']);
    expect(await cut()).toEqual(await cut());
  });
});

test('events are read in pieces of any size', () => {
  const text =
    'retry: 1000\n\nevent: progress\ndata: {"a":1}\n\n: still here\n\nevent: end\ndata: {}\n\n';
  for (const size of [1, 2, 7, text.length]) {
    const reader = new EventReader();
    const events = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
      reader.push(text.slice(n * size, (n + 1) * size)),
    ).flat();
    expect(events).toEqual([
      { name: 'progress', data: '{"a":1}' },
      { name: 'end', data: '{}' },
    ]);
  }
});

const JOB: Job = {
  ...({ id: 'job_a', kind: 'dagi', status: 'running', label: null, error: null } as const),
  ...{ totalRows: 1000, processedRows: 250, succeeded: 240, failed: 10, billedUnits: 0 },
  ...({ progress: 0.25, columns: {}, srid: 4326, inputColumns: [] } as const),
  ...{ createdAt: '2026-11-21T12:00:00.000Z', updatedAt: '2026-11-21T12:00:00.000Z' },
  ...{ startedAt: null, completedAt: null, resultsAvailable: true },
};

describe('a job as it is shown', () => {
  test('has its pace and the time left', () => {
    expect(viewOf({ job: JOB, rowsPerSecond: 50 })).toEqual({
      percent: 25,
      rowsPerSecond: 50,
      secondsLeft: 15,
      actions: ['pause', 'cancel'],
    });
  });

  test.each([
    ['running', null],
    ['running', 0],
    ['paused', 50],
  ] as const)(
    'says nothing of time where nothing moves: %s, %s rows/s',
    (status, rowsPerSecond) => {
      const view = viewOf({ job: { ...JOB, status }, rowsPerSecond });
      expect(view).toMatchObject({ rowsPerSecond: null, secondsLeft: null });
    },
  );

  test('is whole only when it has ended', () => {
    const job = { ...JOB, processedRows: 1000 };
    expect(viewOf({ job, rowsPerSecond: null }).percent).toBe(99);
    const ended = { ...job, status: 'completed' as const };
    expect(viewOf({ job: ended, rowsPerSecond: null }).percent).toBe(100);
    expect(viewOf({ job: { ...JOB, totalRows: 0 }, rowsPerSecond: null }).percent).toBe(0);
  });

  test.each([
    ['draft', ['start', 'delete']],
    ['queued', ['cancel']],
    ['paused', ['resume', 'cancel']],
    ['completed', ['delete']],
    ['failed', ['delete']],
    ['cancelled', ['delete']],
  ] as const)('offers what may be done: %s', (status, actions) => {
    expect(viewOf({ job: { ...JOB, status }, rowsPerSecond: null }).actions).toEqual(actions);
  });

  test('takes the rest of a file while the pieces that it has are known', () => {
    const made = Date.parse(JOB.createdAt);
    expect(takesRest(JOB, made + 22 * 3_600_000)).toBe(true);
    expect(takesRest(JOB, made + 23 * 3_600_000)).toBe(false);
  });

  test('costs its rows at most', () => {
    const much = costOf(200, { units: 4_900, allowance: 5_000 });
    expect(much).toEqual({ left: 100, beyond: 100, isEnough: false });
    expect(costOf(200, { units: 6_000, allowance: 5_000 }).left).toBe(0);
  });
});

describe('the address', () => {
  test('comes back as it was', () => {
    const sent = {
      ...({ name: 'ab12cd34', charset: 'windows-1252', delimiter: '\t' } as const),
      ...({ sheet: null, headRow: 3, decimal: 'comma' } as const),
    };
    const unsaid = { ...sent, delimiter: '', headRow: null, decimal: null };
    for (const state of [
      { job: null, environment: 'test', sent: null },
      { job: 'job_abc', environment: 'live', sent: null },
      { job: 'job_abc', environment: 'test', sent },
      { job: 'job_abc', environment: 'test', sent: unsaid },
    ] as const) {
      expect(readState(writeState(state))).toEqual(state);
    }
  });

  test.each(['#job=../../v1/me', '#job=<b>', '#miljoe=prod', '#send=zz'])(
    'of %s is nothing',
    (hash) => {
      expect(readState(hash)).toEqual({ job: null, environment: 'test', sent: null });
    },
  );
});

describe('the first page of a csv', () => {
  const CSV =
    '\ufeffsag,lon,raekke,punkt_lon,punkt_lat\r\n"a,\n1",9,1,11.5,56.5\r\nb,9,2,11.6,56.6\r\n';

  test('has the rows that are whole, wherever it breaks off', () => {
    const bytes = new TextEncoder().encode(CSV);
    for (let end = bytes.length; end > 45; end--) {
      const { head, rows } = pageOf(bytes.subarray(0, end), 2);
      expect(head).toHaveLength(5);
      for (const row of rows) expect(row).toHaveLength(5);
      expect(rows.length).toBeLessThanOrEqual(2);
    }
    const page = pageOf(bytes, 2);
    expect(page.rows[0]).toEqual(['a,\n1', '9', '1', '11.5', '56.5']);
    // The caller's own column of that name is none of the answer's.
    expect(placesOf(page)).toEqual([
      { row: '1', lon: 11.5, lat: 56.5 },
      { row: '2', lon: 11.6, lat: 56.6 },
    ]);
  });

  test('is drawn north up, a metre as long east as north', () => {
    const plot = plotOf([
      { row: '1', lon: 11, lat: 56 },
      { row: '2', lon: 11.2, lat: 56.1 },
    ]);
    const [first, second] = plot?.points ?? [];
    const [dx, dy] = [(second?.x ?? 0) - (first?.x ?? 0), (first?.y ?? 0) - (second?.y ?? 0)];
    expect(dx / dy).toBeCloseTo((0.2 * Math.cos((56.05 * Math.PI) / 180)) / 0.1, 2);
    expect(plotOf([])).toBeNull();
    expect(plotOf([{ row: '1', lon: 11, lat: 56 }])?.scale.metres).toBe(100);
  });
});
