/**
 * Lookups while an extract is read: the generated country (`--scale`), and a table of `--rows` addresses. The reference
 * is PostgreSQL's own `COPY` of the same rows, which takes the database's share of the processors and no other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findPostgres } from '../test/support/postgres-binaries.ts';
import { get, drive } from './harness/load.ts';
import type { LoadResult } from './harness/load.ts';
import { median } from './harness/measure.ts';
import { numberOption, scaleOption } from './harness/options.ts';
import { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { startService } from './harness/server.ts';
import { loadCountry, openPostgres } from './harness/store.ts';
import { ROWS, fillAddresses } from './changes-store.ts';
import { Land } from './national/land.ts';
import { linesPath, placesOf } from './places.ts';

const ROUNDS = 6;
const ROUND_MS = 2_500;
const COPY_MS = 2 * ROUND_MS;
/** Some 200 questions a second. */
const PAUSE_MS = 4;

export async function benchExtract(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const land = new Land(scaleOption());
  const rows = numberOption('rows', ROWS);
  const data = await openPostgres(cleanup);
  await loadCountry(data, land, (store) => fillAddresses(store, rows));
  const { port, key, otherKey } = await startService(cleanup, data.settings);
  const requests = placesOf(land).map((place) => get(linesPath(place), otherKey));
  const light = async (): Promise<LoadResult> =>
    await drive({ port, requests, connections: 1, durationMs: ROUND_MS, pauseMs: PAUSE_MS });
  // On a machine of its own in truth: it neither starts nor takes a core while lookups are timed.
  const reader = new MeasuredProcess(cleanup);
  await reader.run('yield', null);
  await light();
  const lightUntil = async (end: Promise<unknown>, p99s: number[]): Promise<void> => {
    const ended = new AbortController();
    const done = end.finally(() => ended.abort());
    do p99s.push((await light()).p99Ms);
    while (!ended.signal.aborted);
    await done;
  };
  const alone: number[] = [];
  const beside: number[] = [];
  const besideCopy: number[] = [];
  const rates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push((await light()).p99Ms);
    await lightUntil(copyFor(COPY_MS, data.databaseUrl), besideCopy);
    const path = '/v1/udtraek/adresser?entitet=Adresse';
    const beganMs = performance.now();
    const extract = reader.run('read', { port, key, path });
    await lightUntil(extract, beside);
    const { lines } = await extract;
    if (lines !== rows) throw new Error(`The extract has ${lines} rows of ${rows}.`);
    rates.push((1_000 * lines) / (performance.now() - beganMs));
  }
  return [
    row(`rows a second of an extract of ${rows}, beside lookups`, median(rates), '/s'),
    row('p99 of lookups while it is read', median(beside), 'ms', {
      ...{ beside: ['alone', median(alone)], ratioGate: '<= 1.5 (goal 1.1)' },
    }),
    row('p99 of lookups while COPY reads the same rows', median(besideCopy), 'ms', {
      beside: ['alone', median(alone)],
    }),
  ];
}

/** Again and again: one `COPY` is over before the lookups beside it are measured. */
async function copyFor(ms: number, databaseUrl: string): Promise<void> {
  const endsMs = performance.now() + ms;
  do await copyRows(databaseUrl);
  while (performance.now() < endsMs);
}

async function copyRows(databaseUrl: string): Promise<void> {
  const copy = 'copy (select t::text from address_unit t order by id) to stdout';
  const psql = spawn(join(findPostgres() ?? '', 'psql'), [databaseUrl, '-c', copy], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(psql, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`psql ended with ${String(code)}.`);
}
