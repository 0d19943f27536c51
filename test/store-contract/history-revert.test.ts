/** The way back: reverting gives the version before, bit for bit, and holds it. */
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { readStatus } from '../../src/ops/freshness.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { keyOf } from '../../sample/holdings.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { startSync } from '../../sync/start.ts';
import { contentOf } from '../support/layer-content.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

/** Nights like these would be refused: here they are vouched for. */
const LIFTED = LIFTABLE_GUARDS;

const bench = await opened(openSyncBench());
afterEach(() => bench.upstream.holdings.restore());

const revert = (layer: LayerId, by = 'Prøve') => revertLayer(bench.deps, layer, { by });
const content = (layer: LayerId) => contentOf(bench.store, layer);
const publish = async (layer: LayerId) => {
  const outcome = await bench.sync(layer, { liftedGuards: LIFTED });
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
};

async function query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
  const { rows } = await bench.store.pool.query(text, [...values]);
  return rows as R[];
}

async function state(layer: LayerId) {
  const [row] = await query<{ version: number; synced_at: Date; held_by: string | null }>(
    'select version::integer, generation::integer, synced_at, held_by from layer_state where layer = $1',
    [layer],
  );
  return row;
}

/** One random night at the source: each feature stays, goes, moves or is told otherwise. */
const night = fc.array(fc.constantFrom('stay', 'stay', 'stay', 'go', 'move', 'tell'), {
  minLength: 40,
  maxLength: 40,
});

function happen(layer: LayerId, fates: readonly string[], nightNo: number): void {
  const keys: string[] = [];
  bench.upstream.holdings.edit(layer, (features) => {
    keys.push(...features.map((feature) => keyOf(layer, feature) ?? ''));
    return features;
  });
  for (const [at, key] of keys.entries()) {
    const fate = fates[at % fates.length];
    if (fate === 'go' && at % 3 === 0) bench.upstream.holdings.remove(layer, key);
    if (fate === 'move') bench.upstream.holdings.move(layer, key, { east: 3, north: nightNo });
    if (fate === 'tell') bench.upstream.holdings.assign(layer, key, { CVR_navn: `nat ${nightNo}` });
  }
}

describe('a revert', () => {
  test('has nothing to go back to before the second version, and leaves no trace', async () => {
    expect(await revert('soe')).toEqual({ layer: 'soe', state: 'nothing' });
    await publish('soe');
    expect(await revert('soe')).toEqual({ layer: 'soe', state: 'nothing' });
    expect(await query("select from sync_run where kind = 'revert'")).toEqual([]);
  });

  test('publishes the content before under a new version, as old as it is, and says who', async () => {
    const before = { content: await content('soe'), state: await state('soe') };
    bench.advance(3_600_000);
    bench.upstream.holdings.empty('soe');
    await publish('soe');
    const outcome = await revert('soe', 'Ida ved skrivebordet');
    expect(outcome).toMatchObject({
      state: 'published',
      publication: { layer: 'soe', version: 3, generation: 3 },
      counts: { changed: 0, removed: 0 },
    });
    expect(await content('soe')).toBe(before.content);
    expect(await state('soe')).toMatchObject({
      version: 3,
      synced_at: before.state?.synced_at,
      held_by: 'Ida ved skrivebordet',
    });
    expect(bench.published.at(-1)).toMatchObject({ layer: 'soe', version: 3 });
    const [run] = await query('select * from sync_run order by id desc limit 1');
    expect(run).toMatchObject({
      trigger: 'operator',
      kind: 'revert',
      state: 'published',
      asked_by: 'Ida ved skrivebordet',
    });
    expect(await query('select from stage_feature')).toEqual([]);
  });

  test('holds the layer: nothing syncs it by itself, and the status says so', async () => {
    bench.advance(3 * 86_400_000);
    const before = await state('soe');
    for (const trigger of ['schedule', 'start', 'expired'] as const) {
      expect(await bench.sync('soe', { trigger })).toMatchObject({
        state: 'held',
        by: 'Ida ved skrivebordet',
      });
    }
    const service = startSync(bench.deps);
    expect(await service.requestDue()).not.toContain('soe');
    await service.stop();
    expect(await state('soe')).toEqual(before);
    const { layers } = await readStatus(bench.store, bench.deps.catalogue, Date.now());
    expect(layers.find(({ layer }) => layer === 'soe')?.heldSince).toMatch(/^\d{4}-/);
    expect(layers.find(({ layer }) => layer === 'aa')?.heldSince).toBeNull();
  });

  test('is over when a person asks for a sync that ends well, not before', async () => {
    await bench.sync('soe', { dryRun: true });
    bench.upstream.holdings.empty('soe');
    expect(await bench.sync('soe', { trigger: 'operator' })).toMatchObject({ state: 'refused' });
    expect(await state('soe')).toMatchObject({ held_by: 'Ida ved skrivebordet' });
    bench.upstream.holdings.restore('soe');
    expect(await bench.sync('soe', { trigger: 'operator' })).toMatchObject({ state: 'unchanged' });
    expect(await state('soe')).toMatchObject({ held_by: null });
    expect(await bench.sync('soe', { trigger: 'schedule' })).toMatchObject({ state: 'unchanged' });
  });

  test('waits for nobody: a layer that is being synced is busy', async () => {
    await query(
      `insert into sync_run (layer, trigger, started_at, heartbeat_at)
       values ('soe', 'schedule', now(), now() + interval '9 days')`,
    );
    expect(await revert('soe')).toMatchObject({ state: 'busy' });
    await query("delete from sync_run where state = 'running'");
  });

  test('publishes nothing when the history does not add up', async () => {
    bench.upstream.holdings.empty('soe');
    await publish('soe');
    const before = { content: await content('soe'), state: await state('soe') };
    await query(
      "delete from feature_history where layer = 'soe' and ctid in (select ctid from feature_history order by version desc limit 1)",
    );
    expect(await revert('soe')).toMatchObject({
      state: 'failed',
      phase: 'diff',
      reason: expect.stringContaining('The history gives') as string,
    });
    expect({ content: await content('soe'), state: await state('soe') }).toEqual(before);
    expect(await query('select from stage_feature')).toEqual([]);
  });
});

describe('after any nights', () => {
  test('each revert goes one version back, to exactly what it was, as far as history is kept', async () => {
    await bench.sync('skov');
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 1, maxLength: 4 }), async (nights) => {
        const versions = [await content('skov')];
        for (const [at, fates] of nights.entries()) {
          bench.upstream.holdings.restore('skov');
          happen('skov', fates, at + 1);
          const { state: end } = await bench.sync('skov', { liftedGuards: LIFTED });
          if (end === 'published') versions.push(await content('skov'));
          else expect(end).toBe('unchanged');
        }
        for (let back = 1; back < versions.length; back += 1) {
          const outcome = await revert('skov');
          expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
          expect(await content('skov')).toBe(versions.at(-1 - back));
        }
      }),
      { numRuns: amountOf({ gate: 4, night: 8 }), endOnFailure: true },
    );
  });

  test('the areas come back with pieces and regions, also those of other themes', async () => {
    for (const layer of ['region', 'kommune', 'sogn'] as const) await bench.sync(layer);
    for (const layer of ['kommune', 'region'] as const) {
      const before = await content(layer);
      const codes = await query<{ key: string; code: string }>(
        'select key, code from area where theme = $1 order by key limit 2',
        [layer],
      );
      const [one, two] = codes;
      bench.upstream.holdings.move(layer, one?.key ?? '', { east: 900, north: 400 });
      bench.upstream.holdings.remove(layer, two?.key ?? '');
      await publish(layer);
      expect(await content(layer)).not.toBe(before);
      expect((await revert(layer)).state).toBe('published');
      expect(await content(layer)).toBe(before);
    }
  });
});

test('under load no reader fails or sees anything but one version or the other, whole', async () => {
  await bench.sync('strandbeskyttelse');
  const readers = await bench.store.another({ purpose: 'lookups' });
  const known = new Map([[1, await content('strandbeskyttelse')]]);
  const seen: { version: number; content: string }[] = [];
  let reading = true;
  const read = async () => {
    while (reading) {
      const client = await readers.pool.connect();
      try {
        await client.query('begin isolation level repeatable read read only');
        const { rows } = await client.query<{ version: number }>(
          "select version::integer from layer_state where layer = 'strandbeskyttelse'",
        );
        const now = await contentOf({ pool: client as never }, 'strandbeskyttelse');
        await client.query('commit');
        seen.push({ version: rows[0]?.version ?? 0, content: now });
      } finally {
        client.release();
      }
    }
  };
  const loops = [read(), read()];
  for (let turn = 0; turn < 3; turn += 1) {
    bench.upstream.holdings.restore('strandbeskyttelse');
    happen('strandbeskyttelse', ['move', 'stay', 'go', 'tell'], turn + 1);
    await publish('strandbeskyttelse');
    const bad = (await state('strandbeskyttelse'))?.version ?? 0;
    known.set(bad, await content('strandbeskyttelse'));
    expect((await revert('strandbeskyttelse')).state).toBe('published');
    known.set(bad + 1, known.get(1) ?? '');
  }
  reading = false;
  await Promise.all(loops);
  await readers.close();
  expect(seen.length).toBeGreaterThan(5);
  for (const { version, content: read } of seen) expect(read).toBe(known.get(version));
});
