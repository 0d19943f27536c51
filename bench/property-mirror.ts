/**
 * BBR and the cadastre from their files: the totals through the whole sync beside the database's own COPY of
 * one of them, then a day's deltas until they are answered over HTTP.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { CADASTRE, BBR } from '../src/layers/keys.ts';
import type { Served } from './harness/upstream.ts';
import { copyRate } from './harness/copy.ts';
import { runElsewhere } from './harness/process.ts';
import type { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { ask } from './harness/server.ts';
import type { Server } from './harness/server.ts';
import type { Data } from './harness/store.ts';
import type { SyncReport } from './harness/sync.ts';
import {
  bfeOf,
  BUILT_YEARS,
  changedIn,
  PARCEL_NUMBERS,
  propertyCount,
} from './national/properties.ts';

const GIB = 2 ** 30;
/** In the order that a sync takes them. */
const MIRRORS = [CADASTRE, BBR] as const;
/** Longest wait for the answers of the day. */
const ANSWER_MS = 120_000;
const LOOK_MS = 20;

/** What a mirror of properties stands on. */
export interface Registers {
  readonly upstream: MeasuredProcess;
  readonly data: Data & { readonly databaseUrl: string };
  readonly scale: number;
}

/** The totals, into a store that has neither. */
export async function benchTotals(registers: Registers): Promise<readonly BenchRow[]> {
  const served = await serve(registers, false);
  const reports = await syncBoth(registers, served);
  const elapsedMs = reports.reduce((sum, report) => sum + report.elapsedMs, 0);
  const cpuMs = reports.reduce((sum, report) => sum + report.cpuMs, 0);
  const copied = await copyRate(registers.data.databaseUrl, served);
  const peak = Math.max(...reports.map(({ peakRssBytes }) => peakRssBytes));
  return [
    row('rows of BBR and the cadastre', served.rows, 'rows'),
    row('import of the totals, published, by row', served.rows / (elapsedMs / 1000), 'rows/s', {
      beside: ["PostgreSQL's COPY of the buildings as text", copied],
      gate: '>= 60,000 (goal 150,000)',
    }),
    row('… processor time of the process a row', (1000 * cpuMs) / served.rows, 'µs'),
    row('… peak memory of the process', peak / GIB, 'GiB', {
      beside: ['the files unpacked', served.bytes / GIB],
      gate: '<= 1 (goal 0.5)',
    }),
  ];
}

/** A day in which one property of a thousand is registered anew, and others' parcels. */
export async function benchDay(
  registers: Registers,
  { server, pool }: { readonly server: Server; readonly pool: pg.Pool },
): Promise<readonly BenchRow[]> {
  const served = await serve(registers, true);
  const listedMs = performance.now();
  await syncBoth(registers, served);
  await untilAnswered(server, registers.scale);
  const answeredS = (performance.now() - listedMs) / 1000;
  const file = await server.untilProperties(await publishedAtMs(pool));
  const fileS = (performance.now() - listedMs) / 1000;
  const records = ['all records', file.records] as const;
  return [
    row('properties that a day changes', served.changed, 'records', { beside: records }),
    row('a day of deltas, from the listing to the new answer', answeredS, 's', {
      gate: '<= 120 (goal 20)',
    }),
    row('… to the file of records that answers it', fileS, 's'),
    row('… records rebuilt', file.rebuilt, 'records', {
      beside: records,
      ratioGate: '<= 1 % (goal 0.3)',
    }),
  ];
}

/** When the last of both was published, whole milliseconds UTC. */
export async function publishedAtMs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ ms: number }>(
    `select floor(extract(epoch from max(published_at)) * 1000)::float8 as ms
     from layer_state where layer = any($1)`,
    [MIRRORS],
  );
  return rows[0]?.ms ?? NaN;
}

async function serve({ upstream, data, scale }: Registers, hasDeltas: boolean): Promise<Served> {
  const { dataDir: dir } = data;
  return await upstream.run('upstream', { dir, scale, hasDeltas });
}

/** One after the other, each in a process of its own; tells how long their phases took. */
async function syncBoth({ data }: Registers, { url }: Served): Promise<readonly SyncReport[]> {
  const { databaseUrl, dataDir } = data;
  const reports: SyncReport[] = [];
  for (const mirror of MIRRORS) {
    const report = await runElsewhere('sync', { mirror, url, databaseUrl, dataDir });
    if (report.state !== 'published') throw new Error(`${mirror} ${report.state}: ${report.why}`);
    const phases = report.phases.map(({ phase, ms }) => `${phase} ${(ms / 1000).toFixed(1)} s`);
    console.error(`  ${mirror}: ${phases.join(', ')}`);
    reports.push(report);
  }
  return reports;
}

interface Answer {
  readonly jordstykke?: { readonly matrikelnummer?: string | null };
  readonly bygninger?: readonly { readonly opfoerelsesaar?: number | null }[];
}

/** The last building and the last parcel of the day: what is published is published whole. */
async function untilAnswered(server: Server, scale: number): Promise<void> {
  const count = propertyCount(scale);
  const [[, newYear], [, newNumber]] = [BUILT_YEARS, PARCEL_NUMBERS];
  // A flat or a house on the ground of others shows the parcel beneath it, which is not its own.
  const houses = [...changedIn('BBR', count)].filter((n) => n % 8 < 7);
  const parcels = [...changedIn('MAT', count)].filter((n) => n % 8 < 7);
  await untilNew(server, bfeOf(houses.at(-1)!), ({ bygninger }) =>
    (bygninger ?? []).some(({ opfoerelsesaar }) => opfoerelsesaar === newYear),
  );
  await untilNew(server, bfeOf(parcels.at(-1)!), ({ jordstykke }) => {
    return jordstykke?.matrikelnummer === newNumber;
  });
}

async function untilNew(
  server: Server,
  bfe: number,
  isNew: (answer: Answer) => boolean,
): Promise<void> {
  const fromMs = performance.now();
  while (performance.now() - fromMs < ANSWER_MS) {
    const answer = await ask(server, `/v1/bbr/ejendom/${bfe}`);
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    if (isNew((await answer.json()) as Answer)) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`The change of ${bfe} is not answered.`);
}
