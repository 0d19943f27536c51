/** Fronts that share their files: one builds, the others fetch, and none believes a damaged one. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LAYERS } from '../../src/registers.ts';
import { LAYER_IDS } from '../../src/layers/keys.ts';
import { createLayerLoader } from '../../src/memory/layer-loader.ts';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { DirectoryStore } from '../../src/snapshot-store/directory-store.ts';
import { SharedFiles } from '../../src/snapshot-store/shared-files.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openMemoryBench());
const directory = bench.newDirectory();

interface Front {
  readonly loader: LayerLoader;
  readonly shared: SharedFiles;
  readonly built: string[];
  readonly said: string[];
}

/** A process of its own as far as files go. `store`: absent, its database is away. */
function front(isStoreThere = true): Front {
  const said: string[] = [];
  const built: string[] = [];
  const log = (message: string) => void said.push(message);
  const { clock, catalogue } = bench.deps;
  const shared = new SharedFiles({
    ...{ store: new DirectoryStore(directory), sources: 'sample', nowMs: () => clock.nowMs(), log },
  });
  const away = {
    get db(): never {
      throw new Error('away');
    },
  };
  const loader = createLayerLoader({
    ...{ sources: LAYERS, clock, catalogue, log, shared },
    store: isStoreThere ? bench.store : away,
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
  await expect.poll(() => shared.view().published, { timeout: 20_000 }).toBe(count);
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
  expect(second.shared.view()).toMatchObject({ fetched: LAYER_IDS.length, refused: 0, failed: 0 });
  expect(held(second)).toEqual(held(first));
  expect(second.said).toEqual([]);
});

test('without its database a front answers from the newest manifest, and says how old it is', async () => {
  const lonely = front(false);
  lonely.loader.start();
  await expect.poll(() => lonely.loader.isOpen, { timeout: 20_000 }).toBe(true);
  expect(lonely.loader.current?.generation).toBeGreaterThan(0);
  expect(lonely.loader.current?.layers.size).toBe(LAYER_IDS.length);
  expect(lonely.built).toEqual([]);
  expect(lonely.said.join()).toMatch(
    /lookups answer from generation \d+ of .*, written .*Z, its oldest copy verified .*Z/,
  );
  expect(lonely.shared.view().servedManifestAtMs).not.toBeNull();
  await lonely.loader.stop();
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
