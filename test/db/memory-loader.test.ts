/**
 * The memory rung over a mirrored sample: where its snapshots come from, what it refuses, and how it
 * starts when the store is away; and fronts that share their files: one builds, the others fetch, and none
 * believes a damaged one.
 */
import {
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LAYER_IDS, LINE_KEYS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { LAYERS } from '../../src/registers.ts';
import { DirectoryStore } from '../../src/snapshot-store/directory-store.ts';
import { SharedFiles } from '../../src/snapshot-store/shared-files.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { SAMPLE_POINTS, samplePoint } from '../../sample/points.ts';
import { keyOf } from '../../sample/holdings.ts';
import { openMemoryBench } from '../support/memory.ts';
import type { MemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';
import { openAway, openTestStore } from '../support/store.ts';
import { until } from '../support/until.ts';

const bench = await opened(openMemoryBench());

beforeEach(() => bench.said.splice(0));

const { signal } = new AbortController();
const places = SAMPLE_POINTS.map(({ utm32 }) => pointFromUtm32(utm32));

async function answers(memory: ReturnType<MemoryBench['memoryIn']> | null) {
  const { buildingLines, reverseAreas } = bench.lookups(memory);
  const lines = await buildingLines.at(places, LINE_KEYS, { signal });
  const areas = await reverseAreas.at(places, { signal });
  return { lines, areas };
}

/**
 * Without the rung that answered and the second it did, which is all that may differ; distances to a
 * micrometre, because PostGIS 3.5 and later round the last bits in another way.
 */
function withoutRung(value: unknown): unknown {
  const text = JSON.stringify(value, (name, field: unknown) => {
    if (name === 'provenance') return undefined;
    return name === 'distanceM' && field !== null ? Number(field).toFixed(6) : field;
  });
  return JSON.parse(text);
}

const layersOf = (loader: LayerLoader): LayerId[] => [...(loader.current?.layers.keys() ?? [])];

const idxOf = (directory: string, layer: LayerId): string =>
  join(
    directory,
    readdirSync(directory).find((name) => new RegExp(`^${layer}-.*idx$`).test(name))!,
  );

test('a first start builds every layer from the store and answers as the store does', async () => {
  const directory = bench.newDirectory();
  const memory = bench.memoryIn(directory);
  expect(memory.current).toBeNull();
  await memory.refresh();
  expect(layersOf(memory).sort()).toEqual([...LAYER_IDS].sort());
  expect(bench.said).toEqual([]);
  const names = readdirSync(directory);
  expect(names.filter((name) => name.endsWith('.fgb'))).toHaveLength(LAYER_IDS.length);
  expect(names.filter((name) => name.endsWith('.idx'))).toHaveLength(LAYER_IDS.length);
  const ours = await answers(memory);
  const theirs = await answers(null);
  expect(JSON.stringify(ours)).toContain('"rung":"snapshot"');
  expect(withoutRung(ours)).toEqual(withoutRung(theirs));
});

describe('a later start', () => {
  test('loads the files and builds nothing', async () => {
    const directory = await bench.filledDirectory();
    const before = readFileSync(idxOf(directory, 'skov'));
    const broken = bench.memoryIn(directory);
    await broken.refresh();
    expect(layersOf(broken)).toHaveLength(LAYER_IDS.length);
    expect(readFileSync(idxOf(directory, 'skov')).equals(before)).toBe(true);
  });

  const damages: Record<string, (path: string, directory: string) => void> = {
    'one bit turned': (path) => {
      const bytes = readFileSync(path);
      const at = bytes.length - 100;
      bytes[at] = bytes[at]! ^ 4;
      writeFileSync(path, bytes);
    },
    'cut short': (path) => truncateSync(path, readFileSync(path).length - 64),
    empty: (path) => truncateSync(path, 0),
    'another format': (path) => {
      const bytes = readFileSync(path);
      bytes.writeUInt32LE(99, 8);
      writeFileSync(path, bytes);
    },
    'another layer’s': (path, directory) => copyFileSync(idxOf(directory, 'kirke'), path),
    'no snapshot at all': (path) => writeFileSync(path, 'x'.repeat(5_000)),
  };

  test('refuses files that are damaged, each in its way, and builds them anew', async () => {
    const directory = await bench.filledDirectory();
    const damaged = Object.entries(damages).map(([name, damage], n) => {
      const layer = LINE_KEYS.filter((key) => key !== 'kirke')[n]!;
      const path = idxOf(directory, layer);
      return { name, layer, path, damage, whole: readFileSync(path) };
    });
    for (const { path, damage } of damaged) damage(path, directory);
    const memory = bench.memoryIn(directory);
    await memory.refresh();
    expect(layersOf(memory)).toHaveLength(LAYER_IDS.length);
    for (const { name, layer, path, whole } of damaged) {
      expect(bench.said.join('\n'), name).toContain(layer);
      expect(readFileSync(path).equals(whole), name).toBe(true);
    }
    expect(withoutRung(await answers(memory))).toEqual(withoutRung(await answers(null)));
  });

  test('leaves a layer that cannot be built to the store, and tries it again later', async () => {
    const directory = await bench.filledDirectory();
    writeFileSync(idxOf(directory, 'skov'), 'x');
    // Its forests are areas; a catalogue that says otherwise makes the thread refuse them.
    const { lines, ...others } = bench.deps.catalogue;
    const skov = { ...lines.skov, geometry: 'line' } as const;
    const catalogue = { ...others, lines: { ...lines, skov } };
    const loader = bench.memoryIn(directory, { catalogue });
    await loader.refresh();
    expect(layersOf(loader)).not.toContain('skov');
    expect(bench.said.join('\n')).toMatch(/skov cannot be built: /);
    expect(JSON.stringify((await answers(loader)).lines)).toContain('"rung":"store"');
    const told = bench.said.length;
    await loader.refresh();
    expect(bench.said).toHaveLength(told);
  });
});

describe('a publication', () => {
  test('replaces one layer, keeps the others, and removes the old files', async () => {
    const directory = await bench.filledDirectory();
    const memory = bench.memoryIn(directory);
    await memory.refresh();
    const before = memory.current!;
    const oldFile = idxOf(directory, 'skov');
    const { areas } = samplePoint('forest');
    expect(areas).toBeDefined();
    const [first] = bench.upstream.holdings.features('skov');
    const key = keyOf('skov', first!)!;
    bench.upstream.holdings.assign('skov', key, { CVR_navn: 'Another Kommune' });
    const outcome = await bench.sync('skov');
    expect(outcome.state).toBe('published');
    await memory.refresh();
    const after = memory.current!;
    expect(after.generation).toBe(before.generation + 1);
    expect(after.layers.get('skov')!.copy.version).toBe(2);
    expect(after.layers.get('kirke')!.snapshot).toBe(before.layers.get('kirke')!.snapshot);
    // Whoever holds the old set goes on with it.
    expect(before.layers.get('skov')!.copy.version).toBe(1);
    expect(readdirSync(directory)).not.toContain(oldFile.split('/').at(-1));
    expect(readdirSync(directory).filter((name) => name.startsWith('skov-'))).toHaveLength(2);
    bench.upstream.holdings.restore('skov');
    await bench.sync('skov');
  });

  test('that only confirms a copy makes it younger without a new snapshot', async () => {
    const memory = bench.memoryIn(await bench.filledDirectory());
    await memory.refresh();
    const before = memory.current!.layers.get('soe')!;
    bench.advance(60_000);
    expect((await bench.sync('soe')).state).toBe('unchanged');
    await memory.refresh();
    const after = memory.current!.layers.get('soe')!;
    expect(after.snapshot).toBe(before.snapshot);
    expect(after.copy.syncedAtMs).toBeGreaterThanOrEqual(before.copy.syncedAtMs + 60_000);
  });
});

test('a first copy is the store’s at once, however long those before it are built', async () => {
  const first = await opened(openMemoryBench(await openTestStore()));
  const underWay: PromiseWithResolvers<unknown>[] = [];
  const buildSnapshot: typeof first.workers.buildSnapshot = async (task, signal) => {
    underWay.push(Promise.withResolvers());
    await underWay.at(-1)!.promise;
    return await first.workers.buildSnapshot(task, signal);
  };
  const memory = first.memoryIn(first.newDirectory(), { workers: { buildSnapshot } });
  await memory.refresh();
  const isStored = (layer: LayerId) => memory.current!.isOnlyStored(layer);
  expect(isStored('skov')).toBe(false);
  for (const layer of ['kirke', 'skov'] as const) await first.sync(layer);
  const refreshed = memory.refresh();
  await until(() => underWay.length === 1);
  expect(isStored('skov')).toBe(true);
  await first.sync('soe');
  underWay[0]!.resolve(null);
  await until(() => underWay.length === 2);
  expect(isStored('soe')).toBe(true);
  underWay[1]!.resolve(null);
  await refreshed;
  expect(layersOf(memory).sort()).toEqual(['kirke', 'skov']);
});

test('a suspended snapshot leaves its layer to the store until the next version', async () => {
  const memory = bench.memoryIn(await bench.filledDirectory());
  await memory.refresh();
  memory.suspend('skov', memory.current!.layers.get('skov')!.snapshot.buffer);
  expect(layersOf(memory)).toHaveLength(LAYER_IDS.length - 1);
  expect(memory.view()).toMatchObject({ suspended: ['skov'] });
  await memory.refresh();
  expect(layersOf(memory)).not.toContain('skov');
  const { lines, areas } = await answers(memory);
  expect(JSON.stringify(lines)).toContain('"rung":"store"');
  expect(JSON.stringify(areas)).toContain('"rung":"snapshot"');
  const [first] = bench.upstream.holdings.features('skov');
  const key = keyOf('skov', first!)!;
  bench.upstream.holdings.assign('skov', key, { CVR_navn: 'Yet another Kommune' });
  await bench.sync('skov');
  await memory.refresh();
  expect(layersOf(memory)).toContain('skov');
  expect(memory.view().suspended).toEqual([]);
});

describe('a start without the store', () => {
  let kept: string;
  beforeAll(async () => {
    kept = await bench.filledDirectory();
    await bench.memoryIn(kept).refresh();
  });
  /** The files of one run, that of now. */
  function filesOfARun(): string {
    const directory = bench.newDirectory();
    cpSync(kept, directory, { recursive: true });
    return directory;
  }

  async function startWithout(directory: string) {
    const away = await openAway(bench.store);
    const memory = bench.memoryIn(directory, { store: away });
    memory.start();
    await until(() => memory.current !== null);
    const stop = async () => {
      await memory.stop();
      await away.close();
    };
    return { memory, away, stop };
  }

  test('answers from the files of the last run, as it did then, and says how old it is', async () => {
    const directory = filesOfARun();
    const expected = withoutRung(await answers(null));
    const { memory, away, stop } = await startWithout(directory);
    expect(layersOf(memory)).toHaveLength(LAYER_IDS.length);
    expect(bench.said.join('\n')).toMatch(/store does not answer/);
    const { buildingLines, reverseAreas } = bench.lookups(memory, away);
    const lines = await buildingLines.at(places, LINE_KEYS, { signal });
    const areas = await reverseAreas.at(places, { signal });
    expect(withoutRung({ lines, areas })).toEqual(expected);
    const app = await bench.edge(memory, away);
    bench.advance(3_600_000);
    const { lon, lat } = samplePoint('forest').wgs84;
    const response = await app.inject(`/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`);
    expect(response.headers['cache-status']).toBe('geoopslag; hit; detail=snapshot');
    expect(Number(response.headers['x-service-data-age'])).toBeGreaterThanOrEqual(3_600);
    expect(response.headers['x-service-generation']).toBe(String(memory.current!.generation));
    await app.close();
    await stop();
  });

  test('leaves out a damaged file and answers the rest', async () => {
    const directory = filesOfARun();
    writeFileSync(idxOf(directory, 'skov'), 'x');
    const { memory, stop } = await startWithout(directory);
    expect(layersOf(memory)).toHaveLength(LAYER_IDS.length - 1);
    expect(layersOf(memory)).not.toContain('skov');
    await stop();
  });

  test.each([
    ['damaged', (text: string) => text.replace('"generation":', '"generation":1')],
    ['of another store', (text: string) => text.replace('"test"', '"else"')],
    ['cut short', (text: string) => text.slice(0, -20)],
    ['nonsense', () => '[]'],
  ])('answers nothing when what was written down is %s', async (_what, change) => {
    const directory = filesOfARun();
    const path = join(directory, 'published.json');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    const away = await openAway(bench.store);
    const memory = bench.memoryIn(directory, { store: away });
    memory.start();
    await expect.poll(() => bench.said.join('\n')).toMatch(/published.json is not used/);
    await memory.stop();
    await away.close();
    expect(memory.current).toBeNull();
  });

  test('takes the store’s word again as soon as it is there', async () => {
    const directory = filesOfARun();
    const [first] = bench.upstream.holdings.features('kirke');
    expect(first).toBeDefined();
    const { memory, stop } = await startWithout(directory);
    const without = memory.current!.generation;
    await stop();
    // The same files under a store that answers: the files are kept, the generation is the store's.
    const there = bench.memoryIn(directory);
    there.start();
    await expect.poll(() => there.current?.generation).toBe(without);
    expect(layersOf(there)).toHaveLength(LAYER_IDS.length);
    await there.stop();
  });
});

describe('fronts that share their files', () => {
  const directory = bench.newDirectory();

  interface Front {
    readonly loader: LayerLoader;
    readonly shared: SharedFiles;
    readonly built: string[];
    readonly said: string[];
  }

  /** A process of its own as far as files go. */
  function front(): Front {
    const said: string[] = [];
    const built: string[] = [];
    const log = (message: string) => void said.push(message);
    const { clock, catalogue } = bench.deps;
    const nowMs = () => clock.nowMs();
    const shared = new SharedFiles({
      ...{ store: new DirectoryStore(directory), sources: 'sample', nowMs, log },
    });
    const loader = createLayerLoader({
      ...{ sources: LAYERS, clock, catalogue, log, shared, store: bench.store },
      workers: {
        buildSnapshot: (task, signal) => {
          built.push(task.layer);
          return bench.workers.buildSnapshot(task, signal);
        },
      },
      ...{ directory: bench.newDirectory(), storeName: 'test' },
    });
    return { loader, shared, built, said };
  }

  const held = ({ loader }: Front) =>
    [...(loader.current?.layers ?? [])].map(([layer, { snapshot }]) => [
      layer,
      Buffer.from(snapshot.buffer.slice(0) as unknown as ArrayBuffer).toString('base64').length,
    ]);

  async function published({ shared }: Front, count: number): Promise<void> {
    await expect.poll(() => shared.view().published).toBe(count);
    await expect.poll(() => shared.manifest('published.json')).not.toBeNull();
  }

  test('the first builds and publishes, the second builds nothing and has the same', async () => {
    const first = front();
    await first.loader.refresh();
    expect(first.built.toSorted()).toEqual([...LAYER_IDS].toSorted());
    await published(first, LAYER_IDS.length);
    const second = front();
    await second.loader.refresh();
    expect(second.built).toEqual([]);
    expect(second.shared.view()).toMatchObject({
      fetched: LAYER_IDS.length,
      refused: 0,
      failed: 0,
    });
    expect(held(second)).toEqual(held(first));
    expect(second.said).toEqual([]);
  });

  test('a flipped byte in a file is refused, the layer built anew, published again and told', async () => {
    const entry = readFileSync(join(directory, 'sample/v1/versions', entryOf('soe')), 'utf8');
    const [, sha256 = ''] = /"idx\\",\\"sha256\\":\\"([0-9a-f]{64})/.exec(entry) ?? [];
    const path = join(directory, 'files', sha256);
    const whole = readFileSync(path);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 4;
    writeFileSync(path, flipped);
    const third = front();
    await third.loader.refresh();
    expect(third.built).toEqual(['soe']);
    expect(third.shared.view().refused).toBe(1);
    expect(third.said.join()).toContain(`the file ${sha256} in ${directory} is refused`);
    await expect.poll(() => readFileSync(path).equals(whole), { timeout: 20_000 }).toBe(true);
    const fourth = front();
    await fourth.loader.refresh();
    expect(fourth.built).toEqual([]);
  });

  function entryOf(layer: string): string {
    const names = readdirSync(join(directory, 'sample/v1/versions'));
    return names.find((name) => name.startsWith(`${layer}-v`)) ?? '';
  }
});
