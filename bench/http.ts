/**
 * The service over HTTP beside a bare Fastify route and beside its own store path, all in one run:
 * the same generated country in PostgreSQL, four server processes, one raw client. `--scale=1` is the
 * whole country (`npm run bench:national`). BENCH_STORE=embedded uses the embedded store.
 */
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openData } from './data.ts';
import type { Data } from './data.ts';
import { fillStore } from './fill.ts';
import { drive, get, post } from './load.ts';
import type { LoadResult } from './load.ts';
import { driveElsewhere } from './load-process.ts';
import { Land } from './national/land.ts';
import { option } from './option.ts';
import { placesOf } from './places.ts';
import type { Place } from './places.ts';
import { referenceRows } from './references.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';
import { start } from './server.ts';
import type { Server } from './server.ts';

const BATCH = 50;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const WARM_MS = 1_500;
const CONNECTIONS = 32;
/** For a client in another process to get going. */
const HEAD_START_MS = 1_000;

export async function benchHttp(): Promise<readonly BenchRow[]> {
  const scale = Number(option('scale') ?? '0.03');
  const land = new Land(scale);
  const places = placesOf(land);
  const data = await openData();
  const servers: Server[] = [];
  try {
    const started = performance.now();
    const store = await openStore({ ...data, purpose: 'sync', log: console });
    await migrate(store);
    await fillStore(store, land);
    await store.close();
    const fillS = (performance.now() - started) / 1000;
    const settings = { ...data.settings, SYNC: 'off' };
    // The first start builds the snapshots; the second loads their files.
    const building = await start(servers, { kind: 'service', settings });
    const buildS = building.readyMs / 1000;
    await building.stop();
    const memory = await start(servers, { kind: 'service', settings });
    const slow = await start(servers, {
      kind: 'service',
      settings: { ...settings, LOOKUPS: 'store' },
    });
    const open = await start(servers, { kind: 'service', settings, open: true });
    const body = await bodyOf(memory, linesPath(places[0]!));
    const bare = await start(servers, { kind: 'bare', body });
    const scaleRow = row({ what: 'scale of the generated country', value: scale, unit: 'of it' });
    return [
      scaleRow,
      row({ what: 'fill the store', value: fillS, unit: 's' }),
      row({ what: 'first start: build and load every snapshot', value: buildS, unit: 's' }),
      row({
        what: 'process start to first answer, from files',
        value: memory.readyMs / 1000,
        unit: 's',
        gate: { text: '<= 5 at national size (goal 2)', pass: memory.readyMs <= 5_000 },
      }),
      ...(await benchSingle({ memory, slow, open, bare }, places)),
      ...(await benchBatches(memory, places, data)),
      ...(await benchFairness(memory, places)),
      await benchMemory(memory),
    ];
  } finally {
    for (const server of servers) await server.stop();
    await data.close();
  }
}

const linesPath = ({ lon, lat }: Place): string => `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
const areasPath = ({ lon, lat }: Place): string => `/v1/dagi/reverse?lon=${lon}&lat=${lat}`;

async function bodyOf({ port, key }: Server, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${key ?? ''}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const detail = response.headers.get('cache-status') ?? '';
  if (!detail.includes('snapshot')) throw new Error(`Not answered from memory: ${detail}`);
  return await response.text();
}

function batchesOf(path: string, places: readonly Place[], { key }: Server): Buffer[] {
  const requests: Buffer[] = [];
  for (let i = 0; i + BATCH <= places.length; i += BATCH) {
    requests.push(post(path, { punkter: places.slice(i, i + BATCH) }, key));
  }
  return requests;
}

/** Speed and cost of one kind of request at one server. */
interface Measured {
  readonly perSecond: number;
  /** Processor time of the server for one request, microseconds: not moved by a busy machine. */
  readonly cpuUs: number;
  readonly result: LoadResult;
}

async function measure(
  server: Server,
  requests: readonly Buffer[],
  { durationMs = ROUND_MS, connections = CONNECTIONS } = {},
): Promise<Measured> {
  const before = await server.usage();
  const result = await drive({ port: server.port, requests, connections, durationMs });
  const after = await server.usage();
  const { refused, firstRefusal } = result;
  if (refused > 0) throw new Error(`${refused} answers were not 200: ${firstRefusal}`);
  const cpuUs = (after.cpuUs - before.cpuUs) / result.answers;
  return { perSecond: result.perSecond, cpuUs, result };
}

/** The best of some rounds, each contestant in every round, so that all meet the same weather. */
async function contest(
  contestants: readonly (readonly [Server, readonly Buffer[]])[],
): Promise<Measured[]> {
  for (const [server, requests] of contestants) {
    await measure(server, requests, { durationMs: WARM_MS });
  }
  const best: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, [server, requests]] of contestants.entries()) {
      const now = await measure(server, requests);
      if (best[i] === undefined || now.perSecond > best[i].perSecond) best[i] = now;
    }
  }
  return best;
}

async function benchSingle(
  servers: Readonly<Record<'memory' | 'slow' | 'open' | 'bare', Server>>,
  places: readonly Place[],
): Promise<BenchRow[]> {
  // One store behind all of them: one key opens each.
  const { key } = servers.memory;
  const lines = places.map((place) => get(linesPath(place), key));
  const areas = places.map((place) => get(areasPath(place), key));
  const [ours, open, bare, slow, six, slowSix] = (await contest([
    [servers.memory, lines],
    [servers.open, lines],
    [servers.bare, lines],
    [servers.slow, lines],
    [servers.memory, areas],
    [servers.slow, areas],
  ])) as [Measured, Measured, Measured, Measured, Measured, Measured];
  const toBare = ours.perSecond / bare.perSecond;
  const toStore = ours.perSecond / slow.perSecond;
  return [
    row({
      what: 'body of a byggelinjer answer, mean',
      value: ours.result.bodyBytes,
      unit: 'bytes',
    }),
    row({
      what: 'GET byggelinjer over HTTP',
      value: ours.perSecond,
      unit: 'requests/s',
      reference: { what: 'bare Fastify, constant body', value: bare.perSecond },
      gate: { text: '>= 0.33 (goal 0.4)', pass: toBare >= 0.33 },
    }),
    row({
      what: 'GET byggelinjer, keys and metering included',
      value: ours.perSecond,
      unit: 'requests/s',
      reference: { what: 'the same route open', value: open.perSecond },
      gate: { text: '>= 0.75', pass: ours.perSecond / open.perSecond >= 0.75 },
    }),
    row({
      what: 'processor time of keys and metering, a request',
      value: ours.cpuUs - open.cpuUs,
      unit: 'µs',
    }),
    row({
      what: 'the same in processor time of the server',
      value: ours.cpuUs,
      unit: 'µs',
      reference: { what: 'bare Fastify, constant body', value: bare.cpuUs },
    }),
    row({
      what: 'GET byggelinjer over HTTP',
      value: ours.perSecond,
      unit: 'requests/s',
      reference: { what: 'LOOKUPS=store', value: slow.perSecond },
      gate: { text: '>= 5 (goal 10)', pass: toStore >= 5 },
    }),
    row({
      what: 'GET dagi/reverse over HTTP',
      value: six.perSecond,
      unit: 'requests/s',
      reference: { what: 'LOOKUPS=store', value: slowSix.perSecond },
    }),
  ];
}

async function benchBatches(
  memory: Server,
  places: readonly Place[],
  data: Data,
): Promise<BenchRow[]> {
  const [areas, lines] = (await contest([
    [memory, batchesOf('/v1/dagi/reverse:batch', places, memory)],
    [memory, batchesOf('/v1/natur/byggelinjer:batch', places, memory)],
  ])) as [Measured, Measured];
  const sixPoints = areas.perSecond * BATCH;
  const tenPoints = lines.perSecond * BATCH;
  return [
    row({
      what: 'six-area batch of 50 over HTTP',
      value: sixPoints,
      unit: 'points/s',
      gate: { text: '>= 75,000 (goal 150,000)', pass: sixPoints >= 75_000 },
    }),
    row({ what: 'the same, processor time a point', value: areas.cpuUs / BATCH, unit: 'µs' }),
    row({
      what: 'ten-line batch of 50 over HTTP',
      value: tenPoints,
      unit: 'points/s',
      gate: { text: '>= 20,000 (goal 60,000)', pass: tenPoints >= 20_000 },
    }),
    row({ what: 'the same, processor time a point', value: lines.cpuUs / BATCH, unit: 'µs' }),
    ...(await referenceRows(data, places, tenPoints)),
  ];
}

/** One client sends batches without pause while another asks single questions, one at a time. */
async function benchFairness(memory: Server, places: readonly Place[]): Promise<BenchRow[]> {
  const single = places.map((place) => get(linesPath(place), memory.key));
  const batches = batchesOf('/v1/natur/byggelinjer:batch', places, memory);
  const one = { connections: 1, durationMs: ROUND_MS };
  let alone: LoadResult | null = null;
  let beside: LoadResult | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const calm = await drive({ port: memory.port, requests: single, ...one });
    const saturating = driveElsewhere({
      port: memory.port,
      requests: batches,
      connections: 1,
      durationMs: ROUND_MS + 2 * HEAD_START_MS,
    });
    await new Promise((done) => setTimeout(done, HEAD_START_MS));
    const busy = await drive({ port: memory.port, requests: single, ...one });
    await saturating;
    if (alone === null || calm.p99Ms < alone.p99Ms) alone = calm;
    if (beside === null || busy.p99Ms < beside.p99Ms) beside = busy;
  }
  if (alone === null || beside === null) throw new Error('Nothing was measured.');
  const ratio = beside.p99Ms / alone.p99Ms;
  return [
    row({
      what: 'single lookup p99 while a client saturates batches',
      value: beside.p99Ms,
      unit: 'ms',
      reference: { what: 'alone', value: alone.p99Ms },
      gate: { text: '<= 2 (goal 1.3)', pass: ratio <= 2 },
    }),
  ];
}

async function benchMemory(memory: Server): Promise<BenchRow> {
  const { rssBytes } = await memory.usage();
  const gib = rssBytes / 2 ** 30;
  return row({
    what: 'memory of the whole process',
    value: gib,
    unit: 'GiB',
    gate: { text: '<= 1.5 at national size (goal 0.8)', pass: gib <= 1.5 },
  });
}
