/** The files of jobs as a client gets them: every format, any range, and cells nobody runs. */
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseRows, runningCells } from './csv-judge.ts';
import { samplePoint } from '../../sample/points.ts';
import { addJob, addOwner, finishedJob, stateOf } from './job-bench.ts';
import type { JobBench, Owner, Owned } from './job-bench.ts';

let bench: JobBench;
let owner: Owner;
let edge: FastifyInstance;
let id: string;
let get: Owned['get'];

const { utm32 } = samplePoint('beach-cut');
const NASTY = [
  ...['=1+1', '+45 12', '-2+3', '@SUM(A1)', '\tx', 'a,"b"', 'line\r\nbreak', 'Ærø; ø', '-7,5'],
  ...['a;=1+1;b', 'a\n=1+1', 'a\t+1'],
];
const rowOf = (n: number) => [
  NASTY[n % NASTY.length]!,
  n % 7 === 6 ? 'ikke et tal' : String(utm32.xUtm32 + n),
  String(utm32.yUtm32),
];
const ROWS = Array.from({ length: 500 }, (_, n) => rowOf(n));

/** Fetches them from a bench of the caller's. */
export function filesSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    ({ owner, edge, id, get } = await finishedJob(bench, {
      inputColumns: ['Note', 'x', 'y'],
      rows: ROWS,
      chunkRows: 120,
    }));
  });
  suite();
}

/** With the marks that keep it from running, written once more and by hand. */
function marked(text: string): string {
  const first = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return first.replace(';=', ";'=").replace('\n=', "\n'=").replace('\t+', "\t'+");
}

const hasGdal = (): boolean => spawnSync('ogrinfo', ['--version']).status === 0;

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

function suite(): void {
  describe('a file', () => {
    test('as CSV has the columns of the caller first, then ours, and nothing that runs', async () => {
      const response = await get(`${id}/results`);
      expect(response.statusCode).toBe(200);
      expect(response.headers['content-type']).toContain('text/csv');
      expect(response.rawPayload.length).toBe(Number(response.headers['content-length']));
      expect([...response.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
      expect(runningCells(response.rawPayload.toString())).toEqual([]);
      expect(runningCells((await get(`${id}/errors`)).body)).toEqual([]);
      const [header = [], ...rows] = parseRows(response.rawPayload.toString().slice(1));
      expect(header.slice(0, 6)).toEqual(['Note', 'x', 'y', 'raekke', 'punkt_lon', 'punkt_lat']);
      expect(rows).toHaveLength((await stateOf(bench.store, id)).succeeded);
      for (const row of rows) {
        expect(row).toHaveLength(header.length);
        const given = ROWS[Number(row[3]) - 1]!;
        const isNumber = given[0] === '-7,5';
        expect(row[0]).toBe(isNumber ? ` ${given[0]!}` : marked(given[0]!));
        expect(row[1]).toBe(given[1]);
      }
    });

    test('of the errors has the row, what was wrong and the status', async () => {
      const [header = [], ...rows] = parseRows((await get(`${id}/errors`)).body.slice(1));
      expect(header).toEqual(['Note', 'x', 'y', 'raekke', 'error', 'status']);
      expect(rows).toHaveLength(Math.floor(500 / 7));
      expect(rows[0]!.slice(3)).toEqual(['7', 'The column "x" (x) holds no number.', '400']);
    });

    test.runIf(hasGdal())('as GeoJSON has fields of their types in GDAL', async () => {
      const path = join(bench.store.dataDir, 'resultater.geojson');
      writeFileSync(path, (await get(`${id}/results?format=geojson`)).rawPayload);
      const { stdout } = await promisify(execFile)('ogrinfo', ['-so', '-al', path]);
      const { succeeded } = await stateOf(bench.store, id);
      expect(stdout).toContain(`Feature Count: ${succeeded}\n`);
      expect(stdout).toContain('Geometry: Point');
      const fields = ['x: Real', 'raekke: Integer', 'punkt_lon: Real', 'kommune_kode: String'];
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
        expect((await get(url, { 'if-none-match': etag })).statusCode).toBe(304);
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
      await edge.listen({ host: '127.0.0.1', port: 0 });
      const { port } = edge.server.address() as AddressInfo;
      const authorization = `Bearer ${owner.accountId}`;
      for (const path of [`${id}/results`, `${id}/errors`, `${id}/results?format=geojson`]) {
        const whole = await get(path);
        for (const range of [undefined, 'bytes=10-19']) {
          const response = await fetch(`http://127.0.0.1:${port}/v1/jobs/${path}`, {
            method: 'HEAD',
            headers: { authorization, ...(range && { range }) },
          });
          expect(response.status).toBe(range === undefined ? 200 : 206);
          const length = range === undefined ? whole.rawPayload.length : 10;
          expect(response.headers.get('content-length')).toBe(String(length));
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
  });

  test('progress is told while a job runs, and its end', async () => {
    const slow = await addJob(bench.store, {
      ...owner,
      kind: 'dagi',
      srid: 25832,
      columns: { x: 'x', y: 'y' },
      inputColumns: ['Note', 'x', 'y'],
      rows: ROWS,
      chunkRows: 100,
    });
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
}
