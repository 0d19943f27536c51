/** Contests that more than one benchmark holds, interleaved in one run. */
import { randomFrom } from '../national/land.ts';
import { linesPath } from '../places.ts';
import type { Place } from '../places.ts';
import { arrive, drive, expectNoRefusal, get } from './load.ts';
import type { Load, Times } from './load.ts';
import { interleave, median } from './measure.ts';
import { besideClient } from './process.ts';
import { row } from './row.ts';
import type { BenchRow, RowOptions } from './row.ts';
import { startBare } from './server.ts';
import type { Server } from './server.ts';
import type { Cleanup } from './store.ts';

export const PER_SECOND = 200;
const WARM_MS = 2_000;

export interface Paced extends Times {
  /** Processor time of the server for one request, microseconds. */
  readonly cpuUs: number;
}

/** What a server does with requests that come by chance, so many a second. */
export async function pace(
  server: Server,
  requests: readonly Buffer[],
  {
    durationMs,
    round,
    perSecond = PER_SECOND,
  }: { readonly durationMs: number; readonly round: number; readonly perSecond?: number },
): Promise<Paced> {
  const { port } = server;
  const { cpuUs } = await server.usage();
  const arrivals = { port, requests, perSecond, durationMs };
  const times = await arrive({ ...arrivals, random: randomFrom(60 + round) });
  return { ...times, cpuUs: ((await server.usage()).cpuUs - cpuUs) / times.answers };
}

/**
 * Requests at the gate's rate, and a bare server that answers as many bytes at the same. `line` makes
 * a row of the medians.
 */
export async function paceBesideBare(
  cleanup: Cleanup,
  server: Server,
  requests: readonly Buffer[],
  { rounds = 5, durationMs = 4_000 } = {},
) {
  const warm = { port: server.port, requests, connections: 1, durationMs: WARM_MS };
  const { bodyBytes } = expectNoRefusal(await drive(warm));
  const bareServer = await startBare(cleanup, 'x'.repeat(Math.round(bodyBytes)));
  await drive({ ...warm, port: bareServer.port });
  const at = (asked: Server) => (round: number) => pace(asked, requests, { durationMs, round });
  const contestants = { ours: at(server), bare: at(bareServer) };
  // At a client's rate code is warm later than at full speed.
  const { ours, bare } = await interleave(contestants, { rounds, warmUps: 1 });
  const bareName = `bare Fastify, ${Math.round(bodyBytes)} bytes`;
  const line = (
    what: string,
    [unit, of]: readonly [unit: string, of: (round: Paced) => number],
    judged: RowOptions = {},
  ): BenchRow =>
    row(what, median(ours.map(of)), unit, {
      beside: [bareName, median(bare.map(of))],
      ...judged,
    });
  return { bodyBytes, line };
}

export const P50 = ['ms', ({ p50Ms }: Paced) => p50Ms] as const;
export const P99 = ['ms', ({ p99Ms }: Paced) => p99Ms] as const;
export const SLOWEST = ['ms', ({ slowestMs }: Paced) => slowestMs] as const;
export const CPU = ['µs', ({ cpuUs }: Paced) => cpuUs] as const;

/** A client of lines that asks now and then, alone and while another account sends without pause. */
export async function besideRow(
  what: string,
  { port, otherKey }: Server,
  {
    places,
    saturating,
    rounds = 5,
    durationMs = 3_000,
    ...light
  }: {
    readonly places: readonly Place[];
    readonly saturating: Pick<Load, 'requests' | 'connections'>;
    readonly rounds?: number;
    readonly durationMs?: number;
  } & Pick<Load, 'connections' | 'pauseMs'>,
): Promise<BenchRow> {
  const requests = places.map((place) => get(linesPath(place), otherKey));
  const ask = async () =>
    expectNoRefusal(await drive({ ...light, port, requests, durationMs })).p99Ms;
  const { alone, beside } = await interleave(
    { alone: ask, beside: () => besideClient({ ...saturating, port }, durationMs, ask) },
    { rounds, warmUps: 1 },
  );
  return row(what, median(beside), 'ms', {
    beside: ['alone', median(alone)],
    ratioGate: '<= 2 (goal 1.3)',
  });
}
