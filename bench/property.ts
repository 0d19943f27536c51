/**
 * Properties at the size of the scale: BBR and the cadastre imported from their files, a service and a worker
 * of jobs over them in processes of their own, keys and metering included, PostgreSQL with durable commits,
 * all on the same cores. Gates of issue 18. `--rows` of the job; addresses and layers are there beside them.
 */
import { loadavg } from 'node:os';
import type pg from 'pg';
import { LIMITS } from '../src/kernel/limits.ts';
import { PROPERTY_PARTS, propertyStatement } from '../src/registers/property/statement.ts';
import { fillAddresses } from './fill.ts';
import { JobClient } from './harness/jobs.ts';
import { arrive, drive, expectNoRefusal, get, post } from './harness/load.ts';
import type { Times } from './harness/load.ts';
import { interleave, itemsPerSecond, median } from './harness/measure.ts';
import { numberOption, scaleOption } from './harness/options.ts';
import { besideClient, MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { measureServer, startBare, startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import type { PropertyFile } from './harness/service.ts';
import { loadCountry, openMigrated, openPostgres } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { bfeOf, NATIONAL_PROPERTIES, propertyCount } from './national/properties.ts';
import { linesPath, placesOf } from './places.ts';
import { benchDay, benchTotals, publishedAtMs } from './property-mirror.ts';

const BATCH = LIMITS.property.perBatch;
const BATCHES = 200;
const SINGLES = 2_000;
const PER_SECOND = 200;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const WARM_MS = 2_000;
/** Batches and statements under way at a time. */
const CLIENTS = 4;
/** A light client of lines: some 200 questions a second. */
const PAUSE_MS = 4;
/** Rows of a body of a job. */
const BODY_ROWS = 100_000;
/** The layers and addresses beside the properties only have to be there. */
const LAYER_SCALE = 0.03;
const MIB = 2 ** 20;

/** Rows for the table of `npm run bench`. */
export async function benchProperty(): Promise<BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption();
  const data = await openPostgres(cleanup, { durable: true });
  const land = new Land(Math.min(scale, LAYER_SCALE));
  await loadCountry(data, land, (store) => fillAddresses(store, nationalAddresses(land)));
  const settings = { ...data.settings, JOBS: 'off' };
  const without = await startedFromFiles(settings);
  const registers = { upstream: new MeasuredProcess(cleanup), data, scale };
  const found = [load('began'), ...(await benchTotals(registers))];
  const { pool } = await openMigrated(cleanup, data, { maxConnections: CLIENTS });
  await pool.query('vacuum analyze');
  const atMs = await publishedAtMs(pool);
  const built = await builtFile(settings, atMs);
  const server = await startService(cleanup, settings);
  const file = await server.untilProperties(atMs);
  const bfes = bfesOf(propertyCount(scale));
  return [
    ...found,
    row('file of records, built', built.records / (built.readyMs / 1000), 'records/s'),
    memoryRow(file, (await server.usage()).rssBytes - without),
    ...(await singleRows(cleanup, server, bfes)),
    ...(await batchRows(server, pool, bfes)),
    await linesRow(server, { land, bfes }),
    ...(await jobRows(cleanup, { server, settings }, bfes)),
    ...(await benchDay(registers, { server, pool })),
    load('ended'),
  ];
}

function load(when: string): BenchRow {
  return row(`load average when it ${when}`, loadavg()[0] ?? NaN, '');
}

type Settings = Readonly<Record<string, string>>;

/** Memory of a service that has everything but properties, bytes: loaded from the files of one before. */
async function startedFromFiles(settings: Settings): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const first = await startService(cleanup, settings);
  await first.end();
  const second = await startService(cleanup, settings);
  return (await second.usage()).rssBytes;
}

/** The file of properties as a service makes it that has none, and nothing else to do. */
async function builtFile(settings: Settings, atMs: number): Promise<PropertyFile> {
  await using cleanup = new AsyncDisposableStack();
  return await (await startService(cleanup, settings)).untilProperties(atMs);
}

/** The index grows with the country; what else a process has for properties does not. */
function memoryRow({ bytes, records }: PropertyFile, addedBytes: number): BenchRow {
  const national = bytes * (NATIONAL_PROPERTIES / records);
  const rest = Math.max(0, addedBytes - bytes);
  return row('memory added per process, at national size', (national + rest) / MIB, 'MiB', {
    beside: ['of it the index', national / MIB],
    gate: '<= 300 (goal 100)',
  });
}

/** Of properties in no order, many times as many as are asked at once. */
function bfesOf(count: number): readonly number[] {
  const random = randomFrom(18);
  return Array.from({ length: BATCH * BATCHES }, () => bfeOf(Math.floor(random() * count)));
}

const pathOf = (bfe: number): string => `/v1/bbr/ejendom/${bfe}`;

/** At the gate's rate, and a bare server at the same; medians of interleaved rounds. */
async function singleRows(
  cleanup: Cleanup,
  server: Server,
  bfes: readonly number[],
): Promise<readonly BenchRow[]> {
  const requests = bfes.slice(0, SINGLES).map((bfe) => get(pathOf(bfe), server.key));
  const warm = { port: server.port, requests, connections: 1, durationMs: WARM_MS };
  const { bodyBytes } = expectNoRefusal(await drive(warm));
  const bareServer = await startBare(cleanup, 'x'.repeat(Math.round(bodyBytes)));
  await drive({ ...warm, port: bareServer.port });
  const at = (asked: Server) => async (round: number) => {
    const { cpuUs } = await asked.usage();
    const arrivals = { port: asked.port, requests, perSecond: PER_SECOND, durationMs: ROUND_MS };
    const times = await arrive({ ...arrivals, random: randomFrom(60 + round) });
    return { ...times, cpuUs: ((await asked.usage()).cpuUs - cpuUs) / times.answers };
  };
  const contestants = { ours: at(server), bare: at(bareServer) };
  // At a client's rate code is warm later than at full speed.
  const { ours, bare } = await interleave(contestants, { rounds: ROUNDS, warmUps: 1 });
  const bareName = `bare Fastify, ${Math.round(bodyBytes)} bytes`;
  const timeRow = (what: string, of: (times: Times) => number, ratioGate: string): BenchRow =>
    row(`one property at ${PER_SECOND} requests/s over HTTP, ${what}`, median(ours.map(of)), 'ms', {
      beside: [bareName, median(bare.map(of))],
      ratioGate,
    });
  const cpuUs = (rounds: typeof ours) => median(rounds.map((round) => round.cpuUs));
  return [
    row('one property over HTTP, processor time of the server', cpuUs(ours), 'µs', {
      beside: [bareName, cpuUs(bare)],
    }),
    timeRow('p50', ({ p50Ms }) => p50Ms, '<= 3 (goal 1.5)'),
    timeRow('p99', ({ p99Ms }) => p99Ms, '<= 3 (goal 2)'),
  ];
}

function batchesOf(bfes: readonly number[], key: string | null): Buffer[] {
  return numbersOf(bfes).map((bfe) => post('/v1/bbr/ejendom:batch', { bfe }, key));
}

function numbersOf(bfes: readonly number[]): (readonly number[])[] {
  const batches = Math.floor(bfes.length / BATCH);
  return Array.from({ length: batches }, (_, i) => bfes.slice(i * BATCH, (i + 1) * BATCH));
}

/** Medians of interleaved rounds, so many under way at a time of either. */
async function batchRows(
  server: Server,
  pool: pg.Pool,
  bfes: readonly number[],
): Promise<readonly BenchRow[]> {
  const requests = batchesOf(bfes, server.key);
  const asked = { requests, connections: CLIENTS, durationMs: ROUND_MS };
  const statement = statementOf(pool, numbersOf(bfes));
  const { ours, theirs } = await interleave(
    { ours: () => measureServer(server, asked), theirs: () => statementRate(statement) },
    { rounds: ROUNDS, warmUps: 1 },
  );
  const perSecond = median(ours.map((round) => round.perSecond)) * BATCH;
  const cpuUs = median(ours.map((round) => round.cpuUs));
  const what = `batch of ${BATCH} over HTTP`;
  return [
    row(what, perSecond, 'records/s', { gate: '>= 5,000 (goal 15,000)' }),
    row(what, perSecond, 'records/s', {
      beside: ['the one statement, its rows as text', median(theirs)],
      ratioGate: '>= 0.5 (goal 1)',
    }),
    row(`${what}, processor time of the server a record`, cpuUs / BATCH, 'µs'),
  ];
}

/** What the database takes for the rows, in the form it has them in: nothing is made of its text. */
function statementOf(pool: pg.Pool, batches: readonly (readonly number[])[]) {
  const text = propertyStatement(new Set(PROPERTY_PARTS), LIMITS.property.rowsPerList);
  const types = { getTypeParser: () => (value: string) => value };
  return async (n: number): Promise<void> => {
    const values = [JSON.stringify(batches[n % batches.length]), new Date().toISOString()];
    await pool.query({ name: 'properties', text, values, types });
  };
}

async function statementRate(ask: (n: number) => Promise<void>): Promise<number> {
  const clients = Array.from({ length: CLIENTS }, (_, client) =>
    itemsPerSecond({ size: BATCH, warmUps: 0 }, (n) => ask(CLIENTS * n + client)),
  );
  return (await Promise.all(clients)).reduce((sum, rate) => sum + rate, 0);
}

/** One account sends batches without pause, from a process of its own; another asks for lines now and then. */
async function linesRow(
  { port, key, otherKey }: Server,
  { land, bfes }: { readonly land: Land; readonly bfes: readonly number[] },
): Promise<BenchRow> {
  const requests = placesOf(land).map((place) => get(linesPath(place), otherKey));
  const asked = { port, requests, connections: 1, durationMs: ROUND_MS, pauseMs: PAUSE_MS };
  const light = async () => expectNoRefusal(await drive(asked)).p99Ms;
  const saturating = { port, requests: batchesOf(bfes, key), connections: CLIENTS };
  const { alone, beside } = await interleave(
    { alone: light, beside: () => besideClient(saturating, ROUND_MS, light) },
    { rounds: ROUNDS, warmUps: 1 },
  );
  return row('p99 of byggelinjer while property batches saturate', median(beside), 'ms', {
    beside: ['alone', median(alone)],
    ratioGate: '<= 2 (goal 1.3)',
  });
}

/** From started to on file, by a worker in a process of its own. */
async function jobRows(
  cleanup: Cleanup,
  { server, settings }: { readonly server: Server; readonly settings: Settings },
  bfes: readonly number[],
): Promise<readonly BenchRow[]> {
  const worker = new MeasuredProcess(cleanup);
  await worker.run('work', { ...settings, SYNC: 'off', THREADS: '1' });
  const client = new JobClient(server);
  const draft = { kind: 'bbr', columns: { bfe: 'bfe' } };
  // The first rows make the code warm.
  await client.run(draft, bodiesOf(bfes, 5_000));
  const before = await worker.run('usage', null);
  const rates = await client.run(draft, bodiesOf(bfes, numberOption('rows', 50_000)));
  const cpuUs = (await worker.run('usage', null)).cpuUs - before.cpuUs;
  if (rates.succeeded < rates.rows) throw new Error(`${rates.succeeded} of ${rates.rows} rows.`);
  await worker.end();
  return [
    row(`job bbr: ${rates.rows} rows, from started to on file`, rates.answered, 'rows/s', {
      gate: '>= 5,000 (goal 20,000)',
    }),
    row('job bbr: processor time of the worker a row', cpuUs / rates.rows, 'µs'),
    row(
      `job bbr: download as CSV, ${Math.round(rates.bytesPerRow)} bytes a row`,
      rates.downloaded,
      'rows/s',
    ),
  ];
}

/** As often as needed the same numbers. */
function bodiesOf(bfes: readonly number[], rows: number): string[] {
  const bodies: string[] = [];
  for (let from = 0; from < rows; from += BODY_ROWS) {
    const lines = ['nr;bfe'];
    for (let n = from; n < Math.min(rows, from + BODY_ROWS); n += 1) {
      lines.push(`${n};${bfes[n % bfes.length]}`);
    }
    bodies.push(`${lines.join('\r\n')}\r\n`);
  }
  return bodies;
}
