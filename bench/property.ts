/**
 * Properties at the size of the scale: BBR and the cadastre imported from their files, a service and a worker
 * of jobs over them in processes of their own, keys and metering included, PostgreSQL with durable commits,
 * all on the same cores. Gates of issue 18. `--rows` of the job; addresses and layers are there beside them.
 */
import type pg from 'pg';
import { LIMITS } from '../src/kernel/limits.ts';
import { PROPERTY_PARTS, propertyStatement } from '../src/registers/property/statement.ts';
import { fillAddresses } from './fill.ts';
import { besideRow, CPU, P50, P99, paceBesideBare, PER_SECOND } from './harness/contest.ts';
import { csvBodies, JobClient, loadRow } from './harness/jobs.ts';
import { get, post } from './harness/load.ts';
import { interleave, itemsPerSecond, median } from './harness/measure.ts';
import { numberOption, scaleOption } from './harness/options.ts';
import { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { measureServer, startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import type { PropertyFile } from './harness/service.ts';
import { loadCountry, openMigrated, openPostgres } from './harness/store.ts';
import type { Cleanup } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { bfeOf, NATIONAL_PROPERTIES, propertyCount } from './national/properties.ts';
import { placesOf } from './places.ts';
import { benchDay, benchTotals, publishedAtMs } from './property-mirror.ts';

const BATCH = LIMITS.property.perBatch;
const BATCHES = 200;
const SINGLES = 2_000;
const ROUNDS = 5;
const ROUND_MS = 4_000;
/** Batches and statements under way at a time. */
const CLIENTS = 4;
/** A light client of lines: some 200 questions a second. */
const PAUSE_MS = 4;
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
  const found = [loadRow('began'), ...(await benchTotals(registers))];
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
    loadRow('ended'),
  ];
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

/** So many batches of properties in no order. */
function bfesOf(count: number): readonly number[] {
  const random = randomFrom(18);
  return Array.from({ length: BATCH * BATCHES }, () => bfeOf(Math.floor(random() * count)));
}

const pathOf = (bfe: number): string => `/v1/bbr/ejendom/${bfe}`;

/** At the gate's rate, beside a bare server at the same. */
async function singleRows(
  cleanup: Cleanup,
  server: Server,
  bfes: readonly number[],
): Promise<readonly BenchRow[]> {
  const requests = bfes.slice(0, SINGLES).map((bfe) => get(pathOf(bfe), server.key));
  const { line } = await paceBesideBare(cleanup, server, requests);
  const what = `one property at ${PER_SECOND} requests/s over HTTP`;
  return [
    line('one property over HTTP, processor time of the server', CPU),
    line(`${what}, p50`, P50, { ratioGate: '<= 3 (goal 1.5)' }),
    line(`${what}, p99`, P99, { ratioGate: '<= 3 (goal 2)' }),
  ];
}

/** Of batches of so many. */
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
  server: Server,
  { land, bfes }: { readonly land: Land; readonly bfes: readonly number[] },
): Promise<BenchRow> {
  const saturating = { requests: batchesOf(bfes, server.key), connections: CLIENTS };
  return await besideRow('p99 of byggelinjer while property batches saturate', server, {
    ...{ places: placesOf(land), saturating, rounds: ROUNDS, durationMs: ROUND_MS },
    ...{ connections: 1, pauseMs: PAUSE_MS },
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
  return csvBodies('nr;bfe', rows, (n) => `${n};${bfes[n % bfes.length]}`);
}
