/** One layer's life: initial, unchanged, updated, moved, emptied, broken, mended. */
import { describe, expect, test } from 'vitest';
import type { RunOutcome } from '../../sync/deps.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());

async function query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
  const { rows } = await bench.store.pool.query(text, [...values]);
  return rows as R[];
}

/** Everything readers can see of a layer, and the physical place of each row. */
async function mirror(layer: string) {
  return query<{ key: string; place: string; hash: string; wkt: string }>(
    `select key, ctid::text as place, encode(content_hash, 'hex') as hash, ST_AsText(geom) as wkt
     from line_feature where layer = $1 order by key`,
    [layer],
  );
}

async function state(layer: string) {
  const [row] = await query<{
    version: number;
    generation: number;
    synced_at: Date;
    published_at: Date;
    row_count: number;
    area_m2: number;
  }>('select * from layer_state where layer = $1', [layer]);
  return row;
}

async function lastRun(layer: string) {
  const [row] = await query<Record<string, unknown>>(
    'select * from sync_run where layer = $1 order by id desc limit 1',
    [layer],
  );
  return row;
}

const stageRows = () => query('select from stage_feature');

const endOf = (outcome: RunOutcome) =>
  outcome.state === 'failed' ? `${outcome.phase}: ${outcome.reason}` : outcome.state;

const content = ({ key, hash }: { key: string; hash: string }) => `${key} ${hash}`;

describe('a layer', () => {
  let initial: string[] = [];

  test('is mirrored whole at first', async () => {
    const outcome = await bench.sync('soe');
    expect(endOf(outcome)).toBe('published');
    const rows = await mirror('soe');
    initial = rows.map(content);
    expect(rows.length).toBeGreaterThan(40);
    expect(await state('soe')).toMatchObject({ version: 1, generation: 1, row_count: rows.length });
    expect(bench.published).toEqual([
      { layer: 'soe', version: 1, generation: 1, rowCount: rows.length },
    ]);
    expect(await lastRun('soe')).toMatchObject({ state: 'published', version: 1, error: null });
    expect(await stageRows()).toEqual([]);
  });

  test('costs nothing when the source is unchanged: only the moment it was proved moves', async () => {
    const before = { rows: await mirror('soe'), state: await state('soe') };
    bench.advance(60_000);
    expect(endOf(await bench.sync('soe'))).toBe('unchanged');
    const after = { rows: await mirror('soe'), state: await state('soe') };
    expect(after.rows).toEqual(before.rows);
    expect(after.state).toMatchObject({ version: 1, generation: 1 });
    expect(after.state?.published_at).toEqual(before.state?.published_at);
    expect(after.state?.synced_at.getTime()).toBeGreaterThanOrEqual(
      (before.state?.synced_at.getTime() ?? 0) + 60_000,
    );
    expect(bench.published).toHaveLength(1);
    expect(await stageRows()).toEqual([]);
  });

  test('takes one changed attribute as one changed row and leaves the others where they are', async () => {
    const [row] = await query<{ key: string }>(
      "select key from line_feature where layer = 'soe' and standing = 'in_force' limit 1",
    );
    const key = row?.key ?? '';
    const before = await mirror('soe');
    bench.upstream.holdings.assign('soe', key, { CVR_navn: 'Prøve Kommune' });
    const outcome = await bench.sync('soe');
    expect(outcome).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 0 },
      publication: { version: 2, generation: 2 },
    });
    const after = await mirror('soe');
    const moved = after.filter(({ place }, at) => place !== before[at]?.place);
    expect(moved.map((each) => each.key)).toEqual([key]);
  });

  test('takes a moved, a new and a vanished feature', async () => {
    const [moving = '', vanishing = ''] = (await mirror('soe')).map(({ key }) => key);
    const before = await mirror('soe');
    bench.upstream.holdings.move('soe', moving, { east: 7, north: 0 });
    bench.upstream.holdings.remove('soe', vanishing);
    bench.upstream.holdings.edit('soe', (features) => {
      const [first] = features;
      if (first === undefined) return features;
      const properties = { ...first.properties, Objekt_id: 'ffffffff-0000-4000-8000-000000000001' };
      return [...features, { ...first, properties }];
    });
    expect(await bench.sync('soe')).toMatchObject({
      state: 'published',
      counts: { inserted: 1, changed: 1, removed: 1 },
    });
    const after = await mirror('soe');
    expect(after.find(({ key }) => key === moving)?.wkt).not.toBe(before[0]?.wkt);
    expect(after.some(({ key }) => key === vanishing)).toBe(false);
    expect(after.length).toBe(before.length);
  });

  test('is refused when it comes empty, and keeps its version', async () => {
    const before = { rows: await mirror('soe'), state: await state('soe') };
    bench.upstream.holdings.empty('soe');
    expect(await bench.sync('soe')).toMatchObject({
      state: 'refused',
      refusals: [{ guard: 'empty', numbers: { rows: 0, lastGoodRows: before.rows.length } }],
    });
    expect(await mirror('soe')).toEqual(before.rows);
    expect(await state('soe')).toEqual(before.state);
    expect(await lastRun('soe')).toMatchObject({
      state: 'refused',
      phase: 'check',
      refusal: { guard: 'empty', numbers: { lastGoodRows: before.rows.length } },
    });
    expect(await stageRows()).toEqual([]);
  });

  test('is failed when a page is broken, with the phase and the reason, and keeps its version', async () => {
    bench.upstream.holdings.restore('soe');
    const before = { rows: await mirror('soe'), state: await state('soe') };
    bench.upstream.faults.set([{ fault: 'truncated-body', layer: 'soe', fromIndex: 1 }]);
    const outcome = await bench.sync('soe');
    expect(outcome).toMatchObject({ state: 'failed', phase: 'fetch' });
    expect(await mirror('soe')).toEqual(before.rows);
    expect(await state('soe')).toEqual(before.state);
    expect(await lastRun('soe')).toMatchObject({
      state: 'failed',
      phase: 'fetch',
      error: expect.stringContaining('cut off') as string,
    });
    expect(await stageRows()).toEqual([]);
  });

  test('is what it was at first once the source is mended', async () => {
    bench.upstream.faults.clear();
    expect(endOf(await bench.sync('soe'))).toBe('published');
    expect((await mirror('soe')).map(content)).toEqual(initial);
    expect(endOf(await bench.sync('soe'))).toBe('unchanged');
  });
});

describe('an operator', () => {
  test('can lift the guard that refused, once, and the run says so', async () => {
    bench.upstream.holdings.empty('kirke');
    expect(endOf(await bench.sync('kirke'))).toBe('refused');
    const lifted = await bench.sync('kirke', { liftedGuards: ['empty'] });
    expect(lifted).toMatchObject({ state: 'published', publication: { rowCount: 0 } });
    expect(await lastRun('kirke')).toMatchObject({ lifted_guards: ['empty'] });
    expect(endOf(await bench.sync('kirke'))).toBe('unchanged');
  });

  test('can try without publishing, and nothing is left of it', async () => {
    const runs = await query('select id from sync_run order by id');
    const outcome = await bench.sync('aa', { dryRun: true });
    expect(endOf(outcome)).toBe('would-publish');
    expect(outcome).toMatchObject({ counts: { changed: 0, removed: 0 } });
    expect(await state('aa')).toBeUndefined();
    expect(await mirror('aa')).toEqual([]);
    expect(await query('select id from sync_run order by id')).toEqual(runs);
    expect(await stageRows()).toEqual([]);
  });
});
