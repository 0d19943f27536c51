/** `npm run job` over a bad line: what is cut is sent or fetched again, and nothing is there twice. */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import type { WriteSheet } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../src/cli/job-client/command.ts';
import { cutFile, lookThrough } from '../../src/cli/job-client/cut.ts';
import { download } from '../../src/cli/job-client/download.ts';
import { run, sentenceOf } from '../../src/cli/job-client/run.ts';
import { createScreen } from '../../src/cli/job-client/screen.ts';
import { Service } from '../../src/cli/job-client/service.ts';
import { WORKBOOK_TYPE } from '../../src/http/v1/jobs/file-schema.ts';
import { decodeRows } from '../../src/jobs/chunk-rows.ts';
import type { Row } from '../../src/core/rows/cells.ts';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { jobsEdge, shown } from './jobs-edge.ts';
import { opened, ownFolder } from '../support/opened.ts';
import { readCsv } from '../support/read-rows.ts';
import { listening } from '../support/free-port.ts';

const directory = ownFolder('client');
const edge = await opened(jobsEdge());
const caller = await edge.caller();
const base = await edge.app.listen({ host: '127.0.0.1', port: 0 });

/** A line that breaks after so many bytes in either direction, for as many times as are listed. */
async function badLine(
  target: string,
  cutAfter: number[],
): Promise<{ url: string; server: Server }> {
  const { port } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(Number(port), '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const most = cutAfter.shift() ?? Infinity;
    let bytes = 0;
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes <= most || to === upstream) to.write(piece);
        // What arrived is worked on; its answer is lost.
        if (bytes > most) setTimeout(end, 40);
      });
      from.on('error', end).on('close', end);
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  return { url: `http://127.0.0.1:${await listening(server)}`, server };
}

function client(url: string, secret: string): { service: Service; said: string[] } {
  const said: string[] = [];
  const onTrouble = (message: string) => void said.push(message);
  const service = new Service({ url, key: secret, onTrouble, firstPauseMs: 20 });
  return { service, said };
}

const silent = createScreen({ write: () => undefined });

async function perform(
  service: Service,
  words: readonly string[],
  screen = silent,
): Promise<number> {
  const parsed = parseCommand(words);
  if (parsed.kind !== 'run') throw new Error(parsed.kind);
  return await run(parsed.command, service, screen);
}

const CSV = { format: 'csv', dialect: null, isAll: false } as const;

async function inputOf(id: string | undefined): Promise<readonly Row[]> {
  const { rows } = await edge.store.pool.query<{ input: Buffer }>(
    'select input from job_chunk where job_id = $1 order by chunk',
    [id],
  );
  return rows.flatMap(({ input }) => decodeRows(input));
}

/** The clock stands still: jobs are told apart by their labels. */
async function labelled(label: string): Promise<readonly { id: string }[]> {
  const list = await caller.ask({ url: '/v1/jobs?limit=100' });
  const { jobs } = list.json<{ jobs: { id: string; label: string | null }[] }>();
  return jobs.filter((job) => job.label === label);
}

async function workbook(sheets: WriteSheet[]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets }));
}

describe('a workbook', () => {
  const other = { name: 'Andet', rows: [['b'], [1]] };
  const head = ['kode', 'x', 'y'];

  test('is taken in over HTTP, its sheet named where there are several', async () => {
    const { id } = await caller.draft({ srid: 25832 });
    const bytes = await workbook([
      { name: 'Ark 1', rows: [head, ['0093', 645003.25, 6312000]] },
      other,
    ]);
    const refused = await caller.send(id, WORKBOOK_TYPE, bytes);
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ error: string }>().error).toContain('Ark 1, Andet');
    const send = (query: string, type: string = WORKBOOK_TYPE) =>
      caller.ask({
        method: 'POST',
        url: `/v1/jobs/${id}/rows?${query}`,
        payload: bytes,
        headers: { 'content-type': type },
      });
    expect((await send('ark=Ark+9')).json<{ error: string }>().error).toContain('no sheet');
    expect((await send('ark=a&ark=b')).json<{ error: string }>().error).toContain('more than once');
    expect((await send('ark=a', 'text/csv')).json<{ error: string }>().error).toContain('ark');
    for (const [query, type, why] of [
      ['overskrift=1&overskrift=2', 'text/csv', 'more than once'],
      ['overskrift=1', 'application/x-ndjson', 'overskrift is a row of a CSV'],
      ['ark=Ark+1&overskrift=0', WORKBOOK_TYPE, 'overskrift'],
      ['ark=Ark+1&overskrift=x', WORKBOOK_TYPE, 'overskrift'],
      ['ark=Ark+1&overskrift=3', WORKBOOK_TYPE, 'Row 3 has no names of columns'],
    ] as const) {
      const answer = await send(query, type);
      expect([answer.statusCode, answer.json<{ error: string }>().error], query).toEqual([
        400,
        expect.stringContaining(why),
      ]);
    }
    expect((await send(`ark=${'x'.repeat(40)}`)).statusCode).toBe(400);
    expect(shown(await send('ark=Ark+1'))).toMatchObject({ totalRows: 1, inputColumns: head });
    expect(await inputOf(id)).toEqual([['0093', 645003.25, 6312000]]);
    expect((await caller.send(id, 'text/csv', bytes)).statusCode).toBe(400);
    const socket = await fetch(`${base}/v1/jobs/${id}/rows?ark=Ark+1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.secret}`, 'content-type': WORKBOOK_TYPE },
      body: Uint8Array.from(bytes),
    });
    expect([socket.status, (await caller.job(id)).totalRows]).toEqual([200, 2]);
  });

  test('is taken in while others are: one after the other, and too many are told to wait', async () => {
    const { id } = await caller.draft({ srid: 25832 });
    const rows = Array.from({ length: 2_000 }, (_, i) => [`${i}`, i, i]);
    const bytes = await workbook([{ name: 'Ark1', rows: [head, ...rows] }]);
    const sent = Array.from({ length: JOB_LIMITS.workbook.reads.waiting.each + 6 }, () =>
      caller.send(id, WORKBOOK_TYPE, bytes),
    );
    const codes = (await Promise.all(sent)).map(({ statusCode }) => statusCode);
    expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(
      JOB_LIMITS.workbook.reads.waiting.each,
    );
    expect(codes.every((code) => code === 200 || code === 503)).toBe(true);
    const taken = codes.filter((code) => code === 200).length;
    expect((await caller.job(id)).totalRows).toBe(taken * rows.length);
  });

  test('of any size and a UTF-16 are sent by the client in pieces, as they are', async () => {
    const file = join(directory, 'ark.xlsx');
    // More than a piece of four MiB, either way.
    const rows = Array.from({ length: 3_000 }, (_, i) => [
      `${i}`.padStart(5, '0'),
      645_000 + i / 4,
      `Ærøvej ${i} ${'æøå'.repeat(300)}`,
    ]);
    writeFileSync(file, await workbook([{ name: 'Ark1', rows: [head, ...rows] }, other]));
    const words = ['submit', file, '--kind', 'dagi', '--no-wait'];
    const submit = (...more: string[]) =>
      perform(client(base, caller.secret).service, [...words, ...more]);
    await expect(submit()).rejects.toThrow('Ark1, Andet');
    await expect(submit('--ark', 'Andet')).rejects.toThrow('x');
    expect(await submit('--ark', 'Ark1', '--srid', '25832', '--label', 'ark')).toBe(0);
    expect(await inputOf((await labelled('ark'))[0]?.id)).toEqual(rows);
    words[1] = join(directory, 'unicode.txt');
    const lines = rows.map((row) => row.join('\t'));
    writeFileSync(words[1], `\ufeff${[head.join('\t'), ...lines].join('\r\n')}`, 'utf16le');
    expect(await submit('--srid', '25832', '--label', 'unicode')).toBe(0);
    expect(await inputOf((await labelled('unicode'))[0]?.id)).toEqual(
      rows.map((row) => row.map(String)),
    );
  });
});

describe('submitting a file', () => {
  test('over a line that is cut again and again sends every row once', async () => {
    const file = join(directory, 'rows.csv');
    const town = 'æøå'.repeat(140);
    const lines = Array.from(
      { length: 6_000 },
      (_, i) => `${i};"Gade ""${i}""\n1; sal";${i},5;${town}`,
    );
    writeFileSync(file, `nr;vej;X;by\r\n${lines.join('\r\n')}\r\n`);
    const line = await badLine(base, [100, 900, 60_000, 4_199_000, 500, 2_000_000, 900, 10]);
    const { service, said } = client(line.url, caller.secret);
    const words = '--kind dagi --y nr --srid 25832 --label Snoren --no-wait'.split(' ');
    const submit = (...more: string[]) => perform(service, ['submit', file, ...words, ...more]);
    expect(await submit()).toBe(0);
    expect(said.length).toBeGreaterThan(4);
    const jobs = await labelled('Snoren');
    expect(jobs).toMatchObject([{ totalRows: 6_000, status: 'queued' }]);
    const kept = await inputOf(jobs[0]?.id);
    expect(kept.every(([nr], i) => nr === String(i))).toBe(true);
    expect(kept[5_999]).toEqual(['5999', 'Gade "5999"\n1; sal', '5999,5', town]);
    // The same line again goes on with the same job; another word makes another.
    expect(await submit()).toBe(0);
    expect(await submit('--again', '2')).toBe(0);
    expect(await labelled('Snoren')).toHaveLength(2);
    line.server.close();
  });
});

describe('a file of results', () => {
  test('that is cut is fetched from where it was, also in a later run', async () => {
    const whole = randomBytes(3_000_000);
    const asked: (string | undefined)[] = [];
    const server = createHttpServer(({ headers: { range } }, response) => {
      asked.push(range);
      const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
      if (from === whole.length) {
        response.writeHead(416, { 'content-range': `bytes */${whole.length}` }).end();
        return;
      }
      response.writeHead(from > 0 ? 206 : 200, {
        etag: '"one"',
        'content-length': whole.length - from,
      });
      const until = Math.min(whole.length, from + 700_000);
      response.write(whole.subarray(from, until), () => {
        if (until < whole.length) setTimeout(() => response.destroy(), 20);
        else response.end();
      });
    });
    const { service } = client(`http://127.0.0.1:${await listening(server)}`, 'x');
    const to = join(directory, 'out.csv');
    writeFileSync(`${to}.part`, whole.subarray(0, 5));
    writeFileSync(`${to}.part.etag`, '"one"');
    await download(service, { path: '/file', to, screen: silent });
    expect(digest(readFileSync(to))).toBe(digest(whole));
    expect(asked[0]).toBe('bytes=5-');
    expect(asked.length).toBeGreaterThan(3);
    expect(readdirSync(directory).filter((name) => name.includes('.part'))).toEqual([]);
    server.close();
  });
});

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('a file in pieces', () => {
  test.each([
    ['nr;tekst\n1;"a\n""b;"\n2;hus "A"\n3;\n', 3],
    ['nr,tekst\r\n1,"x\r\n\r\n"\r\n2,y', 2],
    ['kun\n1\n2\n3\n4\n5', 5],
    ['kun\n', 0],
    ['sep=,\na;b,c\n1,"x\n"\n2,y\n3,z\n', 3],
    ['\ufeffsep=;\r\na,b;c\r\n1;x\r\n2;"y;"\r\n', 2],
    ['Sager, 2026;;\r\n\r\nKilde;;\r\nnr;a;b\r\n1;2;3\r\n\r\n2;3;4\r\n3;4;5\r\n', 3],
    ['sep=,\nSager; 2026,,\nnr,a,b\n1,2,3\n2,3,4\n', 2],
  ])('%j means what it means whole', async (text, count) => {
    const file = join(directory, 'pieces.csv');
    writeFileSync(file, text);
    const rowsOfAll = (bodies: readonly Buffer[]) => bodies.flatMap((body) => readCsv(body).rows);
    const whole = rowsOfAll([Buffer.from(text)]);
    expect(whole).toHaveLength(count);
    for (const pieceBytes of [1, 5, 9, 1000]) {
      const bodies: Buffer[] = [];
      for await (const { body } of cutFile(file, { isCsv: true, pieceBytes })) bodies.push(body);
      expect(rowsOfAll(bodies)).toEqual(whole);
    }
  });

  test('is looked through for what it is written in', async () => {
    const file = join(directory, 'charset.csv');
    writeFileSync(file, 'by\nÆrø\n');
    expect(await lookThrough(file)).toMatchObject({ charset: 'utf-8', bytes: 9 });
    writeFileSync(file, Buffer.from('by\nÆrø\n', 'latin1'));
    expect(await lookThrough(file)).toMatchObject({ charset: 'windows-1252', bytes: 7 });
  });
});

describe('what the client says', () => {
  const told = async (...argv: readonly string[]): Promise<string> => {
    const written: string[] = [];
    const screen = createScreen({ write: (text: string) => void written.push(text) });
    const { service } = client(base, caller.secret);
    const failed = await perform(service, argv, screen).catch(sentenceOf);
    return [...written, ...(typeof failed === 'string' ? [failed] : [])].join('');
  };

  test('ends with what to do next', async () => {
    const { id } = await caller.draft({ srid: 25832 });
    expect(await told('watch', id)).toContain('Give the submit line again');
    const away = await told('watch', 'job_7m2qxk4vd3hbn5zcw6ta');
    expect(away).toContain('npm run job -- list shows');
    const wrong = await perform(client(base, 'svc_test_wrong').service, ['list']).catch(sentenceOf);
    expect(wrong).toContain('a key is made at /konto');
  });
});

describe('the arguments', () => {
  test('are read as docs/jobs.md writes them', () => {
    const line = 'submit punkter.csv --kind miljoe --x=Øst --y=Nord --srid 25832 --key k';
    expect(parseCommand(line.split(' '))).toEqual({
      kind: 'run',
      reached: { key: 'k', url: null },
      command: {
        do: 'submit',
        file: 'punkter.csv',
        kind: 'miljoe',
        columns: { x: 'Øst', y: 'Nord' },
        srid: 25832,
        label: null,
        charset: null,
        sheet: null,
        headRow: null,
        wanted: CSV,
        waits: true,
        again: null,
      },
    });
  });

  test.each([
    [['fly'], 'Unknown command: fly.'],
    [['submit'], 'Name the file'],
    [['submit', '--kind', 'dagi'], 'Name the file'],
    [['submit', 'a', 'b', '--kind', 'dagi'], 'Name the file'],
    [['submit', 'a', '--kind', 'cvr'], '--kind must be one of'],
    [['submit', 'a', '--kind', 'dagi', '--srid', '1'], '--srid must be one of'],
    [['submit', 'a', '--kind', 'dagi', '--z', '1'], "Unknown option '--z'"],
    [['watch', 'j', '--format', 'xls'], '--format must be one of'],
    [['watch', 'j', '--dialekt', 'en'], '--dialekt must be one of da, ord'],
    [['watch', 'j', '--dialekt', 'da', '--format', 'xlsx'], '--dialekt da is only for'],
    [['watch', 'j', '--dialekt', 'ord', '--format', 'geojson'], '--dialekt ord is only for'],
    [['watch', 'j', '--raekker', 'alle', '--format', 'ndjson'], '--raekker is only for'],
    [['watch'], 'Name the job'],
    [['list', 'x'], 'list takes nothing more'],
  ])('%j are a mistake, and said to be', (argv, text) => {
    expect(parseCommand(argv)).toMatchObject({
      kind: 'mistake',
      message: expect.stringContaining(text) as string,
    });
  });
});
