/** What a changed row is called: by its shape, whatever else changed about it. */
import { beforeAll, expect, test } from 'vitest';
import { openSyncBench } from '../support/sync-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
let keys: readonly string[];
beforeAll(async () => {
  await bench.sync('natur');
  await bench.sync('dige');
  keys = await keysOf('natur');
});

async function keysOf(layer: string): Promise<readonly string[]> {
  const { rows } = await bench.store.pool.query<{ key: string }>(
    'select key from line_feature where layer = $1 order by key',
    [layer],
  );
  return rows.map(({ key }) => key);
}

test('a changed row is an attribute, drawn anew in its place, or really another shape', async () => {
  const [told = '', nudged = '', both = '', moved = '', gone = ''] = keys;
  const { holdings } = bench.upstream;
  holdings.assign('natur', told, { CVR_navn: 'Anden Kommune' });
  holdings.move('natur', nudged, { east: 0.2, north: -0.2 });
  holdings.move('natur', both, { east: 0.1, north: 0 });
  holdings.assign('natur', both, { CVR_navn: 'Anden Kommune' });
  holdings.move('natur', moved, { east: 0.6, north: 0 });
  holdings.remove('natur', gone);
  const outcome = await bench.sync('natur');
  const counts = {
    inserted: 0,
    removed: 1,
    changed: 4,
    changes: { attribute: 1, redigitised: 2, real: 1, unclassed: 0 },
  };
  expect(outcome).toMatchObject({ state: 'published', counts });
  const { rows } = await bench.store.pool.query<{ counts: object }>(
    'select counts from sync_run order by id desc limit 1',
  );
  expect(rows[0]?.counts).toMatchObject(counts);
});

test('lines are classed by the distance between them alone', async () => {
  const [nudged = '', moved = ''] = await keysOf('dige');
  bench.upstream.holdings.move('dige', nudged, { east: 0, north: 0.4 });
  bench.upstream.holdings.move('dige', moved, { east: 0, north: 4 });
  expect(await bench.sync('dige')).toMatchObject({
    counts: { changes: { attribute: 0, redigitised: 1, real: 1, unclassed: 0 } },
  });
});

test('an unchanged source has no changes to class', async () => {
  expect(await bench.sync('natur')).toMatchObject({
    state: 'unchanged',
    counts: { changes: { attribute: 0, redigitised: 0, real: 0, unclassed: 0 } },
  });
});
