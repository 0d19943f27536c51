/**
 * Lookups without a pause around the instant of a merger, each answer read: a batch of places in the
 * regions that merge, and a municipality of them with its `regionskode`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from './harness/measure.ts';

export interface LoadTarget {
  readonly port: number;
  readonly key: string;
  /** WGS84, degrees, all within the regions that merge. */
  readonly places: readonly { readonly lon: number; readonly lat: number }[];
  readonly municipalities: readonly string[];
  /** Code of the region they become. */
  readonly merged: string;
}

/** What lookups met. */
export interface Meanwhile {
  /** From the instant to the end of the first answer with the merged region, milliseconds. */
  readonly firstMs: number;
  readonly answers: number;
  /** Answers other than 200, or cut, or without a region. */
  readonly failed: number;
  /** Answers that hold both moments, and those of a generation whose answers hold both. */
  readonly mixed: number;
  readonly p99Ms: number;
  readonly p99BeforeMs: number;
  readonly slowestMs: number;
}

const BATCH = 50;
const CLIENTS = 4;
/** The load alone, before the instant and behind the first answer of the new version. */
const BEFORE_MS = 5_000;
const BEHIND_MS = 2_000;
const LONGEST_MS = 300_000;

interface Seen {
  readonly endedMs: number;
  readonly tookMs: number;
  /** null: it failed. */
  readonly generation: string | null;
  readonly moments: ReadonlySet<'old' | 'new'>;
}

/** Asks, turns the clock after a while, and asks on until the new version has answered for a while. */
export async function askMeanwhile(
  target: LoadTarget,
  turn: () => Promise<unknown>,
): Promise<Meanwhile> {
  const seen: Seen[] = [];
  const going = { on: true };
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(target, n, { seen, going }));
  // Cold code is not what is measured.
  await sleep(BEFORE_MS);
  const calmMs = performance.now();
  await sleep(BEFORE_MS);
  const turnedMs = performance.now();
  await turn();
  const isNew = (each: Seen): boolean => each.moments.has('new');
  while (!seen.some(isNew)) {
    if (performance.now() - turnedMs > LONGEST_MS) throw new Error('The merger has not come.');
    await sleep(5);
  }
  await sleep(BEHIND_MS);
  going.on = false;
  await Promise.all(clients);
  const firstMs = Math.min(...seen.filter(isNew).map(({ endedMs }) => endedMs)) - turnedMs;
  const during = seen.filter(({ endedMs }) => endedMs > turnedMs);
  const before = seen.filter(({ endedMs }) => endedMs > calmMs && endedMs <= turnedMs);
  return { firstMs, ...judge(seen), ...timesOf(during, before) };
}

function judge(seen: readonly Seen[]): Pick<Meanwhile, 'answers' | 'failed' | 'mixed'> {
  const answered = seen.filter(({ generation }) => generation !== null);
  const byGeneration = Map.groupBy(answered, ({ generation }) => generation);
  const mixed = [...byGeneration.values()].flatMap((alike) => {
    const isOne = new Set(alike.flatMap(({ moments }) => [...moments])).size === 1;
    return isOne ? [] : alike;
  });
  return {
    answers: seen.length,
    failed: seen.length - answered.length,
    mixed: mixed.length,
  };
}

function timesOf(
  during: readonly Seen[],
  before: readonly Seen[],
): Pick<Meanwhile, 'p99Ms' | 'p99BeforeMs' | 'slowestMs'> {
  const p99 = (of: readonly Seen[]): number =>
    quantile(
      of.map(({ tookMs }) => tookMs),
      0.99,
    );
  const slowestMs = Math.max(...during.map(({ tookMs }) => tookMs));
  return { p99Ms: p99(during), p99BeforeMs: p99(before), slowestMs };
}

async function client(
  target: LoadTarget,
  n: number,
  { seen, going }: { readonly seen: Seen[]; readonly going: { readonly on: boolean } },
): Promise<void> {
  const { municipalities } = target;
  for (let turn = n; going.on; turn += 1) {
    seen.push(await timed(() => askBatch(target, turn)));
    const code = municipalities[turn % municipalities.length]!;
    seen.push(await timed(() => askMunicipality(target, code)));
  }
}

type Answer = Pick<Seen, 'generation' | 'moments'>;

async function timed(question: () => Promise<Answer>): Promise<Seen> {
  const begunMs = performance.now();
  const answer = await question().catch(() => FAILED);
  const endedMs = performance.now();
  return { ...answer, endedMs, tookMs: endedMs - begunMs };
}

const FAILED: Answer = { generation: null, moments: new Set() };

interface Area {
  readonly tema: string;
  readonly kode: string;
}

async function askBatch(target: LoadTarget, turn: number): Promise<Answer> {
  const { places } = target;
  const from = (turn * BATCH) % Math.max(1, places.length - BATCH);
  const punkter = places.slice(from, from + BATCH);
  const response = await send(target, '/v1/dagi/reverse:batch', {
    method: 'POST',
    body: JSON.stringify({ punkter }),
  });
  const { results } = (await response.json()) as {
    results: readonly { readonly omraader: readonly Area[] }[];
  };
  const codes = results.map(
    ({ omraader }) => omraader.find(({ tema }) => tema === 'region')?.kode ?? '',
  );
  return answerOf(target, { response, codes, expected: punkter.length });
}

async function askMunicipality(target: LoadTarget, code: string): Promise<Answer> {
  const response = await send(target, `/v1/dagi/kommune/${code}`, {});
  const { regionskode } = (await response.json()) as { regionskode: string };
  return answerOf(target, { response, codes: [regionskode], expected: 1 });
}

async function send({ port, key }: LoadTarget, path: string, init: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
}

function answerOf(
  { merged }: LoadTarget,
  of: {
    readonly response: Response;
    readonly codes: readonly string[];
    readonly expected: number;
  },
): Answer {
  const { response, codes, expected } = of;
  const generation = response.headers.get('x-service-generation');
  if (response.status !== 200 || codes.length !== expected || codes.includes('')) return FAILED;
  return { generation, moments: new Set(codes.map((code) => (code === merged ? 'new' : 'old'))) };
}
