/**
 * The service over HTTP beside a bare Fastify route and beside its own store path, all in one run:
 * the same generated country in PostgreSQL, four server processes, one raw client. `--scale=1` is the
 * whole country (`npm run bench:national`). BENCH_STORE=embedded uses the embedded store.
 */
import { batchRequests, get } from './harness/load.ts';
import { interleave, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask, driven, fastest, isFromMemory } from './harness/server.ts';
import { startBare, startService } from './harness/server.ts';
import type { Measured, Server } from './harness/server.ts';
import { loadCountry, openData } from './harness/store.ts';
import { Land } from './national/land.ts';
import { areasPath, linesPath, placesOf } from './places.ts';
import type { Place } from './places.ts';

const BATCH = 50;
const ROUNDS = 3;
const ROUND_MS = 3_000;
const CONNECTIONS = 32;

export async function benchHttp(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption();
  const land = new Land(scale);
  const places = placesOf(land);
  const data = await openData(cleanup);
  const fillS = await seconds(() => loadCountry(data, land));
  // The first start builds the snapshots; the second loads their files.
  const building = await startService(cleanup, data.settings);
  await building.end();
  const memory = await startService(cleanup, data.settings);
  const store = await startService(cleanup, { ...data.settings, LOOKUPS: 'store' });
  const open = await startService(cleanup, data.settings, { open: true });
  const sample = await ask(memory, linesPath(places[0]!));
  if (!isFromMemory(sample)) throw new Error('Not answered from memory.');
  const bare = await startBare(cleanup, await sample.text());
  return [
    row('scale of the generated country', scale, 'of it'),
    row('fill the store', fillS, 's'),
    row('first start: build and load every snapshot', building.readyMs / 1000, 's'),
    row('process start to first answer, from files', memory.readyMs / 1000, 's', {
      gate: '<= 5 at national size (goal 2)',
    }),
    ...(await benchSingle({ memory, store, open, bare }, places)),
    ...(await benchBatches(memory, places)),
    await benchMemory(memory),
  ];
}

/** Of each contestant the best of the interleaved rounds. */
async function best<K extends string>(
  contestants: Readonly<Record<K, readonly [Server, readonly Buffer[]]>>,
): Promise<Record<K, Measured>> {
  const load = { connections: CONNECTIONS, durationMs: ROUND_MS };
  const runs = Object.entries<readonly [Server, readonly Buffer[]]>(contestants).map(
    ([name, [server, requests]]) => [name, driven(server, requests, load)] as const,
  );
  const results = await interleave(Object.fromEntries(runs), { rounds: ROUNDS, warmUps: 1 });
  const bests = Object.entries(results).map(([name, all]) => [name, fastest(all)] as const);
  return Object.fromEntries(bests) as Record<K, Measured>;
}

async function benchSingle(
  { memory, store, open, bare }: Readonly<Record<'memory' | 'store' | 'open' | 'bare', Server>>,
  places: readonly Place[],
): Promise<BenchRow[]> {
  // One store behind all of them: one key opens each.
  const lines = places.map((place) => get(linesPath(place), memory.key));
  const areas = places.map((place) => get(areasPath(place), memory.key));
  const found = await best({
    ours: [memory, lines],
    open: [open, lines],
    bare: [bare, lines],
    slow: [store, lines],
    six: [memory, areas],
    slowSix: [store, areas],
  });
  const { ours, slow, six, slowSix } = found;
  const bareName = 'bare Fastify, constant body';
  return [
    row('body of a byggelinjer answer, mean', ours.bodyBytes, 'bytes'),
    row('GET byggelinjer over HTTP', ours.perSecond, 'requests/s', {
      beside: [bareName, found.bare.perSecond],
      ratioGate: '>= 0.33 (goal 0.4)',
    }),
    row('GET byggelinjer, keys and metering included', ours.perSecond, 'requests/s', {
      beside: ['the same route open', found.open.perSecond],
      ratioGate: '>= 0.75',
    }),
    row('processor time of keys and metering, a request', ours.cpuUs - found.open.cpuUs, 'µs'),
    row('the same in processor time of the server', ours.cpuUs, 'µs', {
      beside: [bareName, found.bare.cpuUs],
    }),
    row('GET byggelinjer over HTTP', ours.perSecond, 'requests/s', {
      beside: ['LOOKUPS=store', slow.perSecond],
      ratioGate: '>= 5 (goal 10)',
    }),
    row('GET dagi/reverse over HTTP', six.perSecond, 'requests/s', {
      beside: ['LOOKUPS=store', slowSix.perSecond],
    }),
  ];
}

async function benchBatches(memory: Server, places: readonly Place[]): Promise<BenchRow[]> {
  const asked = { points: places, size: BATCH, key: memory.key };
  const { areas, lines } = await best({
    areas: [memory, batchRequests('/v1/dagi/reverse:batch', asked)],
    lines: [memory, batchRequests('/v1/natur/byggelinjer:batch', asked)],
  });
  return [
    row('six-area batch of 50 over HTTP', areas.perSecond * BATCH, 'points/s', {
      gate: '>= 75,000 (goal 150,000)',
    }),
    row('the same, processor time a point', areas.cpuUs / BATCH, 'µs'),
    row('ten-line batch of 50 over HTTP', lines.perSecond * BATCH, 'points/s', {
      gate: '>= 20,000 (goal 60,000)',
    }),
    row('the same, processor time a point', lines.cpuUs / BATCH, 'µs'),
  ];
}

async function benchMemory(memory: Server): Promise<BenchRow> {
  const { rssBytes } = await memory.usage();
  return row('memory of the whole process', rssBytes / 2 ** 30, 'GiB', {
    gate: '<= 1.5 at national size (goal 0.8)',
  });
}
