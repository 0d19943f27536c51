/** Files that are made while they are sent, as a client gets them: read back by another library. */
import type { FastifyInstance } from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import type { Sheet } from 'hucre/xlsx';
import { beforeAll, expect, test } from 'vitest';
import { samplePoint } from '../../sample/points.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import { readAs, runningCells } from './csv-judge.ts';
import { addJob, finishedJob } from './job-bench.ts';
import type { JobBench, Owner, ResultLine, Owned } from './job-bench.ts';

const { utm32 } = samplePoint('beach-cut');
const COLUMNS = ['kode', 'dato', 'tal', 'ja', 'note', 'x', 'y'];
const NOTES = [
  ...['=1+1', '-2+3', '@SUM(A1)', '+45 12', 'a;=1+1', 'a,=1+1', 'a,"-1', '100,-', 'Ærø\nø'],
  ...['_x0041_', 'a\u0001b', '<b>&"', ' mellemrum ', '2026-02-31', '\r', '＝1+1', '-7,5'],
];
const TOTAL = 300;
const isBad = (n: number) => n % 7 === 6;
const rowOf = (n: number): Row => [
  '0093',
  n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00',
  n - 7.5,
  n % 3 === 0,
  NOTES[n % NOTES.length],
  isBad(n) ? 'ikke et tal' : `${Math.floor(utm32.xUtm32) + n},25`,
  String(utm32.yUtm32),
];
const ROWS = Array.from({ length: TOTAL }, (_, n) => rowOf(n));
const xOf = (n: number) => (isBad(n) ? 'ikke et tal' : Math.floor(utm32.xUtm32) + n + 0.25);

let edge: FastifyInstance;
let owner: Owner;
let id: string;
let get: Owned['get'];
let bench: JobBench;

async function sheetsOf(path: string): Promise<readonly Sheet[]> {
  const response = await get(path);
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
  return (await readXlsx(response.rawPayload, { readStyles: true })).sheets;
}

/** As spreadsheets see a day: in no zone. */
const isoOf = (cell: unknown) => (cell instanceof Date ? cell.toISOString().slice(0, 19) : cell);

export function madeFilesSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    ({ owner, edge, id, get } = await finishedJob(bench, {
      inputColumns: COLUMNS,
      rows: ROWS,
      chunkRows: 70,
    }));
  });
  workbooks();
  texts();
  rules();
}

function workbooks(): void {
  test('a workbook has the answers with types, the errors, and what it is', async () => {
    const [answers, errors, about, more] = await sheetsOf(`${id}/results?format=xlsx`);
    expect([answers?.name, errors?.name, about?.name, more]).toEqual([
      'Svar',
      'Fejl',
      'Om',
      undefined,
    ]);
    expect(answers!.freezePane).toMatchObject({ rows: 1 });
    const { header, lines } = await answeredLines();
    const [head, ...rows] = answers!.rows;
    expect(head).toEqual(header);
    expect(rows).toHaveLength(lines.length);
    for (const [i, line] of lines.entries()) {
      const n = line.raekke - 1;
      const cells = rows[i]!;
      const [kode, dato, tal, ja, note, x] = cells;
      expect([kode, tal, ja, x]).toEqual(['0093', n - 7.5, n % 3 === 0, xOf(n)]);
      expect(isoOf(dato)).toBe(n % 2 === 0 ? '2026-01-31T00:00:00' : '2026-01-31T12:30:00');
      expect(note).toBe(NOTES[n % NOTES.length]);
    }
    for (const cell of answers!.cells?.values() ?? []) expect(cell.formula).toBeUndefined();
    const [badHead, ...bad] = errors!.rows;
    expect(badHead).toEqual([...COLUMNS, 'raekke', 'error', 'status']);
    expect(bad.map((row) => row[7])).toEqual(ROWS.flatMap((_, n) => (isBad(n) ? [n + 1] : [])));
    expect(bad[0]!.slice(7)).toEqual([7, 'Kolonnen "x" (x) er ikke et tal.', 400]);
    const told = new Map(about!.rows.slice(1).map(([name, value]) => [name, value]));
    expect(told.get('Type (kind)')).toBe('dagi');
    expect(told.get('Kilde')).toBe((lines[0]!.svar as { meta: { kilde: string } }).meta.kilde);
    expect(told.get('Datageneration')).toBe(lines[0]!.generation);
    expect(told.get('Rækker i alt')).toBe(TOTAL);
    expect(told.get('Afsluttet (UTC)')).toBeInstanceOf(Date);
  });

  test('a workbook of the errors alone, and one of every row in its order', async () => {
    const errors = await sheetsOf(`${id}/errors?format=xlsx`);
    expect(errors.map(({ name }) => name)).toEqual(['Fejl', 'Om']);
    const [all, about] = await sheetsOf(`${id}/results?format=xlsx&raekker=alle`);
    expect([all?.name, about?.name]).toEqual(['Rækker', 'Om']);
    checkAllRows(all!.rows, 'da', (n) => xOf(n));
  });
}

async function answeredLines() {
  const csv = await get(`${id}/results`);
  const [header = []] = readAs(csv.body.slice(1), ',');
  const ndjson = await get(`${id}/results?format=ndjson`);
  const lines = ndjson.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultLine);
  return { header, lines };
}

const NO_NUMBER = {
  da: 'Kolonnen "x" (x) er ikke et tal.',
  en: 'The column "x" (x) holds no number.',
};

function checkAllRows(
  given: readonly (readonly unknown[])[],
  language: 'da' | 'en',
  x: (n: number) => unknown,
): void {
  const [head, ...rows] = given;
  expect(head!.slice(7, 11)).toEqual(['raekke', 'status', 'fejl', 'punkt_lon']);
  expect(rows.map((row) => Number(row[7]))).toEqual(ROWS.map((_, n) => n + 1));
  for (const [n, row] of rows.entries()) {
    expect(row[5]).toEqual(x(n));
    expect(Number(row[8])).toBe(isBad(n) ? 400 : 200);
    const why = isBad(n) ? NO_NUMBER[language] : '';
    expect(row[9] ?? '').toBe(why);
    expect((row[10] ?? '') === '').toBe(isBad(n));
  }
}

function texts(): void {
  test('the Danish dialect: semicolons, decimal commas, CRLF, a mark, and nothing that runs', async () => {
    for (const path of [`${id}/results?`, `${id}/errors?`, `${id}/results?raekker=alle&`]) {
      const response = await get(`${path}format=csv&dialekt=da`);
      expect(response.headers['content-type']).toContain('text/csv');
      expect([...response.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      expect(runningCells(response.body)).toEqual([]);
      expect(response.body.endsWith('\r\n')).toBe(true);
    }
    const { header, lines } = await answeredLines();
    const text = (await get(`${id}/results?dialekt=da`)).body;
    const [head, ...rows] = readAs(text, ';');
    expect(head).toEqual(header);
    for (const [i, line] of lines.entries()) {
      const n = line.raekke - 1;
      expect(rows[i]!.slice(0, 4)).toEqual([
        '0093',
        n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00',
        String(n - 7.5).replace('.', ','),
        String(n % 3 === 0),
      ]);
      expect(rows[i]![5]).toBe(String(xOf(n)).replace('.', ','));
    }
  });

  test('every row in its order as CSV, in both dialects', async () => {
    const plain = await get(`${id}/results?raekker=alle`);
    expect(runningCells(plain.body)).toEqual([]);
    checkAllRows(readAs(plain.body, ','), 'en', (n) => ROWS[n]![5]);
    const danish = await get(`${id}/results?raekker=alle&dialekt=da`);
    checkAllRows(readAs(danish.body, ';'), 'da', (n) => String(xOf(n)).replace('.', ','));
  });

  test("a caseworker's words: headings and verdicts, and no answer that reads as none", async () => {
    const [head = [], ...rows] = readAs(
      (await get(`${id}/results?raekker=alle&dialekt=ord`)).body,
      ';',
    );
    expect(head.slice(7, 11)).toEqual(['Række', 'Status', 'Hvorfor ikke', 'Længdegrad']);
    expect(head.slice(10).filter((name) => /_/.test(name))).toEqual([]);
    for (const [n, row] of rows.entries()) {
      const said = isBad(n) ? ['ikke besvaret', 'Kolonnen "x" er ikke et tal.'] : ['besvaret', ''];
      expect(row.slice(8, 10)).toEqual(said);
      const answer = new Set(row.slice(10));
      if (isBad(n)) expect([...answer]).toEqual(['ikke besvaret']);
      else expect(answer.has('') || answer.has('false')).toBe(false);
    }
    const [sheet, errors, about] = await sheetsOf(`${id}/results?format=xlsx&dialekt=ord`);
    expect(sheet!.rows[0]).toEqual(head.filter((_name, at) => at !== 8 && at !== 9));
    expect(errors!.rows[0]!.slice(7)).toEqual(['Række', 'Hvorfor ikke', 'Status']);
    expect(about!.rows.map(([name]) => name)).toContain('Spørgsmål');
  });

  test('a row that the job has not come to says so, and is no empty answer', async () => {
    const waiting = await addJob(bench.store, {
      ...owner,
      kind: 'dagi',
      srid: 25832,
      columns: { x: 'x', y: 'y' },
      inputColumns: COLUMNS,
      status: 'paused',
      rows: ROWS.slice(0, 2),
    });
    const [, ...rows] = readAs((await get(`${waiting}/results?raekker=alle`)).body, ',');
    for (const row of rows) {
      expect(row.slice(8, 10)).toEqual(['', 'Not answered: the job has not come to this row.']);
    }
    expect(rows).toHaveLength(2);
    const [answers] = await sheetsOf(`${waiting}/results?format=xlsx`);
    expect(answers!.rows).toHaveLength(1);
  });
}

function rules(): void {
  test('what is made while it is sent comes whole, and is known again', async () => {
    for (const query of ['format=xlsx', 'dialekt=da', 'raekker=alle']) {
      const path = `${id}/results?${query}`;
      const whole = await get(path);
      const { etag } = whole.headers;
      expect(etag).toMatch(/^W\/"/);
      expect(whole.headers['accept-ranges']).toBe('none');
      expect(whole.headers['content-length']).toBeUndefined();
      const again = await get(path, { range: 'bytes=10-19', 'if-range': String(etag) });
      expect([again.statusCode, again.rawPayload.equals(whole.rawPayload)]).toEqual([200, true]);
      expect((await get(path, { 'if-none-match': String(etag) })).statusCode).toBe(304);
      const head = await edge.inject({
        method: 'HEAD',
        url: `/v1/jobs/${path}`,
        headers: { authorization: `Bearer ${owner.accountId}` },
      });
      expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
    }
    const file = await get(`${id}/results?format=xlsx&raekker=alle`);
    expect(file.headers['content-disposition']).toBe(`attachment; filename="${id}-all.xlsx"`);
    expect(file.headers['content-type']).toContain('spreadsheetml.sheet');
  });

  test.each([
    ['results?format=xls', 'format'],
    ['results?dialekt=en', 'dialekt'],
    ['results?raekker=nogle', 'raekker'],
    ['errors?raekker=alle', 'raekker'],
    ['results?format=xlsx&dialekt=da', 'dialekt'],
    ['results?format=ndjson&raekker=alle', 'raekker'],
    ['results?format=ndjson&dialekt=ord', 'dialekt'],
    ['errors?format=geojson&dialekt=ord', 'dialekt'],
    ['results?format=geojson&raekker=alle', 'raekker'],
  ])('%s is refused, naming the field', async (path, field) => {
    const response = await get(`${id}/${path}`);
    expect(response.statusCode).toBe(400);
    const body = response.json<{ error: string; type: string }>();
    expect(body.type).toBe('invalid_request');
    expect(body.error).toContain(field);
  });
}
