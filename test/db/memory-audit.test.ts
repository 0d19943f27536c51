/**
 * Memory against the store's statements: the sample island, and a corner of the generated country, where every layer is
 * at national density (a run of a million points is `npm run bench -- differential --count=1000000`). Layers missing in
 * memory: each of the rest answers from memory, and all as the store does (D19). And memory held against the store all
 * the time: agreement counted, disagreement taken out of service.
 */
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { fillStore } from '../../bench/fill.ts';
import { Land } from '../../bench/national/land.ts';
import type { BuildingLinesAnswer, ReverseAreasAnswer } from '../../src/answers/answer.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { EngineCache, SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import type { ReportedLayer } from '../../src/core/held/snapshot-set.ts';
import { LAYER_IDS, LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { SelfAudit } from '../../src/memory/snapshot-audit.ts';
import type { AuditIntervals } from '../../src/memory/snapshot-audit.ts';
import { LAYERS, REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { FEATURE } from '../../src/snapshot/grid.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { createBuildingLines } from '../../src/registers/lines/lookup.ts';
import { createLinePages, lineThreads } from '../../src/registers/lines/pages.ts';
import { createReverseAreas } from '../../src/registers/areas/reverse.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { lineLabels } from '../../src/registers/lines/answer.ts';
import { holdAgainst, probesOf } from '../support/differential.ts';
import { openMemoryBench } from '../support/memory.ts';
import { amountOf, oneIn } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { openTestStore } from '../support/store.ts';

const bench = await opened(openMemoryBench());
const memory = bench.memoryIn(await bench.filledDirectory());
await memory.refresh();
const whole = memory.current!;
const PROBES = { random: 150, edge: 150, seed: 11, exact: false };
const points = [...probesOf(whole, PROBES)].map(pointFromUtm32);

const onPostgres = process.env['TEST_STORE'] === 'postgres';
/** Times sixteen layers. The embedded store measures in one thread of WebAssembly: there a part. */
const POINTS = onPostgres
  ? { random: amountOf({ gate: 600, night: 3_200 }), edge: amountOf({ gate: 120, night: 640 }) }
  : { random: 500, edge: 100 };

async function generatedCorner() {
  const store = await openTestStore({ purpose: 'sync' });
  onTestFinished(() => store.close());
  await fillStore(store, new Land(0.003));
  const given = { store, catalogue: REGISTERS_CATALOGUE };
  const memory = bench.memoryIn(bench.newDirectory(), given);
  await memory.refresh();
  return { set: memory.current!, store };
}

test.each([
  ['the sample island', 3, () => ({ set: whole, store: bench.store })],
  ['a corner of the generated country', 5, generatedCorner],
])('%s is the same in memory and in the store', async (name, seed, open) => {
  const held = await open();
  const points = probesOf(held.set, { ...POINTS, seed, exact: onPostgres });
  const { compared, differing, ties, differences } = await holdAgainst(held, points);
  console.log(`${name}: ${compared} comparisons, ${differing} differ, ${ties} ties`);
  expect(differences).toEqual([]);
  expect(compared).toBe(16 * (POINTS.random + POINTS.edge));
});

const ON_PAGE = LIMITS.linePointsPerBatch;
const { signal } = new AbortController();
const never = () => Promise.reject(new Error('No register is asked here.'));
const engines = new EngineCache();

/** `unpublished`: the store has no version of them either. */
function without(gone: readonly LayerId[], unpublished = false, ahead = 0): SnapshotSet {
  const layers = new Map([...whole.layers].filter(([id]) => !gone.includes(id)));
  const states = LAYER_IDS.map((id): [LayerId, ReportedLayer] => {
    const isPublished = !unpublished || layers.has(id);
    return [id, { held: false, refused: false, sourceRows: null, isPublished }];
  });
  return new SnapshotSet(whole.generation + ahead, layers, engines, new Map(states));
}

function lookupsOver(set: SnapshotSet | null, store: 'answers' | 'away' = 'answers') {
  let statements = 0;
  const common = {
    ...{ catalogue: bench.deps.catalogue, clock: bench.deps.clock, searchRadiusM: 500 },
    ...{ memory: () => set, askOrigin: never, isLive: () => false },
  };
  const asked = <T>(read: () => Promise<T>): Promise<T> => {
    statements += 1;
    return store === 'away' ? never() : read();
  };
  const lines = createBuildingLines({
    ...common,
    readStore: (question) => asked(() => readLines(bench.store, question)),
  });
  const areas = createReverseAreas({
    ...common,
    readStore: (some) =>
      asked(() =>
        readCoveringAreas(
          bench.store,
          some.map(({ utm32 }) => utm32),
        ),
      ),
  });
  const pages = createLinePages({
    ...common,
    ...{ threads: lineThreads(bench.workers), threadWaitMs: 60_000 },
  });
  return { lines, areas, pages, statements: () => statements };
}

type Shown = readonly (BuildingLinesAnswer | ReverseAreasAnswer | Failure)[];

/** As bytes, without what says who answered. */
/** Of whom an answer comes, or why none does. */
const SOURCES = ['provenance', 'cause'];

function shown(value: Shown): string[] {
  return value.map((answer) =>
    answer instanceof Failure
      ? answer.type
      : JSON.stringify(answer, (key, each: unknown) => (SOURCES.includes(key) ? undefined : each)),
  );
}

const half = <T>(ids: readonly T[]): T[] => ids.filter((_, n) => n % 2 === 0);
const GONE: readonly (readonly LayerId[])[] = [
  ['kirke'],
  LINE_KEYS.slice(1),
  half(LINE_KEYS),
  ['region'],
  THEMES.slice(1),
  [...half(LINE_KEYS), ...half(THEMES)],
  LAYER_IDS,
];

test.each(oneIn(2, GONE))(
  'what is stored, but not in memory, is read of the store: %j',
  async (...gone) => {
    const stored = lookupsOver(null);
    const mixed = lookupsOver(without(gone));
    const lines = await mixed.lines.at(points, LINE_KEYS, { signal });
    const areas = await mixed.areas.at(points, { signal });
    const held = (await lookupsOver(whole).lines.at(points, LINE_KEYS, { signal })).value;
    const other = (await stored.lines.at(points, LINE_KEYS, { signal })).value;
    // The last digits of a distance are the engine's own, held one to the other above.
    const expected = held.map((answer, n) => ({
      ...answer,
      lines: answer.lines.map((line, m) => (gone.includes(line.line) ? other[n]!.lines[m]! : line)),
    }));
    expect(shown(lines.value)).toEqual(shown(expected));
    expect(shown(areas.value)).toEqual(shown((await stored.areas.at(points, { signal })).value));
    expect([lines.generation, areas.generation]).toEqual([whole.generation, whole.generation]);
    expect(mixed.statements()).toBeLessThanOrEqual(2);
    const rungs = lines.value[0]!.lines.map((line) => line.status === 'ok' && line.provenance.rung);
    expect(rungs).toEqual(LINE_KEYS.map((key) => (gone.includes(key) ? 'store' : 'snapshot')));
  },
);

test.each(oneIn(2, GONE))('nothing asks the store for what it has not: %j', async (...gone) => {
  const set = without(gone, true);
  const full = lookupsOver(whole);
  const bare = lookupsOver(set, 'away');
  const expected = (await full.lines.at(points, LINE_KEYS, { signal })).value.map((answer) => ({
    ...answer,
    lines: answer.lines.map((line) =>
      gone.includes(line.line) ? { status: 'unavailable' as const, line: line.line } : line,
    ),
  }));
  const { value, generation } = await bare.lines.at(points, LINE_KEYS, { signal });
  expect(shown(value)).toEqual(shown(expected));
  expect(generation).toBe(whole.generation);
  expect(bare.statements()).toBe(0);
  const isAnswered = LINE_KEYS.some((key) => !gone.includes(key));
  const atOnce = bare.lines.tryAnswerSync!(LINE_KEYS);
  expect(atOnce !== null).toBe(isAnswered);
  if (atOnce !== null) expect(shown(points.map((each) => atOnce.at(each)))).toEqual(shown(value));
  const page = await pageOf(bare.pages);
  expect(page !== null).toBe(isAnswered);
  if (page !== null) {
    const wanted = value.slice(0, ON_PAGE).map(({ lines }) => lines.map(({ status }) => status));
    expect(page).toEqual(wanted);
  }
  const areas = await bare.areas.at(points, { signal });
  const isWhole = THEMES.every((theme) => !gone.includes(theme));
  expect(areas.value.some((each) => !(each instanceof Failure))).toBe(isWhole);
});

test('a store that has moved on answers all itself, and one away leaves memory the rest', async () => {
  const gone: LayerId[] = ['kirke', 'region'];
  const behind = lookupsOver(without(gone, false, -1));
  const lines = await behind.lines.at(points, LINE_KEYS, { signal });
  const areas = await behind.areas.at(points, { signal });
  expect([lines.generation, areas.generation]).toEqual([whole.generation, whole.generation]);
  for (const line of lines.value[0]!.lines)
    expect(line).toMatchObject({ provenance: { rung: 'store' } });
  const away = lookupsOver(without(gone), 'away');
  const rest = await away.lines.at(points, LINE_KEYS, { signal });
  for (const line of rest.value.flatMap((each) => each.lines)) {
    expect(line.status).toBe(line.line === 'kirke' ? 'unavailable' : 'ok');
  }
});

async function pageOf(pages: ReturnType<typeof createLinePages>): Promise<string[][] | null> {
  const text = JSON.stringify(lineLabels(bench.deps.catalogue, 'Opdigtet'));
  const bytes = new TextEncoder().encode(text);
  const labels = new Uint8Array(new SharedArrayBuffer(bytes.length));
  labels.set(bytes);
  const page = await pages.render(points.slice(0, ON_PAGE), { ids: null, labels }, { signal });
  if (page === null) return null;
  const { results } = JSON.parse(page.body.toString()) as {
    results: { byggelinjer: { linjer: Record<string, { status: string }> } }[];
  };
  const words: Record<string, string> = { ok: 'ok', utilgaengelig: 'unavailable' };
  const statusOf = (line: { status: string } | undefined) => words[line?.status ?? ''] ?? '';
  return results.map(({ byggelinjer: { linjer } }) =>
    LINE_KEYS.map((key) => statusOf(linjer[key])),
  );
}

describe('the audit', () => {
  let memory: LayerLoader;
  const alarms: string[] = [];

  beforeEach(async () => {
    alarms.splice(0);
    memory = bench.memoryIn(await bench.filledDirectory());
    await memory.refresh();
  });

  function audit(intervals: AuditIntervals, sources = LAYERS): SelfAudit {
    const { store, deps } = bench;
    return new SelfAudit({
      memory: memory,
      ...{ store, sources, records: [] },
      catalogue: deps.catalogue,
      searchRadiusM: 500,
      clock: deps.clock,
      alarm: (message) => alarms.push(message),
      random: randomFrom(7),
      intervals,
    });
  }

  const NEVER_MS = 1e9;
  const snapshotOf = (layer: LayerId) => memory.current!.layers.get(layer)!.snapshot;
  const inService = () => [...memory.current!.layers.keys()];

  describe('two engines that agree', () => {
    test('are compared round after round without a difference', async () => {
      const watch = audit({ roundMs: 1, scrubMs: NEVER_MS });
      for (let i = 0; i < 60; i++) await watch.round();
      const { compared, differences, lastComparedAtMs } = watch.view();
      expect(watch.view().alarms).toEqual([]);
      expect(differences).toBe(0);
      expect(compared).toBe(30 * LIMITS.auditPoints * (10 + 6));
      expect(lastComparedAtMs).not.toBeNull();
      expect(alarms).toEqual([]);
      expect(inService()).toHaveLength(LAYER_IDS.length);
    });

    test('are not compared while they hold different versions', async () => {
      const feature = bench.upstream.holdings.features('skov')[0]!;
      bench.upstream.holdings.move('skov', keyOf('skov', feature)!, { east: 40, north: 0 });
      expect((await bench.sync('skov')).state).toBe('published');
      const watch = audit({ roundMs: 1, scrubMs: NEVER_MS });
      for (let i = 0; i < 20; i++) await watch.round();
      expect(watch.view().differences).toBe(0);
      expect(watch.view().compared).toBe(10 * LIMITS.auditPoints * (9 + 6));
    });

    test('go on when the store is away, which is counted', async () => {
      const away = () => Promise.reject(new Error('away'));
      const sources = LAYERS.map((each) => ({ ...each, compare: away }));
      const watch = audit({ roundMs: 5, scrubMs: NEVER_MS }, sources);
      watch.start();
      await expect.poll(() => watch.view().skipped.storeUnavailable).toBeGreaterThan(2);
      await watch.stop();
      expect(alarms).toEqual([]);
      expect(inService()).toHaveLength(LAYER_IDS.length);
    });
  });

  describe('a snapshot that is not what it was', () => {
    test('one turned bit raises the alarm, and the store answers', async () => {
      const { lon, lat } = samplePoint('forest').wgs84;
      const app = await bench.edge(memory);
      const url = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
      const before = await app.inject(url);
      expect(before.headers['cache-status']).toContain('snapshot');
      const watch = audit({ roundMs: NEVER_MS, scrubMs: 1_000 });
      watch.start();
      await new Promise((done) => setTimeout(done, 300));
      expect(watch.view().alarms).toEqual([]);
      const bytes = new Uint8Array(snapshotOf('natur').buffer);
      const at = Math.floor(bytes.length * 0.6);
      bytes[at] = bytes[at]! ^ 1;
      await expect.poll(() => alarms.length).toBe(1);
      await watch.stop();
      expect(alarms[0]).toMatch(/natur version \d+ is damaged in memory/);
      expect(watch.view().alarms).toMatchObject([{ layer: 'natur', kind: 'memory' }]);
      expect(inService()).not.toContain('natur');
      expect(memory.view().suspended).toEqual(['natur']);
      const after = await app.inject(url);
      expect(after.headers['cache-status']).toContain('store');
      expect(after.body).toBe(before.body);
      await app.close();
    });

    test('an answer that differs raises the alarm, and the layer alone is taken out', async () => {
      const { featureFlags } = snapshotOf('natur');
      for (let i = 0; i < featureFlags.length; i++) featureFlags[i]! ^= FEATURE.adopted;
      const watch = audit({ roundMs: 5, scrubMs: NEVER_MS });
      watch.start();
      await expect.poll(() => alarms.length).toBe(1);
      await new Promise((done) => setTimeout(done, 100));
      await watch.stop();
      expect(alarms).toHaveLength(1);
      expect(alarms[0]).toMatch(/natur version \d+ answers otherwise than the store/);
      expect(watch.view().differences).toBeGreaterThan(0);
      expect(inService()).toHaveLength(LAYER_IDS.length - 1);
      expect(inService()).not.toContain('natur');
      const { buildingLines } = bench.lookups(memory);
      const points = [pointFromUtm32(samplePoint('bog').utm32)];
      const { signal } = new AbortController();
      const { value } = await buildingLines.at(points, LINE_KEYS, { signal });
      expect(JSON.stringify(value)).toContain('"rung":"store"');
    });

    test('is found within a minute at the service’s own pace', () => {
      // A turned bit may have been passed just now: one whole pass, and the rest of its layer.
      expect(1.4 * LIMITS.auditScrubMs).toBeLessThan(60_000);
    });
  });
});
