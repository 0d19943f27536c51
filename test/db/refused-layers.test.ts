/** A register whose reading a guard refused is not believed live either: the old copy answers, or nobody. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { Store } from '../../src/db/connect.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { LayerId, LineKey } from '../../src/layers/keys.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import type { FaultRule } from '../../sample/fault-plan.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { openAway, openTestStore } from '../support/store.ts';
import { opened } from '../support/opened.ts';

const DAY_MS = 86_400_000;
const { signal } = new AbortController();
const forest = samplePoint('forest');
const place = pointFromUtm32(forest.utm32);
const code = forest.areas.kommune[0]!;

const bench = await opened(openMemoryBench());
let memory: LayerLoader;
let directory: string;
let away: Store;
let unmirrored: Store & { close(): Promise<void> };
let days = 0;
const turnTo = (day: number) => {
  bench.advance((day - days) * DAY_MS);
  days = day;
};

beforeAll(async () => {
  directory = bench.newDirectory();
  memory = bench.memoryIn(directory);
  await memory.refresh();
  away = await openAway(bench.store);
  unmirrored = await openTestStore({ purpose: 'sync' });
}, 300_000);
afterAll(() => Promise.all([away.close(), unmirrored.close()]));

/** The fault stays on while lookups ask; the layer is as it was afterwards. */
const spoil = (...rules: FaultRule[]) => bench.upstream.faults.set(rules);
/** Everything is somewhere else, and its windows are whole. */
function moveForests(): void {
  const { holdings } = bench.upstream;
  for (const feature of holdings.features('skov')) {
    holdings.move('skov', keyOf('skov', feature)!, { east: 40_000, north: 0 });
  }
}
afterEach(async () => {
  bench.upstream.faults.clear();
  bench.upstream.holdings.restore('skov');
  turnTo(0);
  for (const layer of ['skov', 'kirke', 'kommune'] as const) {
    expect(await bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS })).toMatchObject({
      state: expect.stringMatching(/^(published|unchanged)$/) as string,
    });
  }
  await memory.refresh();
});

async function refused(layer: LayerId, guard: string): Promise<void> {
  // The canary is asked of nothing that another guard has refused already.
  const liftedGuards = guard === 'canary' ? ['change-share'] : [];
  const outcome = await bench.sync(layer, { liftedGuards });
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

async function askKommune(snapshots: LayerLoader | null, store?: Store): Promise<string[]> {
  const { areas, reverseAreas } = bench.lookups(snapshots, store);
  const [around] = (await reverseAreas.at([place], { signal })).value;
  const [named] = (await areas.find('kommune', [code], { signal })).value;
  return [
    around instanceof Failure
      ? around.type
      : around!.areas.flatMap((area) => (area.theme === 'kommune' ? [area.code] : [])).join(),
    named instanceof Failure ? named.type : `${named!.name} ${named!.provenance.rung}`,
  ];
}

describe.each(['memory', 'the store'])('with the copy in %s', (where) => {
  const rungs = () => (where === 'memory' ? memory : null);

  // What each guard refuses is played by test/faults/matrix.test.ts (matrix-refused.ts).
  test('a refused line is answered by its copy, then by nobody', async () => {
    moveForests();
    await refused('skov', 'canary');
    await memory.refresh();
    turnTo(3);
    expect(await askLine('skov', rungs())).toBe('true, stale');
    expect(bench.expired).toContain('skov');
    turnTo(31);
    expect(await askLine('skov', rungs())).toBe('unavailable');
  });

  test('a theme is, too, by point and by code', async () => {
    spoil({ fault: 'rescaled', layer: 'kommune', value: 50, share: 1 });
    await refused('kommune', 'area-drop');
    await memory.refresh();
    turnTo(10);
    expect(await askKommune(rungs())).toEqual([code, expect.stringContaining('stale')]);
    turnTo(31);
    expect(await askKommune(rungs())).toEqual([
      'upstream_unavailable',
      expect.stringContaining('stale'),
    ]);
  });

  test('a register without a column that answers depend on is not believed, seen by a run or not', async () => {
    turnTo(3);
    spoil({ fault: 'missing-column', layer: 'skov', attribute: 'Systid_til' });
    expect(await askLine('skov', rungs())).toBe('true, stale');
    turnTo(0);
    // An operator has let it through once: the copy is theirs, the register's word is no better.
    expect(await bench.sync('skov', { liftedGuards: LIFTABLE_GUARDS })).toMatchObject({
      state: 'published',
    });
    await memory.refresh();
    turnTo(3);
    expect(await askLine('skov', rungs())).toBe('true, stale');
  });

  test('a register that lost more rows than a run may bring is not believed, before any run has seen it', async () => {
    turnTo(3);
    expect(await askLine('skov', rungs())).toBe('true, origin');
    spoil({ fault: 'sudden-drop', layer: 'skov', share: 0.72, seed: 1 });
    expect(await askLine('skov', rungs())).toBe('true, stale');
    turnTo(31);
    expect(await askLine('skov', rungs())).toBe('unavailable');
  });
});

test('a failed run is no refusal, and does not end one', async () => {
  spoil({ fault: 'down', layer: 'kirke' });
  expect(await bench.sync('kirke')).toMatchObject({ state: 'failed' });
  bench.upstream.faults.clear();
  turnTo(3);
  expect(await askLine('kirke', null)).toContain('origin');
  turnTo(0);
  moveForests();
  await refused('skov', 'canary');
  spoil({ fault: 'down', layer: 'skov' });
  expect(await bench.sync('skov')).toMatchObject({ state: 'failed' });
  bench.upstream.faults.clear();
  turnTo(3);
  expect(await askLine('skov', null)).toBe('true, stale');
});

test('a dry run leaves nothing behind, and a run that passes or is released ends a refusal', async () => {
  spoil({ fault: 'missing-column', layer: 'skov', attribute: 'CVR_navn' });
  expect(await bench.sync('skov', { dryRun: true })).toMatchObject({ state: 'refused' });
  turnTo(3);
  expect(await askLine('skov', null)).toBe('true, origin');
  turnTo(0);
  await refused('skov', 'schema');
  expect(await bench.sync('skov', { liftedGuards: LIFTABLE_GUARDS })).toMatchObject({
    state: 'published',
  });
  turnTo(3);
  expect(await askLine('skov', null)).toBe('true, origin');
});

test('a refusal is known while the store is away, and after a start without it', async () => {
  moveForests();
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
  expect(await syncLayer(first, 'skov', { trigger: 'command' })).toMatchObject({
    state: 'published',
  });
  turnTo(3);
  expect(await askLine('skov', null, unmirrored)).toBe('true, origin');
});
