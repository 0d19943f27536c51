/** What operators see of the past: as recorded by the runs, the history of versions, and the self-audit. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { readJobDays } from '../../src/jobs/job-days.ts';
import { OPS_LIMITS } from '../../src/ops/limits.ts';
import { daysUntil } from '../../src/metering/calendar.ts';
import { AuditRecorder, readAuditDays } from '../../src/ops/audit-log.ts';
import { readLayerHistory } from '../../src/ops/layer-history.ts';
import type { MemoryAudit } from '../../src/ops/overview.ts';
import { readDifference } from '../../src/ops/version-difference.ts';
import type { VersionDifference } from '../../src/ops/version-difference.ts';
import { GOOD, METRES, addJob, addOwner } from '../jobs/job-bench.ts';
import { sharedStore } from '../support/store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Summer time ends in Denmark two days before. */
const NOW = Date.UTC(2026, 9, 27, 12);
const iso = (ms: number) => new Date(ms).toISOString();

const store = await sharedStore({ purpose: 'sync' });

interface Seeded {
  readonly layer?: string;
  readonly kind?: string;
  readonly state?: string;
  readonly endedMs: number;
  readonly provedMs?: number | null;
  readonly version?: number | null;
  readonly rows?: number | null;
  readonly refusal?: object | null;
  readonly lifted?: readonly string[];
}

async function ended(run: Seeded): Promise<void> {
  const { layer = 'soe', kind = 'sync', state = 'unchanged', endedMs, provedMs = null } = run;
  const { version = null, rows = null, refusal = null, lifted = [] } = run;
  await sql`
    insert into sync_run (layer, trigger, kind, state, phase, started_at, heartbeat_at, ended_at,
      proved_at, version, row_count, area_m2, refusal, lifted_guards)
    values (${layer}, 'schedule', ${kind}, ${state}, 'announce', ${iso(endedMs - 60_000)},
      ${iso(endedMs)}, ${iso(endedMs)}, ${provedMs === null ? null : iso(provedMs)}, ${version},
      ${rows}, ${rows === null ? null : rows * 2.5}, ${refusal === null ? null : JSON.stringify(refusal)}::jsonb,
      ${lifted}::text[])`.execute(store.db);
}

const historyOf = (layer: 'soe' | 'aa' | 'kirke', days = 30) =>
  readLayerHistory(store, layer, { days, nowMs: NOW });

describe('the history of a layer', () => {
  beforeAll(async () => {
    // Before the days asked for: what answers when they begin.
    const good = { state: 'published', version: 3, rows: 50 };
    await ended({ ...good, endedMs: NOW - 40 * DAY, provedMs: NOW - 40 * DAY - 60_000 });
    await ended({ state: 'failed', endedMs: NOW - 35 * DAY });
    await ended({ endedMs: NOW - 20 * DAY, provedMs: NOW - 20 * DAY - 60_000 });
    const refusal = { guard: 'row-drop', message: '', numbers: {}, also: [{ guard: 'canary' }] };
    await ended({ state: 'refused', endedMs: NOW - 10 * DAY, refusal });
    await ended({
      ...{ state: 'published', version: 4, rows: 20, lifted: ['row-drop', 'canary'] },
      ...{ endedMs: NOW - 9 * DAY, provedMs: NOW - 9 * DAY - 60_000 },
    });
    // Back to the version before: as old as that was.
    await ended({
      ...{ kind: 'revert', state: 'published', version: 5, rows: 50 },
      ...{ endedMs: NOW - 8 * DAY, provedMs: NOW - 20 * DAY - 60_000 },
    });
  });

  test('is what the runs recorded, with the proof that was in force when it begins', async () => {
    const { fromMs, toMs, provedBeforeMs, runs, versions } = await historyOf('soe');
    expect([fromMs, toMs]).toEqual([NOW - 30 * DAY, NOW]);
    expect(provedBeforeMs).toBe(NOW - 40 * DAY - 60_000);
    expect(runs.map(({ state, provedAtMs }) => [state, provedAtMs])).toEqual([
      ['unchanged', NOW - 20 * DAY - 60_000],
      ['refused', null],
      ['published', NOW - 9 * DAY - 60_000],
      ['published', NOW - 20 * DAY - 60_000],
    ]);
    expect(runs[1]).toMatchObject({ guards: ['row-drop', 'canary'], durationMs: 60_000 });
    expect(runs[2]).toMatchObject({ liftedGuards: ['row-drop', 'canary'] });
    expect(versions.map(({ version, rowCount, areaM2 }) => [version, rowCount, areaM2])).toEqual([
      [5, 50, 125],
      [4, 20, 50],
      [3, 50, 125],
    ]);
  });

  test('of a layer that was never mirrored has no age, and no 0 in its place', async () => {
    await ended({ layer: 'aa', state: 'failed', endedMs: NOW - DAY });
    expect(await historyOf('aa')).toMatchObject({
      provedBeforeMs: null,
      runs: [{ state: 'failed', provedAtMs: null, rowCount: null, areaM2: null }],
      versions: [],
      comparable: [],
    });
  });

  test('of more runs than are read says from when on it is whole', async () => {
    const many = OPS_LIMITS.historyRuns + 5;
    await sql`
      insert into sync_run (layer, trigger, state, started_at, heartbeat_at, ended_at, proved_at)
      select 'kirke', 'schedule', 'unchanged', t, t, t, t
      from (select ${iso(NOW)}::timestamptz - n * interval '5 minutes' as t
        from generate_series(1, ${many}::integer) n) s`.execute(store.db);
    const { fromMs, provedBeforeMs, runs } = await historyOf('kirke');
    expect(runs).toHaveLength(OPS_LIMITS.historyRuns);
    expect(fromMs).toBe(NOW - OPS_LIMITS.historyRuns * 300_000);
    expect(runs[0]?.endedAtMs).toBe(fromMs);
    expect(provedBeforeMs).toBe(fromMs - 300_000);
  });
});

const square = (x: number) =>
  `MULTIPOLYGON(((${x} 6200000, ${x + 10} 6200000, ${x + 10} 6200010, ${x} 6200010, ${x} 6200000)))`;

/** A row as it is, or as a step kept it. `at` null: the key was new. */
async function feature(
  key: string,
  { at, hash, step }: { at: number | null; hash?: string; step?: number },
): Promise<void> {
  const shape = at === null ? null : square(at);
  const bytes = at === null ? null : Buffer.from(hash ?? `${key} ${at}`);
  const text = at === null ? null : 'in_force';
  if (step === undefined) {
    await sql`
      insert into line_feature (layer, key, object_id, standing, adopted, content_hash, attributes,
        area_m2, geom)
      values ('soe', ${key}, ${key}, ${text}, true, ${bytes}, '{}', 100,
        ST_GeomFromText(${shape}, 25832))`.execute(store.db);
    return;
  }
  await sql`
    insert into feature_history (layer, version, key, object_id, standing, adopted, content_hash,
      attributes, geom)
    values ('soe', ${step}, ${key}, ${at === null ? null : key}, ${text}, ${at === null ? null : true},
      ${bytes}, ${at === null ? null : '{}'}::jsonb, ST_GeomFromText(${shape}, 25832))`.execute(
    store.db,
  );
}

async function difference(from: number | null, to: number | null): Promise<VersionDifference> {
  const answer = await readDifference(store, 'soe', { from, to });
  if (answer.state !== 'compared') throw new Error(JSON.stringify(answer));
  return answer.difference;
}

const told = ({ features }: VersionDifference) =>
  Object.fromEntries(features.map(({ key, what }) => [key, what]));

describe('the difference of two versions', () => {
  beforeAll(async () => {
    await sql`
      insert into layer_state (layer, version, generation, synced_at, published_at, row_count, area_m2)
      values ('soe', 7, 9, ${iso(NOW)}, ${iso(NOW)}, 4, 400)`.execute(store.db);
    for (const step of [5, 7]) {
      await sql`
        insert into layer_history (layer, version, synced_at, published_at, row_count)
        values ('soe', ${step}, ${iso(NOW - (9 - step) * DAY)}, ${iso(NOW - (9 - step) * DAY)}, 4)`.execute(
        store.db,
      );
    }
    // Version 4 to 6: `moved` moved, `came` came, `went` went, `back` was told otherwise.
    await feature('moved', { at: 500_000, step: 5 });
    await feature('came', { at: null, step: 5 });
    await feature('went', { at: 500_100, step: 5 });
    await feature('back', { at: 500_200, hash: 'one', step: 5 });
    // Version 6 to 7: `came` went again, `back` is told as in 4, `told` otherwise in the same place.
    await feature('came', { at: 500_300, step: 7 });
    await feature('back', { at: 500_200, hash: 'two', step: 7 });
    await feature('told', { at: 500_400, hash: 'one', step: 7 });
    for (const [key, at, hash] of [
      ['moved', 500_050, 'x'],
      ['back', 500_200, 'one'],
      ['told', 500_400, 'two'],
      ['same', 500_500, 'x'],
    ] as const) {
      await feature(key, { at, hash });
    }
  });

  test('is told of the versions that are kept, of the last two unless told', async () => {
    const { comparable } = await historyOf('soe');
    expect(comparable.map(({ version }) => version)).toEqual([7, 6, 4]);
    const last = await difference(null, null);
    expect([last.from.version, last.to.version]).toEqual([6, 7]);
    expect(last.counts).toEqual({ added: 0, removed: 1, moved: 0, changed: 2 });
    expect(told(last)).toEqual({ came: 'removed', back: 'changed', told: 'changed' });
  });

  test('over several versions is of their contents, not of what came between', async () => {
    expect(told(await difference(4, 6))).toEqual({
      moved: 'moved',
      came: 'added',
      went: 'removed',
      back: 'changed',
    });
    const whole = await difference(4, 7);
    expect(told(whole)).toEqual({ moved: 'moved', went: 'removed', told: 'changed' });
    const moved = whole.features.find(({ key }) => key === 'moved');
    expect(moved?.before).toMatchObject({ type: 'MultiPolygon' });
    expect(JSON.stringify(moved?.before)).toContain('[500000,6200000]');
    expect(JSON.stringify(moved?.after)).toContain('[500050,6200000]');
  });

  test('is the same seen from the other side', async () => {
    const turned = await difference(7, 4);
    expect(turned.counts).toEqual({ added: 1, removed: 0, moved: 1, changed: 1 });
    const went = turned.features.find(({ key }) => key === 'went');
    expect(went).toMatchObject({ what: 'added', before: null, after: { type: 'MultiPolygon' } });
    expect((await difference(6, 6)).features).toEqual([]);
  });

  test('is refused for a version whose content is gone, which names those that are kept', async () => {
    expect(await readDifference(store, 'soe', { from: 5, to: null })).toEqual({
      ...{ state: 'unknown', version: 5, known: [7, 6, 4] },
    });
    expect(await readDifference(store, 'aa', { from: null, to: null })).toEqual({
      state: 'nothing',
    });
  });
});

describe('by the day', () => {
  const view = (change: Partial<MemoryAudit> = {}): MemoryAudit => ({
    ...{ compared: 0, differences: 0, scrubbedBytes: 0, lastComparedAtMs: null, alarms: [] },
    skipped: { busy: 0, storeUnavailable: 0 },
    ...change,
  });

  test('days are those of Denmark, 25 hours long where summer time ends', () => {
    const days = daysUntil(NOW, 30);
    expect(days).toHaveLength(30);
    expect(days.at(-1)?.date).toBe('2026-10-27');
    const long = days.find(({ date }) => date === '2026-10-25');
    expect((long?.endMs ?? 0) - (long?.startMs ?? 0)).toBe(25 * HOUR);
    expect(days.every(({ endMs }, at) => endMs === (days[at + 1]?.startMs ?? endMs))).toBe(true);
  });

  test('the audits of all processes add up, and a day without any is none without differences', async () => {
    let [now, mine, other] = [NOW - DAY, view(), view()];
    const outages = { isUnavailable: false };
    const deps = { store, outages, clock: { nowMs: () => now } };
    const one = new AuditRecorder({ ...deps, view: () => mine });
    const two = new AuditRecorder({ ...deps, view: () => other });
    await one.record();
    mine = view({ compared: 30, skipped: { busy: 2, storeUnavailable: 1 } });
    other = view({ compared: 5 });
    await one.record();
    await two.record();
    now = NOW;
    const alarm = { layer: 'soe', version: 3, atMs: NOW, kind: 'answer' } as const;
    mine = view({ compared: 40, differences: 1, alarms: [alarm], skipped: mine.skipped });
    await one.record();
    await one.record();
    const days = await readAuditDays(store, daysUntil(NOW, 3));
    expect(days).toEqual([
      null,
      { compared: 35, differences: 0, alarms: 0, skipped: 3 },
      { compared: 10, differences: 1, alarms: 1, skipped: 0 },
    ]);
  });

  test('what the store would not take is written with the next', async () => {
    let fails = true;
    const failing = {
      get db() {
        if (fails) throw new Error('ECONNREFUSED');
        return store.db;
      },
    };
    const at = NOW - 2 * DAY;
    const counted = view({ compared: 7, alarms: [] });
    const recorder = new AuditRecorder({
      ...{ store: failing, outages: { isUnavailable: false }, clock: { nowMs: () => at } },
      view: () => counted,
    });
    await expect(recorder.record()).rejects.toThrow('ECONNREFUSED');
    fails = false;
    await recorder.stop();
    expect((await readAuditDays(store, daysUntil(at, 1)))[0]).toMatchObject({ compared: 7 });
  });

  test('jobs are counted where they ended', async () => {
    const owner = await addOwner(store);
    for (const [status, done, bad, at] of [
      ['completed', 8, 2, NOW - DAY],
      ['failed', 1, 0, NOW - DAY],
      ['cancelled', 0, 0, NOW],
      ['running', 5, 0, null],
    ] as const) {
      const id = await addJob(store, { ...owner, ...METRES, rows: Array(10).fill(GOOD), status });
      await sql`update job set succeeded = ${done}, failed = ${bad},
          completed_at = ${at === null ? null : iso(at)} where id = ${id}`.execute(store.db);
    }
    const none = { completed: 0, failed: 0, cancelled: 0, rowsAnswered: 0, rowsFailed: 0 };
    expect(await readJobDays(store, daysUntil(NOW, 3))).toEqual([
      none,
      { completed: 1, failed: 1, cancelled: 0, rowsAnswered: 9, rowsFailed: 2 },
      { ...none, cancelled: 1 },
    ]);
  });
});
