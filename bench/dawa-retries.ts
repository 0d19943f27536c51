/**
 * Clients that ask the DAWA door for what it refuses and try again every 500 ms, as `dawa-autocomplete2` does,
 * under the real plans: what they cost their account, which asks meanwhile, and another one.
 * `--seconds=600` in all, `--clients=40`.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCountry } from './dawa.ts';
import type { Country } from './dawa.ts';
import { arrive, drive, get } from './harness/load.ts';
import type { LoadResult } from './harness/load.ts';
import { interleave, median } from './harness/measure.ts';
import { numberOption } from './harness/options.ts';
import { runElsewhere } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import { randomFrom } from './national/land.ts';

const REAL_PLANS = join(import.meta.dirname, '../src/account/plans.json');
const RETRY_MS = 500;
const SECONDS = 60;
const CLIENTS = 40;
const ROUNDS = 5;
/** Below what the service waits for the first request of a connection. */
const PIECE_MS = 12_000;
/** What is left of the account's 200 a second if the refused ones counted is less than this. */
const OWN_PER_S = 140;
const OTHER_PAUSE_MS = 20;
const HEAD_START_MS = 1_000;
const FULL_SPEED_MS = 3_000;
/** Until what was answered is in the store, at the most. */
const SETTLED_MS = 10_000;

interface Asking {
  readonly server: Server;
  readonly refused: readonly Buffer[];
  readonly own: readonly Buffer[];
  readonly other: readonly Buffer[];
}

export async function benchRetries(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  return await measureRetries(await startCountry(cleanup, { PLANS_FILE: REAL_PLANS }));
}

export async function measureRetries({ server, drawn }: Country): Promise<readonly BenchRow[]> {
  const typed = drawn.map(({ whole }) => `/dawa/autocomplete?q=${encodeURIComponent(whole)}`);
  const good = (key: string | null) => typed.map((path) => get(path, key));
  const asking = {
    ...{ server, own: good(server.key), other: good(server.otherKey) },
    refused: [
      get('/dawa/autocomplete?q=a&caretpos=x', server.key),
      get('/dawa/bygninger', server.key),
      get('/dawa/adresser/none', server.key),
      get('/dawa/autocomplete?q=a', 'svc_live_unknown'),
    ],
  };
  return [...(await besideRows(asking)), ...(await costRows(asking))];
}

async function besideRows(asking: Asking): Promise<readonly BenchRow[]> {
  const { server } = asking;
  const roundMs = (1000 * numberOption('seconds', SECONDS)) / ROUNDS;
  const before = await settledUnits(server);
  const { alone, beside } = await interleave(
    { alone: () => onePiece(asking, PIECE_MS), beside: () => retriedRound(asking, roundMs) },
    { rounds: ROUNDS },
  );
  const units = (await settledUnits(server)) - before;
  const retried = beside.map(({ retries }) => retries);
  const sum = (of: readonly number[]) => of.reduce((total, each) => total + each, 0);
  const answered = sum([...alone, ...beside].map(({ own }) => own));
  const p99Of = (rounds: readonly Round[]) => median(rounds.map(({ p99Ms }) => p99Ms));
  return [
    row('refused requests, tried again', sum(retried.map(({ refused }) => refused)), 'requests'),
    row('… answered with 200', sum(retried.map((one) => one.answers - one.refused)), 'requests', {
      gate: '0',
    }),
    row('units of their account meanwhile', units, 'units', {
      ...{ beside: ['its own answers', answered], ratioGate: '1' },
    }),
    row('p99 of another account meanwhile', p99Of(beside), 'ms', {
      ...{ beside: ['alone', p99Of(alone)], ratioGate: '<= 1.5 (goal 1.1)' },
    }),
  ];
}

interface Round {
  readonly p99Ms: number;
  /** Answers to the account of the clients that try again: none was refused. */
  readonly own: number;
}

async function onePiece({ server, own, other }: Asking, durationMs: number): Promise<Round> {
  const { port } = server;
  const asked = { port, requests: own, perSecond: OWN_PER_S, durationMs };
  const [mine, theirs] = await Promise.all([
    arrive({ ...asked, random: randomFrom(3) }),
    drive({ port, requests: other, connections: 1, durationMs, pauseMs: OTHER_PAUSE_MS }),
  ]);
  if (theirs.refused > 0) throw new Error(`Another account was refused: ${theirs.firstRefusal}`);
  return { p99Ms: theirs.p99Ms, own: mine.answers };
}

async function retriedRound(
  asking: Asking,
  durationMs: number,
): Promise<Round & { readonly retries: LoadResult }> {
  const retrying = runElsewhere('drive', {
    ...{ port: asking.server.port, requests: asking.refused, pauseMs: RETRY_MS },
    connections: numberOption('clients', CLIENTS),
    durationMs: durationMs + 2 * HEAD_START_MS,
  });
  await sleep(HEAD_START_MS);
  const pieces: Round[] = [];
  for (let ms = 0; ms < durationMs; ms += PIECE_MS) pieces.push(await onePiece(asking, PIECE_MS));
  return {
    p99Ms: median(pieces.map(({ p99Ms }) => p99Ms)),
    own: pieces.reduce((sum, { own }) => sum + own, 0),
    retries: await retrying,
  };
}

/** Of the month, once they do not grow any more. */
async function settledUnits(server: Server): Promise<number> {
  const started = performance.now();
  for (let last = -1; performance.now() - started < SETTLED_MS;) {
    const answer = await ask(server, '/v1/me/usage');
    const { live } = (await answer.json()) as { readonly live: { readonly units: number } };
    if (live.units === last) return last;
    last = live.units;
    await sleep(2_500);
  }
  throw new Error('The units of the account go on growing.');
}

/** At full speed, so that nothing but the work counts. */
async function costRows({ server, refused, other }: Asking): Promise<readonly BenchRow[]> {
  const cpuUs = async (requests: readonly Buffer[], pauseMs?: number) => {
    const before = await server.usage();
    const load = { port: server.port, requests, connections: 4, durationMs: FULL_SPEED_MS };
    const { answers } = await drive({ ...load, ...(pauseMs !== undefined && { pauseMs }) });
    return ((await server.usage()).cpuUs - before.cpuUs) / answers;
  };
  const { bad, good } = await interleave(
    { bad: () => cpuUs(refused), good: () => cpuUs(other, OTHER_PAUSE_MS) },
    { rounds: ROUNDS, warmUps: 1 },
  );
  return [
    row('a refused request, processor time of the server', median(bad), 'µs', {
      beside: ['autocomplete', median(good)],
    }),
  ];
}
