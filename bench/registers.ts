/**
 * What the registers of issue 19 cost: batches of property records with assessments and protection beside the
 * same without, one company and the assessments of one property at a client's rate, and the memory that all five
 * take. Two services over two stores alike but for the five, keys and metering included. `--places` of them.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeGeoTiff } from '../sample/registers/terrain/write-geotiff.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { fillAddresses } from './fill.ts';
import { P50, P99, paceBesideBare, PER_SECOND } from './harness/contest.ts';
import { get } from './harness/load.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption, scaleOption } from './harness/options.ts';
import { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { measureServer, startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import {
  loadCountry,
  openClient,
  openMigrated,
  openPostgres,
  temporaryDirectory,
} from './harness/store.ts';
import type { Cleanup, Data } from './harness/store.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, randomFrom } from './national/land.ts';
import { propertyCount } from './national/properties.ts';
import { fillPlaces, namesOf } from './place-fill.ts';
import { batchesOf, bfesOf } from './property.ts';
import { benchTotals } from './property-mirror.ts';
import { fillAssessments, fillCompanies, fillProtection } from './register-fill.ts';

const SCALE = 0.01;
const COMPANIES = 50_000;
const PLACES = 25_000;
const NATIONAL_PLACES = 250_000;
/** Of a kilometre each, under DHM_DIR: the country has some 50,000. */
const TILES = 2_000;
/** The layers and addresses beside the registers only have to be there. */
const LAYER_SCALE = 0.005;
const BATCH = LIMITS.property.perBatch;
const BATCHES = 100;
/** Batches under way at a time. */
const CLIENTS = 4;
const SINGLES = 2_000;
const ROUNDS = 5;
const ROUND_MS = 4_000;
const MIB = 2 ** 20;

type Settings = Readonly<Record<string, string>>;

/** Rows for the table of `npm run bench`. */
export async function benchRegisters(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption(SCALE);
  const { withAll, without, companies } = await fillBoth(cleanup, scale);
  const memory = await memoryRow(withAll, without);
  const server = await startService(cleanup, withAll);
  await server.untilProperties(0);
  const plain = await startService(cleanup, without);
  await plain.untilProperties(0);
  const bfes = bfesOf(propertyCount(scale), BATCHES);
  const singles = bfes.slice(0, SINGLES);
  return [
    ...(await batchRows(server, plain, bfes)),
    ...(await singleRows(cleanup, server, {
      what: 'one company',
      paths: companies.slice(0, SINGLES).map((number) => `/v1/cvr/${number}`),
    })),
    ...(await singleRows(cleanup, server, {
      what: 'the assessments of one property',
      paths: singles.map((bfe) => `/v1/vurdering/${bfe}`),
    })),
    memory,
  ];
}

interface Filled {
  /** Of the service that has the five registers, and of one that does not. */
  readonly withAll: Settings;
  readonly without: Settings;
  /** Numbers of companies, in no order. */
  readonly companies: readonly string[];
}

/** Two stores with the same properties; one has the registers too. */
async function fillBoth(cleanup: Cleanup, scale: number): Promise<Filled> {
  const data = await openPostgres(cleanup, { durable: true });
  const land = new Land(LAYER_SCALE);
  await loadCountry(data, land, (store) => fillAddresses(store, nationalAddresses(land)));
  await benchTotals({ upstream: new MeasuredProcess(cleanup), data, scale });
  const other = await copyOf(cleanup, data);
  const companies = await fillRegisters(data, scale);
  const folder = writeTiles(temporaryDirectory(cleanup));
  const common = { JOBS: 'off' };
  return {
    withAll: { ...common, ...data.settings, DHM_DIR: folder },
    without: { ...common, ...other },
    companies,
  };
}

/** The settings of a service over a copy of the store. */
async function copyOf(
  cleanup: Cleanup,
  { databaseUrl }: { readonly databaseUrl: string },
): Promise<Settings> {
  const source = new URL(databaseUrl).pathname.slice(1);
  await using own = new AsyncDisposableStack();
  const client = await openClient(own, urlOf(databaseUrl, 'template1'));
  await client.query(`create database without template ${source}`);
  const url = urlOf(databaseUrl, 'without');
  return { DATABASE_URL: url, DATA_DIR: temporaryDirectory(cleanup) };
}

function urlOf(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function fillRegisters(data: Data, scale: number): Promise<readonly string[]> {
  await using cleanup = new AsyncDisposableStack();
  const store = await openMigrated(cleanup, data, { maxConnections: CLIENTS });
  await fillAssessments(store, propertyCount(scale));
  await fillProtection(store);
  const companies = await fillCompanies(store, COMPANIES);
  await fillPlaces(store, new Land(LAYER_SCALE), namesOf(numberOption('places', PLACES)));
  const random = randomFrom(19);
  return companies
    .map((number) => [random(), number] as const)
    .sort(([a], [b]) => a - b)
    .map(([, number]) => number);
}

/** Tiles of few cells: what is kept of one in memory is its place and its grid. */
function writeTiles(folder: string): string {
  const columns = 20;
  mkdirSync(join(folder, 'terraen'));
  const side = Math.ceil(Math.sqrt(TILES));
  for (let n = 0; n < TILES; n += 1) {
    const west = 500_000 + 1_000 * (n % side);
    const north = 6_300_000 - 1_000 * Math.floor(n / side);
    const cellM = 1_000 / columns;
    const grid = { west, north, cellX: cellM, cellY: cellM, columns, rows: columns };
    const cells = new Float32Array(columns * columns).fill(n % 100);
    const tile = writeGeoTiff({ grid, cells, noData: null });
    writeFileSync(join(folder, 'terraen', `${west}_${north}.tif`), tile);
  }
  return folder;
}

/** Of a service that has loaded what it answers from, from the files of one before. */
async function memoryOf(settings: Settings, hasPlaces: boolean) {
  await using cleanup = new AsyncDisposableStack();
  const start = async () => {
    const server = await startService(cleanup, settings);
    await server.untilProperties(0);
    const places = hasPlaces ? await server.untilPlaces() : null;
    return { server, places };
  };
  const first = await start();
  await first.server.end();
  const { server, places } = await start();
  return { rssBytes: (await server.usage()).rssBytes, places };
}

/** The index of names grows with the country; the rest does not. */
async function memoryRow(withAll: Settings, without: Settings): Promise<BenchRow> {
  const plain = await memoryOf(without, false);
  const { rssBytes, places } = await memoryOf(withAll, true);
  const index = places?.bytes ?? NaN;
  const national = (index * NATIONAL_PLACES) / (places?.count ?? NaN);
  const rest = Math.max(0, rssBytes - plain.rssBytes - index);
  return row(
    'memory added per process by all five, at national size',
    (national + rest) / MIB,
    'MiB',
    {
      beside: ['of it the index of place names', national / MIB],
      gate: '<= 200 (goal 100)',
    },
  );
}

async function batchRows(
  server: Server,
  plain: Server,
  bfes: readonly number[],
): Promise<readonly BenchRow[]> {
  const of = (asked: Server) => {
    const requests = batchesOf(bfes, asked.key);
    return () => measureServer(asked, { requests, connections: CLIENTS, durationMs: ROUND_MS });
  };
  const { ours, theirs } = await interleave(
    { ours: of(server), theirs: of(plain) },
    { rounds: ROUNDS, warmUps: 1 },
  );
  const rate = (rounds: typeof ours) => BATCH * median(rounds.map(({ perSecond }) => perSecond));
  const cpuUs = (rounds: typeof ours) => median(rounds.map((each) => each.cpuUs)) / BATCH;
  const what = `batch of ${BATCH} properties with assessments and protection`;
  return [
    row(what, rate(ours), 'records/s', {
      beside: ['without them', rate(theirs)],
      ratioGate: '>= 0.8 (goal 0.95)',
    }),
    row('… processor time of the server a record', cpuUs(ours), 'µs', {
      beside: ['without them', cpuUs(theirs)],
    }),
  ];
}

/** At the gate's rate, beside a bare server at the same. */
async function singleRows(
  cleanup: Cleanup,
  server: Server,
  { what, paths }: { readonly what: string; readonly paths: readonly string[] },
): Promise<readonly BenchRow[]> {
  const requests = paths.map((path) => get(path, server.key));
  const { line } = await paceBesideBare(cleanup, server, requests);
  const asked = `${what} at ${PER_SECOND} requests/s over HTTP`;
  return [line(`${asked}, p50`, P50), line(`${asked}, p99`, P99, { ratioGate: '<= 4 (goal 2)' })];
}
