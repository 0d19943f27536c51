/** What an upstream can do wrong, through the whole path: refused or failed, never published. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../sample/holdings.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openSyncBench());
beforeAll(async () => {
  await bench.sync('dige');
  await bench.sync('klitfredning');
});
beforeEach(() => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
});

describe('a feature that is in the copy is not lost when', () => {
  const keyWhere = async (standing: string): Promise<string> => {
    const { rows } = await bench.store.pool.query<{ key: string }>(
      "select key from line_feature where layer = 'dige' and standing = $1 order by key limit 1",
      [standing],
    );
    return rows[0]!.key;
  };
  const withoutGeometry = (key: string) => {
    bench.upstream.holdings.edit('dige', (features) =>
      features.map((feature) =>
        feature.properties['Objekt_id'] === key ? { ...feature, geometry: null } : feature,
      ),
    );
  };

  const unread = async (): Promise<readonly { key: string | null; box: unknown }[]> => {
    const { rows } = await bench.store.pool.query<{ unread: { key: string; box: number[] }[] }>(
      "select unread from layer_state where layer = 'dige'",
    );
    return (rows[0]?.unread ?? []).map(({ key, box }) => ({ key, box }));
  };
  const boxOf = async (key: string): Promise<number[]> => {
    const { rows } = await bench.store.pool.query<{ box: number[] }>(
      `select array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)] as box
       from line_feature where layer = 'dige' and key = $1`,
      [key],
    );
    return rows[0]!.box;
  };

  test.each(['in_force', 'repealed'])('one %s comes without a geometry', async (standing) => {
    const key = await keyWhere(standing);
    const [west, south, east, north] = await boxOf(key);
    withoutGeometry(key);
    expect(told(await bench.sync('dige'))).toBe('published');
    const near = (m: number) => expect.closeTo(m, 1) as unknown;
    expect(await unread()).toEqual([
      { key, box: [near(west!), near(south!), near(east!), near(north!)] },
    ]);
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
    expect(await unread()).toEqual([]);
  });

  test('one comes without its key, and another is really gone', async () => {
    bench.upstream.holdings.assign('dige', await keyWhere('in_force'), { Objekt_id: null });
    bench.upstream.holdings.remove('dige', await keyWhere('repealed'));
    const outcome = await bench.sync('dige');
    expect(told(outcome)).toBe('published');
    expect(outcome).toMatchObject({ counts: { unplaced: 0, removed: 2 } });
    // Which of the two that are missing it is, nobody can say: where it lies is read all the same.
    expect(await unread()).toMatchObject([
      {
        key: null,
        box: [expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)],
      },
    ]);
    bench.upstream.holdings.restore();
    expect(told(await bench.sync('dige'))).toBe('published');
  });
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
