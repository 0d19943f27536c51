/**
 * `npm run bench -- dated --scale=S`: two neighbouring regions of the generated country become one, with
 * the addresses of the country beside them. What its preview and its preparation take, how soon after the instant it is
 * answered, and what lookups meet meanwhile. One service with its syncs in a process, the client in another.
 */
import { sql } from 'kysely';
import type { Store } from '../src/db/connect.ts';
import { ADDRESSES } from '../src/layers/keys.ts';
import { confirmChange, readDatedChanges } from '../src/ops/dated-changes.ts';
import { preparePreviews } from '../sync/dated/preview.ts';
import { askMeanwhile } from './dated-load.ts';
import { MERGED, catalogueWith, fillCountry, planMerger, readLoadTarget } from './dated-plan.ts';
import type { Merger } from './dated-plan.ts';
import { scaleOption } from './harness/options.ts';
import { MeasuredProcess } from './harness/process.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { openData, openMigrated } from './harness/store.ts';
import { Land } from './national/land.ts';

const PREVIEW_ROUNDS = 3;

export async function benchDated(): Promise<readonly BenchRow[]> {
  await using cleanup = new AsyncDisposableStack();
  const scale = scaleOption(0.1);
  const data = await openData(cleanup);
  const store = await openMigrated(cleanup, data);
  const begunMs = performance.now();
  const accesses = await fillCountry(store, new Land(scale));
  const fillS = (performance.now() - begunMs) / 1000;
  const merger = await planMerger(store);
  const previewMs = await timePreviews(store, merger);
  const moved = await confirm(store, merger);
  const target = await readLoadTarget(store, merger);
  const service = new MeasuredProcess(cleanup);
  const { knownPlaces, atMs } = merger;
  const up = await service.run('dated', { settings: data.settings, knownPlaces });
  const upMs = performance.now();
  await service.run('untilPrepared', null);
  const preparedS = (performance.now() - upMs) / 1000;
  const met = await askMeanwhile({ ...up, ...target, merged: MERGED }, () =>
    service.run('turn', atMs),
  );
  return [
    row('scale of the generated country', scale, 'of it'),
    row('fill the store', fillS, 's'),
    row('access addresses', accesses, 'addresses'),
    row('addresses in force that the merger moves', moved, 'addresses'),
    row('preview of a merger of two regions', previewMs / 1000, 's', {
      gate: '<= 60 (goal 10)',
    }),
    row('from then until the next versions are prepared', preparedS, 's'),
    row('from the instant to the first answer of the new version', met.firstMs / 1000, 's', {
      gate: '<= 5 (goal 1)',
    }),
    row('lookups around the switch', met.answers, 'answers'),
    row('… that failed', met.failed, 'answers', { gate: '0' }),
    row('… of two versions, or of one generation and not alike', met.mixed, 'answers', {
      gate: '0',
    }),
    row('p99 of them from the instant on', met.p99Ms, 'ms', {
      beside: ['before it', met.p99BeforeMs],
    }),
    row('the slowest of them', met.slowestMs, 'ms'),
  ];
}

/** The least of some rounds, each from nothing, as a sync works it out. */
async function timePreviews(store: Store, { knownPlaces }: Merger): Promise<number> {
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const clock = { nowMs: () => Date.now() };
  let leastMs = Infinity;
  for (let round = 0; round < PREVIEW_ROUNDS; round++) {
    await sql`update dated_change set preview = null, preview_of = null`.execute(store.db);
    const begunMs = performance.now();
    await preparePreviews({ store, catalogue: catalogueWith(knownPlaces), clock, log });
    leastMs = Math.min(leastMs, performance.now() - begunMs);
  }
  return leastMs;
}

/** As an operator does it. Gives the addresses that are shown to change. */
async function confirm(store: Store, { codes }: Merger): Promise<number> {
  const nowMs = Date.now();
  const [change] = await readDatedChanges(store, nowMs);
  if (change === undefined) throw new Error('The merger is not known ahead.');
  const by = { id: change.id, nowMs, by: 'bench', remark: null };
  const answer = await confirmChange(store, by);
  if (answer.state !== 'done') throw new Error(`Not confirmed: ${answer.why}.`);
  const { preview } = answer.change;
  const before = change.codes.ends.map(({ code }) => code).toSorted();
  if (before.join() !== codes.toSorted().join()) throw new Error('Other regions are to end.');
  return preview?.numbers.located?.[ADDRESSES] ?? NaN;
}
