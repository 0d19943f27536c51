/**
 * What one client at full load does to another, under the real plans: a client that asks as fast as
 * its answers come, in every way that is open to it, beside one of another account that asks now and
 * then. The first has a process of its own; service and clients share the machine's cores.
 */
import { join } from 'node:path';
import { toUtm32 } from '../src/geo/project.ts';
import { toUnitSquareAll } from '../src/geo/web-mercator.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import { batchRequests, drive, expectNoRefusal, get } from './harness/load.ts';
import type { Load } from './harness/load.ts';
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
/** As a browser opens them to one server. */
const MAP_CONNECTIONS = 6;
const MAP_ZOOM = 14;
const REAL_PLANS = join(import.meta.dirname, '../src/account/plans.json');

export async function benchFairness(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const land = new Land(scaleOption());
  const data = await openData(cleanup);
  await loadCountry(data, land);
  const server = await startService(cleanup, { ...data.settings, PLANS_FILE: REAL_PLANS });
  return await measure(server, placesOf(land));
}

type HeavyLoad = Pick<Load, 'requests' | 'connections' | 'pauseMs'>;

/** What the heavy client sends: without pause, but a map as fast as its limit lets it. */
function heavyLoads({ key }: Server, places: readonly Place[]): Record<string, HeavyLoad> {
  const asked = { points: places, size: BATCH, key };
  const unpaused = (requests: readonly Buffer[]) => ({ requests, connections: CONNECTIONS });
  return {
    'batches of fifty': unpaused(batchRequests('/v1/natur/byggelinjer:batch', asked)),
    'single lookups': unpaused(places.map((place) => get(linesPath(place), key))),
    'requests that are refused': unpaused([get('/v1/natur/byggelinjer?lon=1', key)]),
    'requests without a key': unpaused(places.map((place) => get(linesPath(place), null))),
    'an open document': unpaused([get('/openapi.json', null)]),
    'tiles of a map': {
      requests: places.map((place, n) => get(tilePath(place, n), key)),
      connections: MAP_CONNECTIONS,
      pauseMs: (1_000 * MAP_CONNECTIONS) / LIMITS.kort.perSecond.default,
    },
  };
}

/** Another tile, and another layer, each time. */
function tilePath({ lon, lat }: Place, n: number): string {
  const { xUtm32, yUtm32 } = toUtm32({ lon, lat });
  const xy = Float64Array.of(xUtm32, yUtm32);
  toUnitSquareAll(xy, xy);
  const [x, y] = [...xy].map((at) => Math.floor(at * 2 ** MAP_ZOOM));
  return `/v1/kort/${LINE_KEYS[n % LINE_KEYS.length]}/${MAP_ZOOM}/${x}/${y}.mvt`;
}

/** Medians of the rounds; the light client is alone before each heavy load. */
async function measure(server: Server, places: readonly Place[]): Promise<BenchRow[]> {
  const { port, otherKey } = server;
  const asked = places.map((place) => get(linesPath(place), otherKey));
  const light = async () => {
    const load = { port, requests: asked, connections: 1, durationMs: ROUND_MS };
    return await drive({ ...load, pauseMs: PAUSE_MS });
  };
  const contestants = Object.entries(heavyLoads(server, places)).map(([what, load]) => {
    const heavy = { port, ...load };
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
