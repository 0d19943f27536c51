/**
 * What a run leaves: how changed rows are called, pieces and regions of areas (zones of lines: test/db/lines-zones.test.ts),
 * what is written down of repairs, and a line of the log where it did not publish.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '../../sample/holdings.ts';
import { SyncQueue } from '../../sync/queue.ts';
import { keptLog } from '../support/log.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';
import { openSyncBench } from '../support/sync-bench.ts';

const bench = await opened(openSyncBench());
const { faults, holdings } = bench.upstream;
for (const layer of ['natur', 'dige', 'skov'] as const) {
  expect((await bench.sync(layer)).state).toBe('published');
}
beforeEach(() => {
  faults.clear();
  holdings.restore();
});

async function query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
  const { rows } = await bench.store.pool.query(text, [...values]);
  return rows as R[];
}

describe('geometry', () => {
  test('that crosses itself is repaired, kept, and written down with its change of area', async () => {
    faults.set([{ fault: 'invalid-geometry', layer: 'skov', share: 0.05 }]);
    const outcome = await bench.sync('skov');
    if (outcome.state !== 'published') throw new Error(told(outcome));
    expect(outcome.counts.repaired).toBeGreaterThan(0);
    const issues = await query<{ detail: string }>(
      "select detail from sync_issue where run_id = $1 and kind = 'repaired'",
      [outcome.runId],
    );
    expect(issues).toHaveLength(outcome.counts.repaired);
    expect(issues[0]?.detail).toMatch(/Self-intersection.*changed the area by -?\d+\.\d{3} m²/);
    const invalid = `select from line_feature where layer = 'skov'
       and not (ST_IsValid(geom) and GeometryType(geom) = 'MULTIPOLYGON')`;
    expect(await query(invalid)).toEqual([]);
    const lines =
      "select distinct GeometryType(geom) as type, area_m2 from line_feature where layer = 'dige'";
    expect(await query(lines)).toEqual([{ type: 'MULTILINESTRING', area_m2: null }]);
  });
});

test('words with bytes that no column takes end a run all the same, and an issue is kept', async () => {
  faults.set([{ fault: 'garbled-body', layer: 'dige', value: 40, seed: 215516 }]);
  expect(told(await bench.sync('dige'))).toMatch(/failed in fetch/);
  faults.clear();
  const [first = '', second = ''] = holdings
    .features('dige')
    .map((each) => keyOf('dige', each) ?? '');
  holdings.assign('dige', first, { Off_kode: 'a\u0000\ud800' });
  holdings.assign('dige', second, { CVR_navn: 'b\u0000', Link: '\ud800' });
  expect(told(await bench.sync('dige'))).toBe('refused: schema');
  const rows = await query<Record<string, string>>(
    'select state, detail from sync_run r left join sync_issue i on i.run_id = r.id order by r.id',
  );
  expect(rows.at(-1)).toEqual({
    state: 'refused',
    detail: 'Off_kode is no known code: a\uFFFD\uFFFD',
  });
  expect(rows.filter(({ state }) => state === 'running')).toEqual([]);
});

describe('a changed row', () => {
  const keysOf = async (layer: string) =>
    (
      await query<{ key: string }>('select key from line_feature where layer = $1 order by key', [
        layer,
      ])
    ).map(({ key }) => key);

  test('is an attribute, drawn anew in its place, or really another shape', async () => {
    const [told = '', nudged = '', both = '', moved = '', gone = ''] = await keysOf('natur');
    holdings.assign('natur', told, { CVR_navn: 'Anden Kommune' });
    holdings.move('natur', nudged, { east: 0.2, north: -0.2 });
    holdings.move('natur', both, { east: 0.1, north: 0 });
    holdings.assign('natur', both, { CVR_navn: 'Anden Kommune' });
    holdings.move('natur', moved, { east: 0.6, north: 0 });
    holdings.remove('natur', gone);
    const outcome = await bench.sync('natur');
    const changes = { attribute: 1, redigitised: 2, real: 1, unclassed: 0 };
    const counts = { inserted: 0, removed: 1, changed: 4, changes };
    expect(outcome).toMatchObject({ state: 'published', counts });
    const [run] = await query<{ counts: object }>(
      'select counts from sync_run order by id desc limit 1',
    );
    expect(run?.counts).toMatchObject(counts);
    // Asked again, an unchanged source has none to class.
    expect(await bench.sync('natur')).toMatchObject({
      state: 'unchanged',
      counts: { changes: { attribute: 0, redigitised: 0, real: 0, unclassed: 0 } },
    });
  });

  test('of a line is classed by the distance between the two alone', async () => {
    const [nudged = '', moved = ''] = await keysOf('dige');
    holdings.move('dige', nudged, { east: 0, north: 0.4 });
    holdings.move('dige', moved, { east: 0, north: 4 });
    expect(await bench.sync('dige')).toMatchObject({
      counts: { changes: { attribute: 0, redigitised: 1, real: 1, unclassed: 0 } },
    });
  });
});

describe('the areas', () => {
  const regions = () =>
    query<{ region_code: string | null }>(
      "select distinct region_code from area where theme = 'kommune'",
    );

  test('have pieces that cover them, and no region before the regions are there', async () => {
    expect((await bench.sync('kommune')).state).toBe('published');
    const [worst] = await query<{ off: number }>(
      `select max(abs(ST_Area(a.geom) - (
         select sum(ST_Area(p.geom)) from area_piece p where p.theme = a.theme and p.key = a.key)))
         as off
       from area a where a.theme = 'kommune'`,
    );
    expect(worst?.off).toBeLessThan(0.01);
    expect(await regions()).toEqual([{ region_code: null }]);
  });

  test('get their region when the regions are published', async () => {
    expect((await bench.sync('region')).state).toBe('published');
    const codes = (await regions()).map(({ region_code: code }) => code);
    expect(codes).not.toContain(null);
    expect(codes.length).toBeGreaterThan(1);
    // By the whole areas, and without the pieces and the short cuts among them.
    const wrong = await query(
      `select a.theme, a.key from area a
       where a.theme <> 'region' and a.region_code is distinct from (
         select r.code from area r where r.theme = 'region' and ST_Intersects(r.geom, a.geom)
         order by ST_Area(ST_Intersection(r.geom, a.geom)) desc, r.code limit 1)`,
    );
    expect(wrong).toEqual([]);
  });

  test('keep region and pieces when only a name changes, for that area and the others', async () => {
    const before = await query('select key, region_code from area order by theme, key');
    const [first] = await query<{ key: string }>(
      "select key from area where theme = 'kommune' order by key limit 1",
    );
    holdings.assign('kommune', first?.key ?? '', { navn: 'Nynavn' });
    expect(await bench.sync('kommune')).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 0 },
    });
    expect(await query('select key, region_code from area order by theme, key')).toEqual(before);
    const bare = await query(
      `select from area a where not exists (
         select from area_piece p where p.theme = a.theme and p.key = a.key)`,
    );
    expect(bare).toEqual([]);
  });
});

/** A run of a night as the service has it; the lines at `error`. */
async function night(): Promise<ReturnType<typeof keptLog>['lines']> {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  expect(queue.request('skov', 'schedule')).toBe('queued');
  await queue.idle();
  return log.lines.filter(({ level }) => level === 'error');
}

test('a refused run names its guard, the numbers and the other guards', async () => {
  faults.set([{ fault: 'sudden-drop', layer: 'skov' }]);
  const [line, ...more] = await night();
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'check',
    trigger: 'schedule',
    guard: expect.stringMatching(/^(min-rows|row-drop)$/) as string,
  });
  const { guard, numbers, others } = line?.fields ?? {};
  expect(Object.values(numbers as object).every((value) => typeof value === 'number')).toBe(true);
  expect((others as { guard: string }[]).map((other) => other.guard)).toContain('area-drop');
  expect(line?.message).toMatch(
    new RegExp(`^sync of skov refused by ${String(guard)}; the old copy stays: .+`),
  );
});

test('a failed run names its phase and the cause', async () => {
  faults.set([{ fault: 'http-500', layer: 'skov' }]);
  const [line, ...more] = await night();
  expect(more).toEqual([]);
  expect(line?.fields).toMatchObject({
    layer: 'skov',
    run: expect.stringMatching(/./) as string,
    phase: 'fetch',
    trigger: 'schedule',
    reason: expect.stringContaining('500') as string,
    err: expect.any(Error) as Error,
  });
  expect(line?.message).toMatch(/^sync of skov failed in fetch: .*500/);
});

test('a run that was stopped is told, and is no error', async () => {
  const log = keptLog();
  const queue = new SyncQueue({ ...bench.deps, log }, 1);
  faults.set([{ fault: 'http-503', layer: 'skov' }]);
  queue.request('skov', 'schedule');
  await queue.stop();
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect(log.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^sync of skov stopped in \w+: The service was stopped\.$/),
  );
});
