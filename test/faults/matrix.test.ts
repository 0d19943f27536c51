/** The fault matrix: complete, published as it is, and held to by the code under faults. */
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { UpstreamFailure } from '../../src/wfs/failure.ts';
import { LAYER_IDS, isAreaId } from '../../src/layers/keys.ts';
import type { Guard } from '../../sync/check.ts';
import { createRandom } from '../../sample/data/random.ts';
import { checkRule } from '../../sample/fault-plan.ts';
import { FAULT_NAMES } from '../../sample/faults.ts';
import type { Case, LiveCase } from './cases.ts';
import { CELLS, drawCase } from './cases.ts';
import { fullText, writtenText } from './document.ts';
import { runLiveCase } from './live-case.ts';
import { MATRIX } from './matrix.ts';
import { WCS_ROWS } from './matrix-terrain.ts';
import { FAMILIES, allowed, familyOf } from './matrix-terms.ts';
import { pace, report, simulate, summary } from './simulate.ts';
import { TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import { openWorld } from './world.ts';
import type { World } from './world.ts';

const isEmbedded = inject('storeTemplate').kind === 'embedded';
/** In the gate each cell of the matrix once; of the embedded store, which has one session, a few. */
const FAULTS = isEmbedded ? 300 : amountOf({ gate: CELLS.length, night: 5_000 });
/** Guards that some cell meets whatever the seed. */
const SURE_GUARDS: readonly Guard[] = [
  ...(['announced', 'empty', 'schema', 'issues', 'row-drop'] as const),
  ...(['row-growth', 'area-drop', 'area-growth', 'change-share', 'canary'] as const),
  // By day some seeds draw no row of it; unread-rows meets it.
  ...(isHeavy ? (['unplaced'] as const) : []),
];

/**
 * In the gate each row is played by a sync of one family, and live on every other family of lines and on areas, the
 * next row on the next; at night on all.
 */
function isPlayed({ rung, row, layer }: Case): boolean {
  const [family, turn] = [FAMILIES.indexOf(familyOf(layer)), MATRIX.indexOf(row)];
  if (rung === 'sync') return family === turn % FAMILIES.length;
  return rung === 'area' || family % 2 === turn % 2;
}

describe('the matrix', () => {
  test('tries every fault the sample upstream knows', () => {
    const drawn = MATRIX.flatMap(({ id, rules }) =>
      LAYER_IDS.flatMap((layer) =>
        Array.from({ length: 20 }, (_, n) =>
          rules(createRandom(`${id} ${layer} ${n}`), layer).map((rule) => ({ ...rule, layer })),
        ).flat(),
      ),
    );
    const ofTerrain = Object.values(WCS_ROWS).map(({ rule }) => rule);
    const tried = new Set([...drawn, ...ofTerrain].map((rule) => checkRule(rule).fault));
    expect(FAULT_NAMES.filter((name) => !tried.has(name))).toEqual([]);
  });

  test('says of each row what is allowed, each row once', () => {
    expect(new Set(MATRIX.map(({ id }) => id)).size).toBe(MATRIX.length);
    for (const row of MATRIX) {
      const cells = LAYER_IDS.map((layer) =>
        allowed<string>(isAreaId(layer) ? row.area : row.line, familyOf(layer)),
      );
      expect([row.id, cells.some((cell) => cell !== null)]).toEqual([row.id, true]);
      expect([row.id, row.sync]).not.toEqual([row.id, null]);
    }
  });

  test('is published as it is', async () => {
    expect(writtenText()).toBe(await fullText());
  });

  test('is tried on every rung and family by the first numbers of any seed', () => {
    const drawn = Array.from({ length: CELLS.length }, (_, n) =>
      drawCase({ seed: TEST_SEED }, n + 1),
    );
    const tried = drawn.map(({ row, rung, layer }) => `${row.id} ${rung} ${familyOf(layer)}`);
    const wanted = CELLS.map(({ row, rung, family }) => `${row.id} ${rung} ${family}`);
    expect(tried.sort()).toEqual(wanted.sort());
    expect(new Set(wanted).size).toBe(wanted.length);
  });

  test('makes the same case of the same seed and number', () => {
    const draw = { seed: 7 };
    for (const number of [1, 2, 3, 99_999]) {
      const [once, again] = [drawCase(draw, number), drawCase(draw, number)];
      expect(JSON.stringify(again)).toBe(JSON.stringify(once));
    }
  });
});

function lookupWithoutFault(): LiveCase {
  for (let number = CELLS.length + 1; ; number += 1) {
    const given = drawCase({ seed: 1 }, number);
    if (
      given.rung === 'line' &&
      given.row.id === 'no-fault' &&
      given.alone &&
      given.copy === 'stale'
    )
      return given;
  }
}

describe('under seeded faults', () => {
  let world: World;
  beforeAll(async () => {
    const lanes = isEmbedded ? { liveLanes: 2, syncLanes: 1 } : { liveLanes: 8, syncLanes: 2 };
    world = await openWorld(inject('storeTemplate'), { ...lanes, threads: 2 });
  });
  afterAll(() => world.close());

  test('a lookup may have no answer once it has spent its time, and not before', async () => {
    const given = lookupWithoutFault();
    const lane = world.liveLanes[0]!;
    const played = async (run: World['workers']['run']) =>
      await runLiveCase({ ...world, workers: { ...world.workers, run } }, lane, given);
    const waiting = await played(async (_of, _task, signal) => {
      await once(signal!, 'abort');
      throw new UpstreamFailure('aborted', 'given up while waiting for a thread');
    });
    expect(waiting).toEqual({ outcome: 'stale', late: true, findings: [] });
    const failing = await played(() => Promise.reject(new UpstreamFailure('aborted', 'at once')));
    expect(failing).toMatchObject({ outcome: 'stale', late: false });
    expect(failing.findings.map(({ kind }) => kind)).toEqual(['off-table']);
  });

  test(`of up to ${FAULTS} none becomes a false answer, an empty one, or half a copy`, async () => {
    // Half of the first numbers are syncs: more than an embedded store can do in the time.
    const first = isEmbedded ? CELLS.length + 1 : 1;
    const play = { seed: TEST_SEED, first, count: FAULTS };
    const tally = await simulate(world, isHeavy ? play : { ...play, wants: isPlayed });
    console.log(`seed ${TEST_SEED}: ${pace(tally)}; ${summary(tally)}`);
    expect(report(tally, { seed: TEST_SEED })).toEqual([]);
    expect(tally.faults).toBeGreaterThanOrEqual(isHeavy ? FAULTS : FAULTS / 3);
    expect(summary(tally)).toBe(`${tally.faults} faults, 0 false, 0 empty, 0 partial`);
    expect(tally.found).toEqual({ false: 0, empty: 0, partial: 0, leak: 0, 'off-table': 0 });
    // A simulator that never sees an answer, or never a refusal, proves nothing.
    const ends = new Set([...tally.seen.values()].flatMap((counts) => [...counts.keys()]));
    for (const end of ['origin', 'stale', 'unavailable']) expect(ends).toContain(end);
    for (const end of isEmbedded ? [] : ['refused', 'failed', 'published', 'unchanged']) {
      expect(ends).toContain(end);
    }
    for (const guard of isEmbedded ? [] : SURE_GUARDS)
      expect([...tally.guards.keys()]).toContain(guard);
  });
});
