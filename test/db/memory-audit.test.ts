/** Memory held against the store all the time: agreement counted, disagreement taken out of service. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { LayerLoader } from '../../src/memory/layer-loader.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { LAYER_IDS, LINE_KEYS } from '../../src/layers/keys.ts';
import type { LayerId } from '../../src/layers/keys.ts';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { LAYERS } from '../../src/registers.ts';
import { SelfAudit } from '../../src/memory/snapshot-audit.ts';
import type { AuditIntervals } from '../../src/memory/snapshot-audit.ts';
import { FEATURE } from '../../src/snapshot/grid.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { keyOf } from '../../sample/holdings.ts';
import { samplePoint } from '../../sample/points.ts';
import { openMemoryBench } from '../support/memory.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openMemoryBench());
let memory: LayerLoader;
const alarms: string[] = [];

beforeEach(async () => {
  alarms.splice(0);
  memory = bench.memoryIn(bench.newDirectory());
  await memory.refresh();
});

function audit(intervals: AuditIntervals): SelfAudit {
  const { store, deps } = bench;
  return new SelfAudit({
    memory: memory,
    ...{ store, sources: LAYERS, records: [] },
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
    const { deps } = bench;
    const away = () => Promise.reject(new Error('away'));
    const watch = new SelfAudit({
      memory: memory,
      ...{ store: bench.store, records: [] },
      sources: LAYERS.map((each) => ({ ...each, compare: away })),
      catalogue: deps.catalogue,
      searchRadiusM: 500,
      clock: deps.clock,
      alarm: (message) => alarms.push(message),
      random: randomFrom(7),
      intervals: { roundMs: 5, scrubMs: NEVER_MS },
    });
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
