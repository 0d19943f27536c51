/** What an operator put back answers until its hard limit, and its register is not asked meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import type { Store } from '../../src/db/connect.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { THEMES } from '../../src/layers/keys.ts';
import type { ReverseAreasAnswer } from '../../src/answers/answer.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { revertLayer } from '../../sync/revert.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { openAway } from '../support/store.ts';

const DAY_MS = 86_400_000;
const HELD = ['skov', 'kommune'] as const;
const { signal } = new AbortController();
const forest = samplePoint('forest');
const place = pointFromUtm32(forest.utm32);
const code = forest.areas.kommune[0]!;

const bench = await opened(openMemoryBench());
let memory: LayerLoader;
let directory: string;
let away: Store;

/** What the operator rejects: everything is somewhere else. */
function moveAll(layer: (typeof HELD)[number]): void {
  for (const feature of bench.upstream.holdings.features(layer)) {
    bench.upstream.holdings.move(layer, keyOf(layer, feature)!, { east: 40_000, north: 0 });
  }
}

beforeAll(async () => {
  for (const layer of HELD) {
    moveAll(layer);
    expect(await bench.sync(layer, { liftedGuards: LIFTABLE_GUARDS })).toMatchObject({
      state: 'published',
    });
    expect(await revertLayer(bench.deps, layer, { by: 'Ida' })).toMatchObject({
      state: 'published',
    });
  }
  directory = bench.newDirectory();
  memory = bench.memoryIn(directory);
  await memory.refresh();
  away = await openAway(bench.store);
}, 300_000);
afterAll(() => away.close());
beforeEach(() => {
  bench.expired.splice(0);
});

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

/** Days after the copies were made: each test begins where the one before ended. */
let days = 0;
const turnTo = (day: number) => {
  bench.advance((day - days) * DAY_MS);
  days = day;
};

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
  const told = { skov: 'true, stale', around: `${code}, stale`, named: 'geometry, stale' };
  expect(await ask(memory, away)).toEqual(told);
  expect(await ask(later, away)).toEqual(told);
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
  const told = { skov: 'false, origin', around: ', origin', named: 'geometry, origin' };
  expect(await ask(null)).toEqual(told);
  expect(bench.expired).toContain('skov');
  expect(bench.expired).toContain('kommune');
  await memory.refresh();
  expect(await ask(memory)).toEqual(told);
});
