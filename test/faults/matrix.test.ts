/** The fault matrix: complete, published as it is, and held to by the code under thousands of faults. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { LAYER_IDS, isTheme } from '../../src/layers/keys.ts';
import { createRandom } from '../../sync/sample/data/random.ts';
import { checkRule } from '../../sync/sample/fault-plan.ts';
import { FAULT_NAMES } from '../../sync/sample/faults.ts';
import { drawCase } from './cases.ts';
import { fullText, writtenText } from './document.ts';
import { MATRIX } from './matrix.ts';
import { allowed, familyOf } from './matrix-terms.ts';
import { report, simulate, summary } from './simulate.ts';
import { openWorld } from './world.ts';
import type { World } from './world.ts';

/** Any seed must do; this one is played on every change. */
const SEED = 20_261_121;
/** The embedded store has one session: a small number shows that it keeps the same promises. */
const COUNT = inject('storeTemplate').kind === 'postgres' ? 5_000 : 250;
const SYNC_SHARE = 0.06;
const LIMIT_MS = 10 * 60_000;

describe('the matrix', () => {
  test('tries every fault the sample upstream knows', () => {
    const drawn = MATRIX.flatMap(({ id, rules }) =>
      LAYER_IDS.flatMap((layer) =>
        Array.from({ length: 20 }, (_, n) =>
          rules(createRandom(`${id} ${layer} ${n}`), layer).map((rule) => ({ ...rule, layer })),
        ).flat(),
      ),
    );
    const tried = new Set(drawn.map((rule) => checkRule(rule).fault));
    expect(FAULT_NAMES.filter((name) => !tried.has(name))).toEqual([]);
  });

  test('says of each row what is allowed, each row once', () => {
    expect(new Set(MATRIX.map(({ id }) => id)).size).toBe(MATRIX.length);
    for (const row of MATRIX) {
      const cells = LAYER_IDS.map((layer) =>
        allowed<string>(isTheme(layer) ? row.area : row.line, familyOf(layer)),
      );
      expect([row.id, cells.some((cell) => cell !== null)]).toEqual([row.id, true]);
      expect([row.id, row.sync]).not.toEqual([row.id, null]);
    }
  });

  test('is published as it is', async () => {
    expect(writtenText()).toBe(await fullText());
  });

  test('makes the same case of the same seed and number', () => {
    const draw = { seed: 7, syncShare: 0.5 };
    for (const number of [1, 2, 3, 99_999]) {
      const [once, again] = [drawCase(draw, number), drawCase(draw, number)];
      expect(JSON.stringify(again)).toBe(JSON.stringify(once));
    }
  });
});

describe('under seeded faults', () => {
  let world: World;
  beforeAll(async () => {
    const lanes = inject('storeTemplate').kind === 'postgres' ? 8 : 2;
    world = await openWorld(inject('storeTemplate'), {
      liveLanes: lanes,
      syncLanes: Math.ceil(lanes / 4),
      threads: 2,
    });
  }, LIMIT_MS);
  afterAll(() => world.close());

  test(
    `of ${COUNT} none becomes a false answer, an empty one, or half a copy`,
    async () => {
      const play = { seed: SEED, count: COUNT, syncShare: SYNC_SHARE };
      const tally = await simulate(world, play);
      expect(report(tally, play)).toEqual([]);
      expect(summary(tally)).toBe(`${COUNT} faults, 0 false, 0 empty, 0 partial`);
      expect(tally.found).toEqual({ false: 0, empty: 0, partial: 0, leak: 0, 'off-table': 0 });
      expect(tally.syncs).toBeGreaterThan(COUNT * SYNC_SHARE * 0.5);
      // A simulator that never sees an answer, or never a refusal, proves nothing.
      const ends = new Set([...tally.seen.values()].flatMap((counts) => [...counts.keys()]));
      for (const end of ['origin', 'stale', 'unavailable', 'refused', 'failed', 'published']) {
        expect(ends).toContain(end);
      }
    },
    LIMIT_MS,
  );
});
