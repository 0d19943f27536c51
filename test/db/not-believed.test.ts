/**
 * What is not believed: a register whose reading a guard refused is not asked live either, and neither is the one
 * whose reading an operator took back. The old copy answers until its hard limit, then there is no answer.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ReverseAreasAnswer } from '../../src/answers/answer.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { Store } from '../../src/db/connect.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { THEMES } from '../../src/layers/keys.ts';
import type { LayerId, LineKey } from '../../src/layers/keys.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import type { SyncOptions } from '../../sync/run.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { openAway, openTestStore } from '../support/store.ts';
import { opened } from '../support/opened.ts';
import { told } from '../support/run-outcome.ts';

const DAY_MS = 86_400_000;
const { signal } = new AbortController();
const forest = samplePoint('forest');
const place = pointFromUtm32(forest.utm32);
const code = forest.areas.kommune[0]!;

const bench = await opened(openMemoryBench());
const directory = bench.newDirectory();
const memory = bench.memoryIn(directory);
const away = await opened(openAway(bench.store));
const unmirrored = await opened(openTestStore({ purpose: 'sync' }));
beforeAll(() => memory.refresh());
let days = 0;
const turnTo = (day: number) => {
  bench.advance((day - days) * DAY_MS);
  days = day;
};

/** Everything is somewhere else, and its windows are whole. */
function moveAll(layer: 'skov' | 'kommune'): void {
  const { holdings } = bench.upstream;
  for (const feature of holdings.features(layer)) {
    holdings.move(layer, keyOf(layer, feature)!, { east: 40_000, north: 0 });
  }
}

/** The fault stays on while lookups ask; the layer is as it was afterwards. */
const spoil = (...rules: FaultRule[]) => bench.upstream.faults.set(rules);
const synced = new Set<LayerId>();
function sync(layer: LayerId, options: Partial<SyncOptions> = {}) {
  synced.add(layer);
  return bench.sync(layer, options);
}

async function mend(): Promise<void> {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore();
  turnTo(0);
  for (const layer of synced) {
    expect(await bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS })).toMatchObject({
      state: expect.stringMatching(/^(published|unchanged)$/) as string,
    });
  }
  synced.clear();
  await memory.refresh();
}

async function refused(layer: LayerId, guard: string): Promise<void> {
  // The canary is asked of nothing that another guard has refused already.
  const liftedGuards = guard === 'canary' ? ['change-share'] : [];
  const outcome = await sync(layer, { liftedGuards });
  expect(outcome).toMatchObject({ state: 'refused' });
  const guards = outcome.state === 'refused' ? outcome.refusals.map((each) => each.guard) : [];
  expect(guards).toContain(guard);
}

async function askLine(
  line: LineKey,
  snapshots: LayerLoader | null,
  store?: Store,
): Promise<string> {
  const { buildingLines } = bench.lookups(snapshots, store);
  const { value } = await buildingLines.at([place], [line], { signal });
  const answer = value[0]!.lines[0]!;
  return answer.status === 'ok' ? `${answer.within}, ${answer.provenance.rung}` : answer.status;
}

/** What a service says of the two layers at the point, and from which rung: in one line each. */
async function ask(snapshots: LayerLoader | null, store?: Store) {
  const lookups = bench.lookups(snapshots, store);
  const lines = await lookups.buildingLines.at([place], ['skov'], { signal });
  const [around] = (await lookups.reverseAreas.at([place], { signal })).value;
  const [named] = (await lookups.areas.find('kommune', [code], { signal })).value;
  const skov = lines.value[0]!.lines[0]!;
  return {
    skov: skov.status === 'ok' ? `${skov.within}, ${skov.provenance.rung}` : skov.status,
    around: around instanceof Failure ? around.type : kommuneOf(around!),
    named:
      named instanceof Failure
        ? named.type
        : `${named!.geometry === null ? 'name' : 'geometry'}, ${named!.provenance.rung}`,
  };
}

function kommuneOf({ areas, provenance }: ReverseAreasAnswer): string {
  const codes = areas.filter(({ theme }) => theme === 'kommune').map((area) => area.code);
  return `${codes.join()}, ${provenance[THEMES.indexOf('kommune')]!.rung}`;
}

describe('a register that a guard refused', () => {
  afterEach(mend);

  // What each guard refuses, with the copy in the store: test/faults/matrix.test.ts (matrix-refused.ts).
  test('a refused line is answered by its copy, then by nobody', async () => {
    moveAll('skov');
    await refused('skov', 'canary');
    await memory.refresh();
    turnTo(3);
    expect(await askLine('skov', memory)).toBe('true, stale');
    expect(bench.expired).toContain('skov');
    turnTo(31);
    expect(await askLine('skov', memory)).toBe('unavailable');
  });

  test('a theme is, too, by point and by code', async () => {
    spoil({ fault: 'rescaled', layer: 'kommune', value: 50, share: 1 });
    await refused('kommune', 'area-drop');
    await memory.refresh();
    turnTo(10);
    expect(await ask(memory)).toMatchObject({ around: `${code}, stale`, named: 'geometry, stale' });
    turnTo(31);
    const expected = { around: 'upstream_unavailable', named: 'name, stale' };
    expect(await ask(memory)).toMatchObject(expected);
  });

  test('a register without a column that answers depend on is not believed, seen by a run or not', async () => {
    turnTo(3);
    spoil({ fault: 'missing-column', layer: 'skov', attribute: 'Systid_til' });
    expect(await askLine('skov', memory)).toBe('true, stale');
    turnTo(0);
    // An operator has let it through once: the copy is theirs, the register's word is no better.
    expect(told(await sync('skov', { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
    await memory.refresh();
    turnTo(3);
    expect(await askLine('skov', memory)).toBe('true, stale');
  });

  test('a register that lost more rows than a run may bring is not believed, before any run has seen it', async () => {
    turnTo(3);
    expect(await askLine('skov', memory)).toBe('true, origin');
    spoil({ fault: 'sudden-drop', layer: 'skov', share: 0.72, seed: 1 });
    expect(await askLine('skov', memory)).toBe('true, stale');
    turnTo(31);
    expect(await askLine('skov', memory)).toBe('unavailable');
  });

  test('a failed run is no refusal, and does not end one', async () => {
    spoil({ fault: 'down', layer: 'kirke' });
    expect(await sync('kirke')).toMatchObject({ state: 'failed' });
    bench.upstream.faults.clear();
    turnTo(3);
    expect(await askLine('kirke', null)).toContain('origin');
    turnTo(0);
    moveAll('skov');
    await refused('skov', 'canary');
    spoil({ fault: 'down', layer: 'skov' });
    expect(await sync('skov')).toMatchObject({ state: 'failed' });
    bench.upstream.faults.clear();
    turnTo(3);
    expect(await askLine('skov', null)).toBe('true, stale');
  });

  test('a dry run leaves nothing behind, and a run that passes or is released ends a refusal', async () => {
    spoil({ fault: 'missing-column', layer: 'skov', attribute: 'CVR_navn' });
    expect(await sync('skov', { dryRun: true })).toMatchObject({ state: 'refused' });
    turnTo(3);
    expect(await askLine('skov', null)).toBe('true, origin');
    turnTo(0);
    await refused('skov', 'schema');
    expect(told(await sync('skov', { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
    turnTo(3);
    expect(await askLine('skov', null)).toBe('true, origin');
  });

  test('a refusal is known while the store is away, and after a start without it', async () => {
    moveAll('skov');
    await refused('skov', 'canary');
    await memory.refresh();
    turnTo(3);
    expect(await askLine('skov', memory, away)).toBe('true, stale');
    const later = bench.memoryIn(directory, { store: away });
    later.start();
    await expect.poll(() => later.current).not.toBeNull();
    await later.stop();
    expect(await askLine('skov', later, away)).toBe('true, stale');
    // Its snapshot is out of service: nobody measures, and the register is still not asked.
    memory.suspend('skov', memory.current!.layers.get('skov')!.snapshot.buffer);
    expect(await askLine('skov', memory, away)).toBe('unavailable');
  });

  test('a layer that was refused before it was ever mirrored is answered by nobody', async () => {
    const first = { ...bench.deps, store: unmirrored };
    expect(await askLine('skov', null, unmirrored)).toBe('true, origin');
    spoil({ fault: 'null-geometry', layer: 'skov', share: 0.3, seed: 4 });
    expect(await syncLayer(first, 'skov', { trigger: 'command' })).toMatchObject({
      state: 'refused',
    });
    bench.upstream.faults.clear();
    expect(await askLine('skov', null, unmirrored)).toBe('unavailable');
    const empty = bench.memoryIn(bench.newDirectory(), { store: unmirrored });
    await empty.refresh();
    expect(await askLine('skov', empty, away)).toBe('unavailable');
    expect(told(await syncLayer(first, 'skov', { trigger: 'command' }))).toBe('published');
    turnTo(3);
    expect(await askLine('skov', null, unmirrored)).toBe('true, origin');
  });
});

describe('a layer that an operator put back', () => {
  beforeAll(async () => {
    for (const layer of ['skov', 'kommune'] as const) {
      moveAll(layer);
      expect(told(await bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS }))).toBe('published');
      expect((await revertLayer(bench.deps, layer, { by: 'Ida' })).state).toBe('published');
    }
    await memory.refresh();
    bench.expired.splice(0);
  });

  describe.each([
    ['memory', 'snapshot'],
    ['the store', 'store'],
  ] as const)('a held layer in %s', (where, rung) => {
    const rungs = () => (where === 'memory' ? memory : null);

    test('answers as any copy within its limit', async () => {
      turnTo(1);
      expect(await ask(rungs())).toEqual({
        skov: `true, ${rung}`,
        around: `${code}, ${rung}`,
        named: 'geometry, store',
      });
    });

    test('says past its limit that it is old, and neither register nor sync is asked', async () => {
      turnTo(10);
      expect(await ask(rungs())).toEqual({
        skov: 'true, stale',
        around: `${code}, stale`,
        named: 'geometry, stale',
      });
      expect(bench.expired).not.toContain('skov');
      expect(bench.expired).not.toContain('kommune');
      const app = await bench.edge(rungs());
      const { lon, lat } = forest.wgs84;
      const { headers } = await app.inject(`/v1/natur/skovbyggelinje?lon=${lon}&lat=${lat}`);
      expect(headers).toMatchObject({ 'x-service-stale': 'true', 'x-service-stale-lines': 'skov' });
      await app.close();
    });

    test('is unavailable past the hard limit: neither the old content nor the rejected', async () => {
      turnTo(31);
      expect(await ask(rungs())).toEqual({
        skov: 'unavailable',
        around: 'upstream_unavailable',
        named: 'name, stale',
      });
      turnTo(0);
    });
  });

  test('what memory knows of a hold counts while the store is away, and after a start without it', async () => {
    turnTo(10);
    const later = bench.memoryIn(directory, { store: away });
    later.start();
    await expect.poll(() => later.current).not.toBeNull();
    await later.stop();
    const expected = { skov: 'true, stale', around: `${code}, stale`, named: 'geometry, stale' };
    expect(await ask(memory, away)).toEqual(expected);
    expect(await ask(later, away)).toEqual(expected);
    // A line that is out of service is asked of its register; the held one is still answered by its copy.
    memory.suspend('aa', memory.current!.layers.get('aa')!.snapshot.buffer);
    const { value } = await bench
      .lookups(memory, away)
      .buildingLines.at([place], ['aa', 'skov'], { signal });
    expect(value[0]!.lines).toMatchObject([
      { status: 'ok', provenance: { rung: 'origin' } },
      { status: 'ok', provenance: { rung: 'stale' }, within: true },
    ]);
  });

  test('without the hold the register is asked, and what was rejected is back', async () => {
    turnTo(10);
    await bench.store.pool.query('update layer_state set held_since = null, held_by = null');
    const expected = { skov: 'false, origin', around: ', origin', named: 'geometry, origin' };
    expect(await ask(null)).toEqual(expected);
    expect(bench.expired).toContain('skov');
    expect(bench.expired).toContain('kommune');
    await memory.refresh();
    expect(await ask(memory)).toEqual(expected);
  });
});
