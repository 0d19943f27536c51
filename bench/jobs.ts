/**
 * Jobs end to end: a front, a worker and PostgreSQL with durable commits on the same cores, rows sent
 * as CSV over HTTP and fetched again, beside the same rows through the batch endpoints. `--rows` (a
 * million) and `--scale` (0.03) say how much of it.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { toUtm32 } from '../src/geo/project.ts';
import { fillAddresses } from './address-fill.ts';
import { openData } from './data.ts';
import { fillStore } from './fill.ts';
import type { WorkerOrder, WorkerReport } from './job-worker.ts';
import { drive, get, post } from './load.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land } from './national/land.ts';
import { option } from './option.ts';
import { placesOf } from './places.ts';
import type { Place } from './places.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';
import { start } from './server.ts';
import type { Server } from './server.ts';

const BODY_ROWS = 200_000;
const ROUND_MS = 4_000;
/** Of the last row: their medians forget what the machine did in one of them. */
const ROUNDS = 5;
/** A light client: some 150 questions a second. */
const PAUSE_MS = 6;
const MIB = 1024 * 1024;

const KINDS = {
  dagi: { path: '/v1/dagi/reverse:batch', batch: 50, pass: 30_000, goal: 100_000 },
  reverse: { path: '/v1/adresser/reverse:batch', batch: 150, pass: 30_000, goal: 100_000 },
  miljoe: { path: '/v1/natur/byggelinjer:batch', batch: 50, pass: 15_000, goal: 50_000 },
} as const;
type Kind = keyof typeof KINDS;

export async function benchJobs(): Promise<readonly BenchRow[]> {
  const rows = Number(option('rows') ?? '1000000');
  const scale = Number(option('scale') ?? '0.03');
  const land = new Land(scale);
  const places = placesOf(land);
  const data = await openData({ durable: true });
  const servers: Server[] = [];
  let worker: Worker | null = null;
  try {
    const store = await openStore({ ...data, purpose: 'sync', log: console });
    await migrate(store);
    await fillStore(store, land);
    await fillAddresses(store, nationalAddresses(land));
    await store.close();
    const settings = { ...data.settings, SYNC: 'off', THREADS: option('threads') ?? '1' };
    // Builds snapshots and book once; everybody after it reads the files.
    worker = await Worker.start(settings);
    const front = await start(servers, {
      kind: 'service',
      settings: { ...settings, JOBS: 'off' },
    });
    return await measure({ front, worker, places, rows });
  } finally {
    await worker?.stop();
    for (const server of servers) await server.stop();
    await data.close();
  }
}

interface Parts {
  readonly front: Server;
  readonly worker: Worker;
  readonly places: readonly Place[];
  readonly rows: number;
}

async function measure(parts: Parts): Promise<BenchRow[]> {
  const { front, worker, places, rows } = parts;
  const client = new Client(front);
  const found: BenchRow[] = [
    row({ what: 'load average when it began', value: loadavg()[0] ?? NaN, unit: '' }),
  ];
  const bodies = bodiesOf(places, rows);
  let peakBytes = 0;
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const { path, batch, pass, goal } = KINDS[kind];
    // The first rows of a kind make its threads, engines and code warm.
    await client.run(kind, bodiesOf(places, 10_000));
    // A row of ten lines is as much work as ten of the others.
    const some = kind === 'miljoe' ? bodies.slice(0, Math.ceil(bodies.length / 4)) : bodies;
    await worker.ask({ kind: 'measure' });
    const perSecond = await client.run(kind, some);
    peakBytes = Math.max(peakBytes, (await worker.ask({ kind: 'memory' })).peakBytes);
    const beside = await batchesPerSecond(front, { path, batch, places });
    found.push(
      row({
        what: `${kind}: ${perSecond.rows} rows, from started to on file`,
        value: perSecond.answered,
        unit: 'rows/s',
        reference: { what: `the batch endpoint, ${batch} at a time`, value: beside },
        gate: { text: `>= ${pass} (goal ${goal})`, pass: perSecond.answered >= pass },
      }),
      row({
        what: `${kind}: upload as CSV`,
        value: perSecond.uploaded,
        unit: 'rows/s',
        gate: { text: '>= 150000 (goal 400000)', pass: perSecond.uploaded >= 150_000 },
      }),
      row({
        what: `${kind}: download as CSV, ${Math.round(perSecond.bytesPerRow)} bytes a row`,
        value: perSecond.downloaded,
        unit: 'rows/s',
        gate: { text: '>= 150000 (goal 400000)', pass: perSecond.downloaded >= 150_000 },
      }),
    );
  }
  found.push(memoryRow(worker, peakBytes));
  found.push(...(await latencyRows(parts, client, bodies)));
  found.push(row({ what: 'load average when it ended', value: loadavg()[0] ?? NaN, unit: '' }));
  return found;
}

function memoryRow({ readyBytes }: Worker, peakBytes: number): BenchRow {
  const above = (peakBytes - readyBytes) / MIB;
  return row({
    what: 'peak memory of the worker in all of these, above what it had when ready',
    value: above,
    unit: 'MiB',
    reference: { what: 'when ready, its snapshots included', value: readyBytes / MIB },
    gate: { text: '<= 400 (goal 200)', pass: above <= 400 },
  });
}

/** Medians of rounds that alternate, so that both meet the same weather. */
async function latencyRows(
  { front, places }: Parts,
  client: Client,
  bodies: readonly string[],
): Promise<BenchRow[]> {
  const requests = places.map(({ lon, lat }) =>
    get(`/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`, front.otherKey),
  );
  const light = async (): Promise<number> => {
    const load = { port: front.port, requests, connections: 1, durationMs: ROUND_MS };
    return (await drive({ ...load, pauseMs: PAUSE_MS })).p99Ms;
  };
  // Code that is not compiled yet would make it look slow alone.
  await drive({ port: front.port, requests, connections: 16, durationMs: ROUND_MS });
  await light();
  const alone: number[] = [];
  const beside: number[] = [];
  const answered: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(await light());
    const id = await client.upload('miljoe', bodies);
    await client.command(id, 'start');
    await sleep(500);
    const before = await client.succeeded(id);
    beside.push(await light());
    answered.push(((await client.succeeded(id)) - before) / (ROUND_MS / 1000));
    await client.command(id, 'cancel');
    await sleep(500);
  }
  const ms = median(beside);
  const aloneMs = median(alone);
  return [
    row({
      what: 'p99 of single lookups while a miljoe job of these rows runs',
      value: ms,
      unit: 'ms',
      reference: { what: 'alone', value: aloneMs },
      gate: { text: '<= 2 (goal 1.3)', pass: ms <= 2 * aloneMs },
    }),
    row({
      what: 'the job gives way: its rows meanwhile',
      value: median(answered),
      unit: 'rows/s',
    }),
  ];
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}

/** The same places again and again, each a few metres from the last time. */
function bodiesOf(places: readonly Place[], rows: number): string[] {
  const metres = places.map(({ lon, lat }) => toUtm32({ lon, lat }));
  const bodies: string[] = [];
  for (let from = 0; from < rows; from += BODY_ROWS) {
    const lines = ['nr;x;y'];
    for (let n = from; n < Math.min(rows, from + BODY_ROWS); n++) {
      const { xUtm32, yUtm32 } = metres[n % metres.length]!;
      const away = Math.floor(n / metres.length) % 97;
      // As Danish spreadsheets write decimals.
      const x = (xUtm32 + away).toFixed(2).replace('.', ',');
      lines.push(`${n};${x};${(yUtm32 + away).toFixed(2).replace('.', ',')}`);
    }
    bodies.push(`${lines.join('\r\n')}\r\n`);
  }
  return bodies;
}

async function batchesPerSecond(
  { port, key }: Server,
  { path, batch, places }: { path: string; batch: number; places: readonly Place[] },
): Promise<number> {
  const requests: Buffer[] = [];
  for (let i = 0; i + batch <= places.length; i += batch) {
    requests.push(post(path, { punkter: places.slice(i, i + batch) }, key));
  }
  const load = { port, requests, connections: 4, durationMs: ROUND_MS };
  return (await drive(load)).perSecond * batch;
}

interface Rates {
  readonly rows: number;
  readonly uploaded: number;
  readonly answered: number;
  readonly downloaded: number;
  readonly bytesPerRow: number;
}

/** A customer with files. */
class Client {
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async upload(kind: Kind, bodies: readonly string[]): Promise<string> {
    const columns = { x: 'x', y: 'y' };
    const draft = JSON.stringify({ kind, columns, srid: 25832, start: false });
    const { id } = await this.#ask('', { body: draft, type: 'application/json' });
    for (const body of bodies) await this.#ask(`/${id}/rows`, { body, type: 'text/csv' });
    return id;
  }

  async succeeded(id: string): Promise<number> {
    return (await this.#job(id)).succeeded;
  }

  async command(id: string, action: string): Promise<void> {
    await this.#ask(`/${id}/${action}`, {});
  }

  /** Sends, waits and fetches. */
  async run(kind: Kind, bodies: readonly string[]): Promise<Rates> {
    const started = performance.now();
    const id = await this.upload(kind, bodies);
    const uploaded = performance.now();
    await this.command(id, 'start');
    let job = await this.#job(id);
    while (job.status !== 'completed') {
      if (job.status !== 'running' && job.status !== 'queued') throw new Error(JSON.stringify(job));
      await sleep(20);
      job = await this.#job(id);
    }
    const answered = performance.now();
    const bytes = await this.#download(id);
    const downloaded = performance.now();
    const perSecond = (rows: number, from: number, until: number): number =>
      (rows * 1000) / (until - from);
    await fetch(this.#url(`/${id}`), { method: 'DELETE', headers: this.#headers });
    return {
      rows: job.totalRows,
      uploaded: perSecond(job.totalRows, started, uploaded),
      answered: perSecond(job.totalRows, uploaded, answered),
      downloaded: perSecond(job.succeeded, answered, downloaded),
      bytesPerRow: bytes / job.succeeded,
    };
  }

  async #download(id: string): Promise<number> {
    const response = await fetch(this.#url(`/${id}/results`), { headers: this.#headers });
    let bytes = 0;
    for await (const piece of response.body ?? []) bytes += (piece as Uint8Array).length;
    if (bytes !== Number(response.headers.get('content-length'))) throw new Error('Cut short.');
    return bytes;
  }

  async #job(id: string): Promise<ShownJob> {
    const response = await fetch(this.#url(`/${id}`), { headers: this.#headers });
    return ((await response.json()) as { job: ShownJob }).job;
  }

  async #ask(path: string, { body, type }: { body?: string; type?: string }): Promise<ShownJob> {
    const response = await fetch(this.#url(path), {
      method: 'POST',
      headers: { ...this.#headers, ...(type !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return (JSON.parse(text) as { job: ShownJob }).job;
  }

  #url(path: string): string {
    return `http://127.0.0.1:${this.#server.port}/v1/jobs${path}`;
  }

  get #headers(): Record<string, string> {
    return { authorization: `Bearer ${this.#server.key ?? ''}` };
  }
}

interface ShownJob {
  readonly id: string;
  readonly status: string;
  readonly totalRows: number;
  readonly succeeded: number;
}

class Worker {
  readonly #child: ChildProcess;
  readonly readyBytes: number;

  constructor(child: ChildProcess, readyBytes: number) {
    this.#child = child;
    this.readyBytes = readyBytes;
  }

  static async start(settings: Readonly<Record<string, string>>): Promise<Worker> {
    const child = fork(join(import.meta.dirname, 'job-worker.ts'), { stdio: 'inherit' });
    child.send({ kind: 'work', settings } satisfies WorkerOrder);
    const [{ rssBytes }] = (await once(child, 'message')) as [WorkerReport];
    return new Worker(child, rssBytes);
  }

  async ask(order: WorkerOrder): Promise<WorkerReport> {
    const told = once(this.#child, 'message');
    this.#child.send(order);
    const [report] = (await told) as [WorkerReport];
    return report;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
