/** What customers do while operators work: 500 lookups a second, and now and then a job. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlans } from '../../src/account/plans.ts';
import { HANG_MS } from './run-settings.ts';

/** A point of the sample, in a forest line and in areas. */
const PLACE = { x: 647650, y: 6314000 };
export const LOOKUP = `/v1/natur/skovbyggelinje?x=${PLACE.x}&y=${PLACE.y}&srid=25832`;
/** Where the store does not answer and memory is not loaded yet, a line is unknown, and not billed (D62). */
export const isKnown = (answer: string): boolean => answer.includes('"inden_for":true');
const LOOKUPS_PER_S = 500;
const JOB_EVERY_MS = 2_000;
const JOB_ROWS = 2_000;
/** Requests under way, as a balancer's connections are limited: a front that is late keeps 128 of one account. */
const MOST_UNDER_WAY = 96;

export interface SteadyLoad {
  /** Lookups answered and known, which is what is billed for them. */
  readonly answered: number;
  /** How each request failed, where and after how long. */
  readonly failures: readonly string[];
  readonly jobs: readonly string[];
  underWayAt(base: string): number;
  stop(): Promise<void>;
}

export function generousPlans(directory: string): string {
  const unitsPerMonth = { live: 100_000_000, test: 100_000_000 };
  const { free, pro, business } = readPlans();
  const path = join(directory, 'plans.json');
  const often = { unitsPerMonth, requestsPerSecond: 100_000 };
  writeFileSync(path, JSON.stringify({ free, business, pro: { ...pro, ...often } }));
  return path;
}

/** `bases` is read before each request: the list that a balancer has. */
export function startLoad(bases: readonly string[], key: string): SteadyLoad {
  const stopped = new AbortController();
  const failures: string[] = [];
  const jobs: string[] = [];
  const underWay = new Map<string, number>();
  let answered = 0;
  let turn = 0;

  async function ask(path: string, body?: object): Promise<string | null> {
    const base = bases[turn++ % bases.length]!;
    underWay.set(base, (underWay.get(base) ?? 0) + 1);
    const startedMs = performance.now();
    try {
      const response = await fetch(base + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(HANG_MS),
      });
      const text = await response.text();
      if (response.ok) return text;
      failures.push(`${base}: ${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      failures.push(`${base}: ${String(cause)} after ${performance.now() - startedMs} ms`);
    } finally {
      underWay.set(base, underWay.get(base)! - 1);
    }
    return null;
  }

  const allUnderWay = () => [...underWay.values()].reduce((sum, each) => sum + each, 0);

  async function look(): Promise<void> {
    if (isKnown((await ask(LOOKUP)) ?? '')) answered += 1;
  }
  const lookups = (async () => {
    const startedMs = performance.now();
    const sent: Promise<void>[] = [];
    while (!stopped.signal.aborted) {
      const due = ((performance.now() - startedMs) * LOOKUPS_PER_S) / 1_000;
      while (sent.length < due && allUnderWay() < MOST_UNDER_WAY) sent.push(look());
      await sleep(1);
    }
    await Promise.all(sent);
  })();
  const sender = (async () => {
    const rows = Array.from({ length: JOB_ROWS }, () => PLACE);
    while (!stopped.signal.aborted) {
      const made = await ask('/v1/jobs', { kind: 'dagi', srid: 25832, rows });
      if (made !== null) jobs.push((JSON.parse(made) as { job: { id: string } }).job.id);
      await sleep(JOB_EVERY_MS);
    }
  })();
  return {
    get answered() {
      return answered;
    },
    failures,
    jobs,
    underWayAt: (base) => underWay.get(base) ?? 0,
    stop: async () => {
      stopped.abort();
      await Promise.all([lookups, sender]);
    },
  };
}
