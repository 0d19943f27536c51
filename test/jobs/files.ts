/** The files of jobs as a client gets them: every format, any range, cells nobody runs; read back by other programs. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { readXlsx } from 'hucre/xlsx';
import type { Sheet } from 'hucre/xlsx';
import { beforeAll, describe, expect, test } from 'vitest';
import { samplePoint } from '../../sample/points.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import { parseRows, readAs, runningCells } from './csv-judge.ts';
import { METRES, addJob, addOwner, finishedJob, stateOf } from './job-bench.ts';
import type { JobBench, Owned, Owner, ResultLine } from './job-bench.ts';
import { portOf } from '../support/free-port.ts';

const { utm32 } = samplePoint('beach-cut');
/** The first of a row has a rule of its own. */
const COLUMNS = ['note', 'kode', 'dato', 'tal', 'ja', 'x', 'y'];
/** Which cells of a CSV these become is said in `marked`. */
const NASTY = [
  ...['=1+1', '+45 12', '-2+3', '@SUM(A1)', '\tx', 'a,"b"', 'line\r\nbreak', 'Ærø; ø', '-7,5'],
  ...['a;=1+1;b', 'a\n=1+1', 'a\t+1'],
];
const NOTES = [
  ...NASTY,
  ...['a,=1+1', 'a,"-1', '100,-', 'Ærø\nø', '_x0041_', 'a\u0001b', '<b>&"', ' mellemrum '],
  ...['2026-02-31', '\r', '＝1+1'],
];
const TOTAL = 300;
const isBad = (n: number) => n % 7 === 6;
const rowOf = (n: number): Row => [
  NOTES[n % NOTES.length],
  '0093',
  n % 2 === 0 ? '2026-01-31' : '2026-01-31T12:30:00',
  n - 7.5,
  n % 3 === 0,
  isBad(n) ? 'ikke et tal' : `${Math.floor(utm32.xUtm32) + n},25`,
  String(utm32.yUtm32),
];
const ROWS = Array.from({ length: TOTAL }, (_, n) => rowOf(n));
const xOf = (n: number) => (isBad(n) ? 'ikke et tal' : Math.floor(utm32.xUtm32) + n + 0.25);

const asked = () => ({ ...owner, ...METRES, inputColumns: COLUMNS });

let bench: JobBench;
let owner: Owner;
let edge: FastifyInstance;
let id: string;
let get: Owned['get'];

async function sheetsOf(path: string): Promise<readonly Sheet[]> {
  const response = await get(path);
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200);
  return (await readXlsx(response.rawPayload, { readStyles: true })).sheets;
}

/** As spreadsheets see a day: in no zone. */
const isoOf = (cell: unknown) => (cell instanceof Date ? cell.toISOString().slice(0, 19) : cell);

/** Fetches them from a bench of the caller's. */
export function filesSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    ({ owner, edge, id, get } = await finishedJob(bench, {
      inputColumns: COLUMNS,
      rows: ROWS,
      chunkRows: 70,
    }));
  });
  describe('a file', kept);
  workbooks();
  texts();
}

/** With the marks that keep it from running, written once more and by hand. */
function marked(text: string): string {
  const first = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return first.replace(';=', ";'=").replace('\n=', "\n'=").replace('\t+', "\t'+");
}

const hasGdal = (): boolean => spawnSync('ogrinfo', ['--version']).status === 0;

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function kept(): void {
  test('as CSV has the columns of the caller first, then ours, and nothing that runs', async () => {
    const response = await get(`${id}/results`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toContain('text/csv');
    expect(response.rawPayload.length).toBe(Number(response.headers['content-length']));
    expect([...response.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(runningCells(response.rawPayload.toString())).toEqual([]);
    expect(runningCells((await get(`${id}/errors`)).body)).toEqual([]);
    const [header = [], ...rows] = parseRows(response.rawPayload.toString().slice(1));
    expect(header.slice(0, 10)).toEqual([...COLUMNS, 'raekke', 'punkt_lon', 'punkt_lat']);
    expect(rows).toHaveLength((await stateOf(bench.store, id)).succeeded);
    for (const row of rows) {
      expect(row).toHaveLength(header.length);
      const given = ROWS[Number(row[7]) - 1]!;
      const note = String(given[0]);
      if (NASTY.includes(note)) expect(row[0]).toBe(note === '-7,5' ? ` ${note}` : marked(note));
      expect(row[5]).toBe(given[5]);
    }
  });

  test('of the errors has the row, what was wrong and the status', async () => {
    const [header = [], ...rows] = parseRows((await get(`${id}/errors`)).body.slice(1));
    expect(header).toEqual([...COLUMNS, 'raekke', 'error', 'status']);
    expect(rows).toHaveLength(Math.floor(TOTAL / 7));
    expect(rows[0]!.slice(7)).toEqual(['7', 'The column "x" (x) holds no number.', '400']);
  });

  test.runIf(hasGdal())('as GeoJSON has fields of their types in GDAL', async () => {
    const path = join(bench.store.dataDir, 'resultater.geojson');
    writeFileSync(path, (await get(`${id}/results?format=geojson`)).rawPayload);
    const { stdout } = await promisify(execFile)('ogrinfo', ['-so', '-al', path]);
    const { succeeded } = await stateOf(bench.store, id);
    expect(stdout).toContain(`Feature Count: ${succeeded}\n`);
    expect(stdout).toContain('Geometry: Point');
    const fields = ['tal: Real', 'raekke: Integer', 'punkt_lon: Real', 'kommune_kode: String'];
    for (const field of fields) expect(stdout).toContain(`${field} (`);
    expect(stdout).not.toContain('String(JSON)');
  });

  test('can be gone on with from any byte, as long as it is the same file', async () => {
    for (const format of ['csv', 'ndjson', 'geojson']) {
      const url = `${id}/results?format=${format}`;
      const whole = await get(url);
      expect(whole.headers['cache-control']).toBe('private, no-cache');
      const { length } = whole.rawPayload;
      const etag = whole.headers.etag as string;
      for (const cut of [1, 3, 20, length >> 1, length - 1]) {
        const rest = await get(url, { range: `bytes=${cut}-`, 'if-range': etag });
        expect(rest.statusCode).toBe(206);
        expect(rest.headers['content-range']).toBe(`bytes ${cut}-${length - 1}/${length}`);
        const joined = Buffer.concat([whole.rawPayload.subarray(0, cut), rest.rawPayload]);
        expect(sha(joined)).toBe(sha(whole.rawPayload));
      }
      const last = await get(url, { range: 'bytes=-10' });
      expect(last.body).toBe(whole.rawPayload.subarray(-10).toString());
      const changed = await get(url, { range: 'bytes=10-', 'if-range': '"other"' });
      expect([changed.statusCode, changed.rawPayload.length]).toEqual([200, length]);
      const givens = ['"other"', `W/${etag}`, '*', `"other", ${etag}`];
      const parts = givens.map((given) => get(url, { range: 'bytes=10-', 'if-match': given }));
      const statuses = (await Promise.all(parts)).map(({ statusCode }) => statusCode);
      expect(statuses).toEqual([412, 412, 206, 206]);
      const { statusCode, body, headers } = await get(url, { 'if-none-match': etag });
      expect([statusCode, body, headers['content-length']]).toEqual([304, '', undefined]);
      const past = await get(url, { range: `bytes=${length}-`, 'if-range': etag });
      expect(past.statusCode).toBe(416);
      expect(past.headers['content-range']).toBe(`bytes */${length}`);
      // Nothing that is true of the file alone: the body is an error.
      for (const name of ['etag', 'content-disposition', 'accept-ranges']) {
        expect(past.headers[name], name).toBeUndefined();
      }
      expect(past.headers['cache-control']).toBe('no-store');
      expect(Object.keys(past.json())).toHaveLength(6);
      expect(past.json()).toMatchObject({ type: 'invalid_request', code: 'invalid_request' });
    }
  });

  test('is told of to HEAD: its length, that it comes in ranges, and what it is known by', async () => {
    const port = await portOf(edge);
    const authorization = `Bearer ${owner.accountId}`;
    for (const path of [`${id}/results`, `${id}/errors`, `${id}/results?format=geojson`]) {
      const whole = await get(path);
      for (const range of [undefined, 'bytes=10-19']) {
        const response = await fetch(`http://127.0.0.1:${port}/v1/jobs/${path}`, {
          method: 'HEAD',
          headers: { authorization, ...(range && { range }) },
        });
        // Ranges are of GET alone (RFC 9110, 14.2).
        expect(response.status).toBe(200);
        expect(response.headers.get('content-length')).toBe(String(whole.rawPayload.length));
        expect(response.headers.get('accept-ranges')).toBe('bytes');
        expect(response.headers.get('etag')).toBe(whole.headers.etag);
        expect(await response.text()).toBe('');
      }
    }
  });

  test('is refused where there is none', async () => {
    expect((await get(`${id}/errors?format=geojson`)).statusCode).toBe(400);
    expect((await get('job_aaaaaaaaaaaaaaaaaaaa/results')).statusCode).toBe(404);
    const stranger = await addOwner(bench.store);
    const theirs = await bench.keyed(stranger);
    const response = await theirs.inject({
      url: `/v1/jobs/${id}/results`,
      headers: { authorization: `Bearer ${stranger.accountId}` },
    });
    expect(response.statusCode).toBe(404);
  });
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
      const [note, kode, dato, tal, ja, x] = cells;
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
      expect(rows[i]!.slice(1, 5)).toEqual([
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
    const rows = ROWS.slice(0, 2);
    const waiting = await addJob(bench.store, { ...asked(), status: 'paused', rows });
    const [, ...told] = readAs((await get(`${waiting}/results?raekker=alle`)).body, ',');
    const said = ['', 'Not answered: the job has not come to this row.'];
    expect(told.map((row) => row.slice(8, 10))).toEqual([said, said]);
    const [answers] = await sheetsOf(`${waiting}/results?format=xlsx`);
    expect(answers!.rows).toHaveLength(1);
  });

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

  test('progress is told while a job runs, and its end', async () => {
    const slow = await addJob(bench.store, { ...asked(), rows: ROWS, chunkRows: 100 });
    const stream = get(`${slow}/events`);
    const runner = bench.runner();
    runner.start();
    const response = await stream;
    await runner.stop();
    expect(response.headers['content-type']).toContain('text/event-stream');
    expect(response.headers['cache-control']).toBe('no-store');
    const events = response.body.split('\n\n').filter((text) => text.startsWith('event: '));
    expect(events.length).toBeGreaterThanOrEqual(2);
    const [kind, data = ''] = events.at(-1)!.split('\ndata: ');
    expect(kind).toBe('event: end');
    const told = JSON.parse(data) as { job: Record<string, unknown>; rowsPerSecond: unknown };
    expect(told.job).toMatchObject({ id: slow, status: 'completed', progress: 1 });
  });

  // Its cells: every-cell.ts holds them against the route (D97).
  test('a file about properties tells the caller’s columns from ours, and who is unknown', async () => {
    const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
    const bfes = [bfe, flatBfe, foreignBfe];
    const { id, get } = await finishedJob(bench, {
      kind: 'bbr',
      columns: { bfe: 'BFE' },
      inputColumns: ['BFE', 'adresse'],
      rows: [...bfes.map((each) => [String(each), '=1+1']), ['9999999', ''], ['x', '']],
    });
    const { body } = await get(`${id}/results?format=csv`);
    expect(runningCells(body)).toEqual([]);
    const [header = [], ...rows] = parseRows(body.slice(1));
    // One of ours has the name of one of the caller's.
    expect(header.slice(0, 3)).toEqual(['BFE', 'adresse', 'raekke']);
    expect(header).toContain('adresse_svar');
    expect(rows.map(([given]) => Number(given))).toEqual(bfes);
    const errors = (await get(`${id}/errors?format=ndjson`)).body.trimEnd().split('\n');
    expect(errors.map((line) => JSON.parse(line) as object)).toMatchObject([
      { raekke: 4, status: 404, error: expect.stringContaining('9999999') as string },
      { raekke: 5, status: 400 },
    ]);
    expect(await stateOf(bench.store, id)).toMatchObject({ billed_units: bfes.length });
  });
}
