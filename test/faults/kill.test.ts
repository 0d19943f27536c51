/**
 * Kill -9: a run that dies at any phase, at any statement, at any moment leaves the old version whole
 * or the new one, and the next run finishes. On the embedded store its process is killed as well.
 */
import { expect, inject, test } from 'vitest';
import type { LayerId } from '../../src/layers/keys.ts';
import { PHASES } from '../../sync/deps.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { keyOf } from '../../sample/holdings.ts';
import { TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { silence } from '../support/silence.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { fingerprint, leftovers } from './fingerprint.ts';
import type { Fingerprint } from './fingerprint.ts';
import { KillRuns } from './kill-runs.ts';
import type { Kill } from './kill-runs.ts';
import type { KillAt } from './kill-terms.ts';

const isEmbedded = inject('storeTemplate').kind === 'embedded';
/** Areas over several pages, lines, and a theme whose publication touches other tables. */
const LAYERS: readonly LayerId[] = isEmbedded || !isHeavy ? ['aa'] : ['aa', 'vandloeb', 'sogn'];
/**
 * In the gate each phase of one layer, once. 200 in all at night: an embedded store takes seconds to come back,
 * a PostgreSQL has never been away.
 */
const KILLS = isEmbedded ? 12 : amountOf({ gate: PHASES.length, night: 188 });
/** A statement of the claim, which buries the dead with one for their runs and one for each stage. */
const CLAIMS_AT = 3;
/** Runs that were over before the kill came are not counted; so many of them are borne. */
const MISSES = KILLS / 2;
/** A run may have become faster since it was timed: the moments come sooner after each miss. */
const SOONER = 0.85;
const LIMIT_MS = amountOf({ gate: 15, night: 60 }) * 60_000;

const bench = await opened(openSyncBench());
const runs = await opened(Promise.resolve(new KillRuns(bench)));

interface Plan {
  readonly layer: LayerId;
  readonly at: KillAt;
}

/** The two states the source of a layer goes back and forth between, as mirrored by whole runs. */
interface TwoStates {
  readonly original: Fingerprint['content'];
  readonly changed: Fingerprint['content'];
  /** Of a whole run. */
  readonly statements: number;
  readonly reports: number;
  readonly ms: number;
}

const states = new Map<LayerId, TwoStates>();

function statesOf(layer: LayerId): TwoStates {
  const known = states.get(layer);
  if (known === undefined) throw new Error(`Nothing is known of ${layer}`);
  return known;
}

function changeSource(layer: LayerId): void {
  const { holdings } = bench.upstream;
  holdings.restore(layer);
  const features = holdings.features(layer).filter(({ geometry }) => geometry !== null);
  const [first = '', second = '', third = ''] = features.map((one) => keyOf(layer, one) ?? '');
  if (layer === 'sogn') {
    holdings.assign(layer, first, { navn: 'Andet Sogn (opdigtet)' });
    return;
  }
  holdings.move(layer, first, { east: 3, north: -2 });
  holdings.assign(layer, second, { CVR_navn: 'Anden Kommune (opdigtet)' });
  holdings.remove(layer, third);
}

/** What a run of each state leaves behind when nobody kills it. */
async function learn(layer: LayerId): Promise<TwoStates> {
  bench.upstream.holdings.restore(layer);
  expect((await bench.sync(layer)).state).toBe('published');
  const { content: original } = await fingerprint(bench.store, layer);
  changeSource(layer);
  const { state, statements, reports, ms } = await runs.whole(layer);
  expect(state).toBe('published');
  const { content: changed } = await fingerprint(bench.store, layer);
  expect(changed).not.toBe(original);
  return { original, changed, statements, reports, ms };
}

function reportsOf(layer: LayerId): number {
  const { reports } = statesOf(layer);
  return isEmbedded ? 0 : amountOf({ gate: 0, night: reports });
}

/** A run tells of nothing before it is claimed. */
const TOLD_PHASES = PHASES.filter((phase) => phase !== 'claim');

/** Every phase, reports of pages, and statements spread from the first to the last. */
function surePlans(count: number): Plan[] {
  const sure = LAYERS.flatMap((layer): Plan[] => [
    // The claim is told by its statements.
    { layer, at: { kind: 'statement', number: CLAIMS_AT, moment: 'sent' } },
    ...TOLD_PHASES.map((phase): Plan => ({ layer, at: { kind: 'phase', phase } })),
    ...Array.from({ length: reportsOf(layer) }, (_, n): Plan => {
      return { layer, at: { kind: 'report', number: n + 1 } };
    }),
  ]);
  const spread = Math.max(0, Math.floor((count - sure.length) * (2 / 3)));
  const each = Math.ceil(spread / LAYERS.length);
  return [
    ...sure,
    ...LAYERS.flatMap((layer) =>
      Array.from({ length: each }, (_, n): Plan => {
        const number = 1 + Math.floor(((n + 0.5) / each) * statesOf(layer).statements);
        return {
          layer,
          at: { kind: 'statement', number, moment: n % 2 === 0 ? 'sent' : 'before' },
        };
      }),
    ),
  ];
}

function momentPlan(random: Random, misses: number): Plan {
  const layer = random.pick(LAYERS);
  const withinMs = statesOf(layer).ms * Math.max(SOONER ** misses, 0.1);
  return { layer, at: { kind: 'moment', afterMs: random.between(0, withinMs) } };
}

/** One kill, and all that must be true after it and after the run that follows. */
async function killOnce({ layer, at }: Plan, withStore: boolean): Promise<Kill> {
  const { original, changed } = statesOf(layer);
  const before = await fingerprint(bench.store, layer);
  const toChanged = before.content === original;
  const target = toChanged ? changed : original;
  if (toChanged) changeSource(layer);
  else bench.upstream.holdings.restore(layer);

  const diedIn = await runs.killed(layer, at, withStore);
  const after = await fingerprint(bench.store, layer);
  const isNew = after.content === target;
  expect(after.content).toBe(isNew ? target : before.content);
  expect(after.generation).toBe(before.generation + (isNew ? 1 : 0));
  if (!isNew) expect(after.text).toBe(before.text);
  if (diedIn === null) expect(isNew).toBe(true);

  // Until a dead run is known for dead the layer is its own; then the next one takes it over.
  await silence(bench.store);
  const next = await bench.sync(layer);
  expect(next.state).toBe(isNew ? 'unchanged' : 'published');
  const mended = await fingerprint(bench.store, layer);
  expect(mended.content).toBe(target);
  expect(mended.generation).toBe(before.generation + 1);
  expect(await leftovers(bench.store)).toEqual({ staged: 0, running: 0 });
  return { left: isNew ? 'new' : 'old', diedIn };
}

class Toll {
  kills = 0;
  misses = 0;
  readonly left = { old: 0, new: 0 };
  readonly #phases = new Map<string, number>();

  note({ left, diedIn }: Kill): void {
    if (diedIn === null) {
      this.misses += 1;
      return;
    }
    this.kills += 1;
    this.left[left] += 1;
    this.#phases.set(diedIn, (this.#phases.get(diedIn) ?? 0) + 1);
  }

  phases(): string[] {
    return PHASES.filter((phase) => this.#phases.has(phase));
  }

  text(): string {
    const each = this.phases().map((phase) => `${phase} ${this.#phases.get(phase)}`);
    return (
      `${this.kills} kills (seed ${TEST_SEED}): ${each.join(', ')}; ` +
      `${this.left.old} left the old version, ${this.left.new} the new one; ` +
      `${this.misses} came too late and are not counted`
    );
  }
}

test(
  `a sync killed with -9 ${KILLS} times, at phases, statements and moments, leaves a whole version`,
  async () => {
    for (const layer of LAYERS) states.set(layer, await learn(layer));
    const random = createRandom(`kills ${TEST_SEED}`);
    const sure = surePlans(KILLS);
    const toll = new Toll();
    for (let n = 0; toll.kills < KILLS; n += 1) {
      const plan = sure[n] ?? momentPlan(random, toll.misses);
      try {
        // A run may die alone, or the store's process with it.
        toll.note(await killOnce(plan, isEmbedded && n % 3 !== 2));
      } catch (cause) {
        throw new Error(`seed ${TEST_SEED}, kill ${n + 1}: ${JSON.stringify(plan)}`, { cause });
      }
      expect(toll.misses).toBeLessThanOrEqual(MISSES);
    }
    console.log(toll.text());
    expect(toll.phases()).toEqual(PHASES);
    // A kill that never comes too late for the old version, or always does, tries nothing.
    expect(Math.min(toll.left.old, toll.left.new)).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
