/**
 * What one client at full load does to another, under the real plans: a client that asks as fast as
 * its answers come, in every way that is open to it, beside one of another account that asks now and
 * then. The first has a process of its own; service and clients share the machine's cores.
 */
import { join } from 'node:path';
import { batchRequests, drive, expectNoRefusal, get } from './harness/load.ts';
import { interleave, median } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { besideClient } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { loadCountry, openData } from './harness/store.ts';
import { Land } from './national/land.ts';
import { linesPath, placesOf } from './places.ts';
import type { Place } from './places.ts';

const BATCH = 50;
/** Many short ones: their median forgets what the machine did in one of them. */
const ROUNDS = 8;
const ROUND_MS = 2_500;
/** The light client: some 200 questions a second. */
const PAUSE_MS = 4;
const CONNECTIONS = 16;
const REAL_PLANS = join(import.meta.dirname, '../src/account/plans.json');

export async function benchFairness(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const land = new Land(scaleOption());
  const data = await openData(cleanup);
  await loadCountry(data, land);
  const server = await startService(cleanup, { ...data.settings, PLANS_FILE: REAL_PLANS });
  return await measure(server, placesOf(land));
}

/** What the heavy client sends without pause. */
function heavyLoads({ key }: Server, places: readonly Place[]): Record<string, Buffer[]> {
  const asked = { points: places, size: BATCH, key };
  return {
    'batches of fifty': batchRequests('/v1/natur/byggelinjer:batch', asked),
    'single lookups': places.map((place) => get(linesPath(place), key)),
    'requests that are refused': [get('/v1/natur/byggelinjer?lon=1', key)],
    'requests without a key': places.map((place) => get(linesPath(place), null)),
    'an open document': [get('/openapi.json', null)],
  };
}

/** Medians of the rounds; the light client is alone before each heavy load. */
async function measure(server: Server, places: readonly Place[]): Promise<BenchRow[]> {
  const { port, otherKey } = server;
  const asked = places.map((place) => get(linesPath(place), otherKey));
  const light = async () => {
    const load = { port, requests: asked, connections: 1, durationMs: ROUND_MS };
    return await drive({ ...load, pauseMs: PAUSE_MS });
  };
  const contestants = Object.entries(heavyLoads(server, places)).map(([what, requests]) => {
    const heavy = { port, requests, connections: CONNECTIONS };
    const run = async () => {
      const alone = (await light()).p99Ms;
      const beside = expectNoRefusal(await besideClient(heavy, ROUND_MS, light));
      return { alone, beside: beside.p99Ms };
    };
    return [what, run] as const;
  });
  // The first round makes both sides' code warm.
  const found = await interleave(Object.fromEntries(contestants), { rounds: ROUNDS, warmUps: 1 });
  const aloneMs = median(Object.values(found).flatMap((all) => all.map(({ alone }) => alone)));
  return Object.entries(found).map(([what, all]) => {
    const ms = median(all.map(({ beside }) => beside));
    const beside = ['alone', aloneMs] as const;
    return row(`p99 of one client while another sends ${what}`, ms, 'ms', {
      ...{ beside, ratioGate: '<= 2' },
    });
  });
}
