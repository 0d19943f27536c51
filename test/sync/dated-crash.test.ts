/** kill -9 while a change is carried out: the old content or the new, whole, and the next run ends it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { confirmChange } from '../../src/ops/dated-changes.ts';
import { prepareNext } from '../../sync/dated/prepare.ts';
import { preparePreviews } from '../../sync/dated/preview.ts';
import { killAt } from '../support/crash-kit.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { isHeavy } from '../support/run-settings.ts';
import { silence } from '../support/silence.ts';
import type { SyncProcessSettings } from '../support/sync-process.ts';

/** Phases, and milliseconds after it has begun. */
const POINTS = ['fetch', 'diff', 'check', 'derive', 'apply', 'announce', 5, 20, 40, 80] as const;
const GATE_POINTS = ['apply', 20] as const;
const SYNC_PROCESS = join(import.meta.dirname, '../support/sync-process.ts');
const REGION = 'region-20981231T230000Z';
const BEFORE_MS = INSTANT_MS - 3600_000;

const dated = await opened(openDatedBench({ startMs: BEFORE_MS }));
await dated.syncThemes();
await preparePreviews(dated.deps);
const by = { id: REGION, nowMs: BEFORE_MS, by: 'test', remark: null };
expect((await confirmChange(dated.deps.store, by)).state).toBe('done');
// Old regions, confirmed to become one.
await dated.keep();

const one = async <R extends object>(text: string) =>
  (await dated.bench.store.pool.query<R>(text)).rows[0]!;

/** Killed this long after it has begun, or as it says a phase. */
async function kill(
  at: string | number,
  work: 'carry-out' | 'prepare' = 'carry-out',
): Promise<void> {
  const { store, upstream } = dated.bench;
  const settings: SyncProcessSettings = {
    ...{ work, layer: 'region', upstreamUrl: upstream.url },
    ...{ databaseUrl: store.databaseUrl, dataDir: store.dataDir },
    nowMs: work === 'prepare' ? BEFORE_MS : INSTANT_MS,
  };
  const begun = work === 'prepare' ? work : 'fetch';
  const [wanted, afterMs] = typeof at === 'number' ? [begun, at] : [at, 0];
  const isTime = (message: string) => message.startsWith(wanted);
  await killAt(SYNC_PROCESS, settings, { isTime, afterMs });
}

/** What is published is of one moment: regions, the codes the others carry, and what is still to come. */
async function whole(): Promise<'old' | 'new'> {
  const { regions, carried, dates, done } = await one<Record<string, string | null>>(
    `select (select string_agg(code, ' ' order by code) from area where theme = 'region') as regions,
       (select string_agg(distinct region_code, ' ' order by region_code) from area) as carried,
       (select count(*) from dated_row where layer = 'region')::text as dates,
       (select carried_out_at is not null from dated_change where id = '${REGION}')::text as done`,
  );
  const seen = `${regions} | ${carried} | ${dates} | ${done}`;
  if (seen === '1093 | 1093 | 0 | true') return 'new';
  expect(seen).toBe('1091 1092 | 1091 1092 | 3 | false');
  return 'old';
}

test('old or new, whole, and once it is looked at again it is new', async () => {
  for (const at of isHeavy ? POINTS : GATE_POINTS) {
    await dated.restore();
    await kill(at);
    // The server may take a moment to see that nobody is there any more.
    await expect.poll(whole).toMatch(/old|new/);
    // By the heartbeat the process is dead, however long it took to be killed; another takes over.
    dated.setClock(INSTANT_MS + 120_000);
    await silence(dated.bench.store);
    const again = async () => told(await dated.sync('region', { trigger: 'dated', dated: true }));
    // Busy while the server has not seen yet that nobody is there to commit for.
    await expect.poll(again).toMatch(/published|unchanged/);
    expect(await whole(), String(at)).toBe('new');
    expect(await one('select count(*)::integer as n from stage_feature')).toEqual({ n: 0 });
  }
}, 240_000);

/** The embedded store is never prepared. */
test.skipIf(process.env['TEST_STORE'] !== 'postgres')(
  'killed while it is prepared: the old content, and nothing half prepared',
  async () => {
    for (const at of isHeavy ? [5, 60, 150] : [60]) {
      await dated.restore();
      await kill(at, 'prepare');
      expect(await whole(), String(at)).toBe('old');
      const { prepared, versions, regions, staged } = await one<Record<string, number>>(
        `select (select count(*) from dated_prepared)::integer as prepared,
           (select count(*) from dated_version)::integer as versions,
           (select count(*) from dated_region)::integer as regions,
           (select count(*) from stage_feature)::integer as staged`,
      );
      expect(staged).toBe(0);
      expect([prepared, versions, (regions ?? 0) > 0]).toEqual(
        prepared === 0 ? [0, 0, false] : [1, 6, true],
      );
      await prepareNext(dated.deps, new AbortController().signal);
      dated.setClock(INSTANT_MS);
      const carryOut = dated.sync('region', { trigger: 'dated', dated: true });
      expect(told(await carryOut)).toBe('published');
      expect(await whole(), String(at)).toBe('new');
    }
  },
  120_000,
);
