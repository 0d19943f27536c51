/**
 * What one client at full load does to another, under the real plans: a client that asks as fast as
 * its answers come, in every way that is open to it, beside one of another account that asks now and
 * then. The first has a process of its own; service and clients share the machine's cores.
 */
import { join } from 'node:path';
import { openStore } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openData } from './data.ts';
import { fillStore } from './fill.ts';
import { drive, get, post } from './load.ts';
import type { LoadResult } from './load.ts';
import { driveElsewhere } from './load-process.ts';
import { Land } from './national/land.ts';
import { option } from './option.ts';
import { placesOf } from './places.ts';
import type { Place } from './places.ts';
import { row } from './row.ts';
import type { BenchRow } from './row.ts';
import { start } from './server.ts';
import type { Server } from './server.ts';

const BATCH = 50;
/** Many short ones: their median forgets what the machine did in one of them. */
const ROUNDS = 8;
const ROUND_MS = 2_500;
/** For the client in the other process to get going. */
const HEAD_START_MS = 1_000;
/** The light client: some 200 questions a second. */
const PAUSE_MS = 4;
const CONNECTIONS = 16;
const REAL_PLANS = join(import.meta.dirname, '../src/account/plans.json');

export async function benchFairness(): Promise<readonly BenchRow[]> {
  const land = new Land(Number(option('scale') ?? '0.03'));
  const places = placesOf(land);
  const data = await openData();
  const servers: Server[] = [];
  try {
    const store = await openStore({ ...data, purpose: 'sync', log: console });
    await migrate(store);
    await fillStore(store, land);
    await store.close();
    const settings = { ...data.settings, SYNC: 'off', PLANS_FILE: REAL_PLANS };
    const server = await start(servers, { kind: 'service', settings });
    return await contest(server, places);
  } finally {
    for (const server of servers) await server.stop();
    await data.close();
  }
}

const linesPath = ({ lon, lat }: Place): string => `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;

/** What the heavy client sends without pause. */
function heavyLoads({ key }: Server, places: readonly Place[]): Record<string, Buffer[]> {
  const batches: Buffer[] = [];
  for (let i = 0; i + BATCH <= places.length; i += BATCH) {
    const punkter = places.slice(i, i + BATCH);
    batches.push(post('/v1/natur/byggelinjer:batch', { punkter }, key));
  }
  return {
    'batches of fifty': batches,
    'single lookups': places.map((place) => get(linesPath(place), key)),
    'requests that are refused': [get('/v1/natur/byggelinjer?lon=1', key)],
    'requests without a key': places.map((place) => get(linesPath(place), null)),
    'an open document': [get('/openapi.json', null)],
  };
}

/** The medians of some rounds, each pair in every round, so that all meet the same weather. */
async function contest(server: Server, places: readonly Place[]): Promise<BenchRow[]> {
  const asked = places.map((place) => get(linesPath(place), server.otherKey));
  const light = (): Promise<LoadResult> =>
    drive({
      port: server.port,
      requests: asked,
      connections: 1,
      durationMs: ROUND_MS,
      pauseMs: PAUSE_MS,
    });
  const loads = Object.entries(heavyLoads(server, places));
  const alone: number[] = [];
  const beside = new Map<string, number[]>(loads.map(([what]) => [what, []]));
  // The first makes both sides' code warm and is not counted.
  for (let round = -1; round < ROUNDS; round++) {
    for (const [what, requests] of loads) {
      const aloneMs = (await light()).p99Ms;
      const heavy = driveElsewhere({
        port: server.port,
        requests,
        connections: CONNECTIONS,
        durationMs: ROUND_MS + 2 * HEAD_START_MS,
      });
      await new Promise((done) => setTimeout(done, HEAD_START_MS));
      const { p99Ms, refused } = await light();
      if (refused > 0) throw new Error(`${refused} answers to the light client were not 200.`);
      await heavy;
      if (round < 0) continue;
      alone.push(aloneMs);
      beside.get(what)?.push(p99Ms);
    }
  }
  const aloneMs = median(alone);
  return [...beside].map(([what, times]) => {
    const ms = median(times);
    return row({
      what: `p99 of one client while another sends ${what}`,
      value: ms,
      unit: 'ms',
      reference: { what: 'alone', value: aloneMs },
      gate: { text: '<= 2', pass: ms <= 2 * aloneMs },
    });
  });
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
}
