/**
 * Jobs end to end: a front, a worker and PostgreSQL with durable commits on the same cores, rows sent
 * as CSV over HTTP and fetched again, beside the same rows through the batch endpoints. `--rows` (a
 * million) and `--scale` (0.03) say how much of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toUtm32 } from '../src/geo/project.ts';
import { fillAddresses } from './fill.ts';
import { csvBodies, JobClient, loadRow } from './harness/jobs.ts';
import type { JobRates } from './harness/jobs.ts';
import { batchRequests, drive, get } from './harness/load.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption, option, scaleOption } from './harness/options.ts';
import { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { loadCountry, openData } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land } from './national/land.ts';
import { linesPath, placesOf } from './places.ts';
import type { Place } from './places.ts';

const ROUND_MS = 4_000;
/** Of the last row: their medians forget what the machine did in one of them. */
const ROUNDS = 5;
/** A light client: some 150 questions a second. */
const PAUSE_MS = 6;
const MIB = 1024 * 1024;

const KINDS = {
  dagi: { path: '/v1/dagi/reverse:batch', size: 50, gate: '>= 30000 (goal 100000)' },
  reverse: { path: '/v1/adresser/reverse:batch', size: 150, gate: '>= 30000 (goal 100000)' },
  miljoe: { path: '/v1/natur/byggelinjer:batch', size: 50, gate: '>= 15000 (goal 50000)' },
} as const;
type Kind = keyof typeof KINDS;

/** A front and a worker over the generated country, which has its addresses. */
export async function startJobs(cleanup: Cleanup) {
  const land = new Land(scaleOption());
  const data = await openData(cleanup, { durable: true });
  await loadCountry(data, land, (store) => fillAddresses(store, nationalAddresses(land)));
  const settings = { ...data.settings, SYNC: 'off', THREADS: option('threads') ?? '1' };
  // Builds snapshots and address index once; everybody after it reads the files.
  const worker = new MeasuredProcess(cleanup);
  await worker.run('work', settings);
  const { rssBytes: readyBytes } = await worker.run('usage', null);
  const front = await startService(cleanup, { ...settings, JOBS: 'off' });
  return { land, worker, readyBytes, front };
}

export async function benchJobs(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const { land, worker, readyBytes, front } = await startJobs(cleanup);
  const places = placesOf(land);
  const bodies = bodiesOf(places, numberOption('rows', 1_000_000));
  const client = new JobClient(front);
  const found = [loadRow('began')];
  let peakBytes = 0;
  for (const kind of Object.keys(KINDS) as Kind[]) {
    // The first rows of a kind make its threads, engines and code warm.
    await client.run(draftOf(kind), bodiesOf(places, 10_000));
    // A row of ten lines is as much work as ten of the others.
    const some = kind === 'miljoe' ? bodies.slice(0, Math.ceil(bodies.length / 4)) : bodies;
    await worker.run('resetPeak', null);
    const rates = await client.run(draftOf(kind), some);
    peakBytes = Math.max(peakBytes, (await worker.run('usage', null)).peakBytes);
    found.push(...rateRows(kind, rates, await batchesPerSecond(front, kind, places)));
  }
  const above = (peakBytes - readyBytes) / MIB;
  const memory = 'peak memory of the worker in all of these, above what it had when ready';
  return [
    ...found,
    row(memory, above, 'MiB', {
      beside: ['when ready, its snapshots included', readyBytes / MIB],
      gate: '<= 400 (goal 200)',
    }),
    ...(await latencyRows(client, places, bodies)),
    loadRow('ended'),
  ];
}

export const draftOf = (kind: Kind) => ({ kind, columns: { x: 'x', y: 'y' }, srid: 25832 });

function rateRows(kind: Kind, rates: JobRates, batchRate: number): BenchRow[] {
  const { gate, size } = KINDS[kind];
  const transfer = { gate: '>= 150000 (goal 400000)' };
  const download = `${kind}: download as CSV, ${Math.round(rates.bytesPerRow)} bytes a row`;
  return [
    row(`${kind}: ${rates.rows} rows, from started to on file`, rates.answered, 'rows/s', {
      beside: [`the batch endpoint, ${size} at a time`, batchRate],
      gate,
    }),
    row(`${kind}: upload as CSV`, rates.uploaded, 'rows/s', transfer),
    row(download, rates.downloaded, 'rows/s', transfer),
  ];
}

/** Medians of interleaved rounds. */
async function latencyRows(
  client: JobClient,
  places: readonly Place[],
  bodies: readonly string[],
): Promise<BenchRow[]> {
  const { port, otherKey } = client.server;
  const requests = places.map((place) => get(linesPath(place), otherKey));
  const load = { port, requests, durationMs: ROUND_MS };
  const light = async () => (await drive({ ...load, connections: 1, pauseMs: PAUSE_MS })).p99Ms;
  const besideJob = async () => {
    const id = await client.upload(draftOf('miljoe'), bodies);
    await client.command(id, 'start');
    await sleep(500);
    const before = await client.succeeded(id);
    const p99Ms = await light();
    const perSecond = ((await client.succeeded(id)) - before) / (ROUND_MS / 1000);
    await client.command(id, 'cancel');
    await sleep(500);
    return { p99Ms, perSecond };
  };
  // Code that is not compiled yet would make it look slow alone.
  await drive({ ...load, connections: 16 });
  await light();
  const { alone, beside } = await interleave(
    { alone: light, beside: besideJob },
    { rounds: ROUNDS },
  );
  const ms = median(beside.map(({ p99Ms }) => p99Ms));
  const perSecond = median(beside.map((round) => round.perSecond));
  return [
    row('p99 of single lookups while a miljoe job of these rows runs', ms, 'ms', {
      beside: ['alone', median(alone)],
      ratioGate: '<= 2 (goal 1.3)',
    }),
    row('the job gives way: its rows meanwhile', perSecond, 'rows/s'),
  ];
}

/** The same places again and again, each a few metres from the last time. */
export function bodiesOf(places: readonly Place[], rows: number): string[] {
  const metres = places.map(({ lon, lat }) => toUtm32({ lon, lat }));
  return csvBodies('nr;x;y', rows, (n) => {
    const { xUtm32, yUtm32 } = metres[n % metres.length]!;
    const offset = Math.floor(n / metres.length) % 97;
    // As Danish spreadsheets write decimals.
    const [x, y] = [xUtm32, yUtm32].map((at) => (at + offset).toFixed(2).replace('.', ','));
    return `${n};${x};${y}`;
  });
}

async function batchesPerSecond(
  { port, key }: Server,
  kind: Kind,
  points: readonly Place[],
): Promise<number> {
  const { path, size } = KINDS[kind];
  const requests = batchRequests(path, { points, size, key });
  return (await drive({ port, requests, connections: 4, durationMs: ROUND_MS })).perSecond * size;
}
