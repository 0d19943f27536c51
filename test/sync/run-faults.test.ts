/**
 * What is written down of shapes that are repaired and of words that no column takes. What is not lost of features that
 * cannot be read: test/store-contract/unreadable-features.test.ts.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../sample/holdings.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
beforeAll(async () => {
  await bench.sync('dige');
});
beforeEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
});

describe('geometry', () => {
  test('that crosses itself is repaired, kept, and written down with its change of area', async () => {
    bench.upstream.faults.set([{ fault: 'invalid-geometry', layer: 'skov', share: 0.05 }]);
    const outcome = await bench.sync('skov');
    if (outcome.state !== 'published') throw new Error(told(outcome));
    expect(outcome.counts.repaired).toBeGreaterThan(0);
    const { rows } = await bench.store.pool.query<{ detail: string }>(
      "select detail from sync_issue where run_id = $1 and kind = 'repaired'",
      [outcome.runId],
    );
    expect(rows).toHaveLength(outcome.counts.repaired);
    expect(rows[0]?.detail).toMatch(/Self-intersection.*changed the area by -?\d+\.\d{3} m²/);
    const invalid = await bench.store.pool.query(
      `select from line_feature where layer = 'skov'
         and not (ST_IsValid(geom) and GeometryType(geom) = 'MULTIPOLYGON')`,
    );
    expect(invalid.rows).toEqual([]);
  });

  test('of the line layers is stored as lines without area', async () => {
    const { rows } = await bench.store.pool.query(
      "select distinct GeometryType(geom) as type, area_m2 from line_feature where layer = 'dige'",
    );
    expect(rows).toEqual([{ type: 'MULTILINESTRING', area_m2: null }]);
  });
});

test('words with bytes that no column takes end a run all the same, and an issue is kept', async () => {
  bench.upstream.faults.set([{ fault: 'garbled-body', layer: 'dige', value: 40, seed: 215516 }]);
  expect(told(await bench.sync('dige'))).toMatch(/failed in fetch/);
  bench.upstream.faults.clear();
  const [first, second] = bench.upstream.holdings.features('dige');
  const keys = [first, second].map((feature) => feature && keyOf('dige', feature));
  bench.upstream.holdings.assign('dige', keys[0]!, { Off_kode: 'a\u0000\ud800' });
  bench.upstream.holdings.assign('dige', keys[1]!, { CVR_navn: 'b\u0000', Link: '\ud800' });
  const outcome = await bench.sync('dige');
  expect(told(outcome)).toBe('refused: schema');
  const { rows } = await bench.store.pool.query<Record<string, string>>(
    'select state, detail from sync_run r left join sync_issue i on i.run_id = r.id order by r.id',
  );
  expect(rows.at(-1)).toEqual({
    state: 'refused',
    detail: 'Off_kode is no known code: a\uFFFD\uFFFD',
  });
  expect(rows.filter(({ state }) => state === 'running')).toEqual([]);
});
