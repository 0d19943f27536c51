/**
 * Request threads: one service with 1, 2, 4 … of them up to the cores there are, interleaved in one run, beside
 * two processes of one thread, which share nothing and meet the same client. `--scale=1` is the whole country.
 */
import { availableParallelism } from 'node:os';
import { get } from './harness/load.ts';
import { interleave, median, seconds } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { driven, startService } from './harness/server.ts';
import type { Measured, Server } from './harness/server.ts';
import { loadCountry, openData } from './harness/store.ts';
import type { Cleanup, Data } from './harness/store.ts';
import { Land } from './national/land.ts';
import { linesPath, placesOf } from './places.ts';
import type { Place } from './places.ts';

const ROUNDS = 5;
const ROUND_MS = 3_000;
/** Of each thread. */
const CONNECTIONS = 32;
const MIB = 2 ** 20;

export async function benchThreads(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const land = new Land(scaleOption());
  const places = placesOf(land);
  const data = await openData(cleanup);
  await seconds(() => loadCountry(data, land));
  const building = await startService(cleanup, data.settings);
  await building.end();
  const cores = availableParallelism();
  const counts = [1, 2, 4, 8, 16].filter((count) => count <= cores);
  const servers = new Map<number, Server>();
  for (const count of counts) servers.set(count, await start(cleanup, data, count));
  const twin = cores > 1 ? await start(cleanup, data, 1) : null;
  return [
    row('cores; as many request threads at most are measured', cores, 'cores'),
    ...(await benchCounts({ servers, twin }, places)),
  ];
}

async function start(cleanup: Cleanup, { settings }: Data, count: number): Promise<Server> {
  const more = { REQUEST_THREADS: String(count) };
  return await startService(cleanup, { ...settings, ...more });
}

interface Counted {
  /** By the number of its threads. */
  readonly servers: ReadonlyMap<number, Server>;
  /** Another of one thread; null: there is one core. */
  readonly twin: Server | null;
}

type Cost = Pick<Measured, 'cpuUs' | 'perSecond'>;

async function benchCounts(
  { servers, twin }: Counted,
  places: readonly Place[],
): Promise<BenchRow[]> {
  const first = servers.get(1)!;
  const lines = (server: Server, connections: number) => {
    const requests = places.map((place) => get(linesPath(place), server.key));
    return driven(server, requests, { connections, durationMs: ROUND_MS });
  };
  const runs: Record<string, (round: number) => Promise<Cost>> = Object.fromEntries(
    [...servers].map(([count, server]) => [String(count), lines(server, CONNECTIONS * count)]),
  );
  if (twin !== null) {
    const both = [first, twin].map((server) => lines(server, CONNECTIONS));
    runs['twins'] = async (round) => sumOf(await Promise.all(both.map((run) => run(round))));
  }
  const results = await interleave(runs, { rounds: ROUNDS, warmUps: 1 });
  const one = results['1'] ?? [];
  const { twins } = results;
  const rows: BenchRow[] = [];
  if (twins !== undefined) {
    rows.push(
      row('processor time of GET byggelinjer, 2 processes of one thread', cpuOf(twins), 'µs', {
        beside: ['1 thread', cpuOf(one)],
      }),
      row('the same, 2 threads', cpuOf(results['2'] ?? []), 'µs', {
        beside: ['2 processes', cpuOf(twins)],
      }),
    );
  }
  for (const [count, server] of servers) {
    const own = results[String(count)] ?? [];
    const beside = count === 1 ? undefined : (['1 thread', cpuOf(one)] as const);
    rows.push(
      row(`processor time of GET byggelinjer, ${count} threads`, cpuOf(own), 'µs', {
        beside,
        ...(count === 2 && { ratioGate: '<= 1.1 (goal 1.0)' }),
      }),
      row(`GET byggelinjer, ${count} threads`, rateOf(own), 'requests/s', {
        ...(count > 1 && { beside: ['1 thread', rateOf(one)] }),
        ...(count === 8 && { ratioGate: '>= 6 (goal 7.5)' }),
      }),
    );
    if (count === 1) continue;
    const [many, single] = await Promise.all([server.usage(), first.usage()]);
    const added = (many.rssBytes - single.rssBytes) / MIB / (count - 1);
    rows.push(
      row(`memory added by each of ${count} threads`, added, 'MiB', {
        gate: '<= 150 at national size (goal 60)',
      }),
    );
  }
  return rows;
}

const cpuOf = (all: readonly Cost[]): number => median(all.map(({ cpuUs }) => cpuUs));
const rateOf = (all: readonly Cost[]): number => median(all.map(({ perSecond }) => perSecond));

/** Of servers that were driven at once: their rates together, and what a request cost. */
function sumOf(all: readonly Cost[]): Cost {
  const perSecond = all.reduce((sum, each) => sum + each.perSecond, 0);
  const spent = all.reduce((sum, each) => sum + each.cpuUs * each.perSecond, 0);
  return { perSecond, cpuUs: spent / perSecond };
}
