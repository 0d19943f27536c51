/**
 * kill -9 of a sync whose tables are folded, assessments and companies: in the middle of the fold, at each phase
 * and at statements by chance. The copy is the old one or the new one, whole, and the run after it finishes.
 */
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/layers/catalogue.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { syncLayer } from '../../sync/run.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import { tableLeftovers } from './file-source.ts';
import { KillRuns } from './kill-runs.ts';
import type { KillAt } from './kill-terms.ts';

const isEmbedded = inject('storeTemplate').kind === 'embedded';
const STATEMENTS = amountOf({ gate: 2, night: 60 });
const PHASES = ['fetch', 'diff', 'check', 'apply', 'announce'] as const;
/** So long into the statement that folds, milliseconds: before it has begun, and while it goes on. */
const FOLDING_MS = [0, 2, 8];

const FOLDED = [
  { register: 'vurdering', entity: 'Ejendomsvurdering', column: 'vurderetAreal' },
  { register: 'cvr', entity: 'Branche', column: 'vaerdi' },
] as const;
type Folded = (typeof FOLDED)[number];

let bench: AddressBench;
let runs: KillRuns;
beforeAll(async () => {
  if (isEmbedded) return;
  bench = await openAddressBench();
  runs = new KillRuns(bench);
});
afterAll(async () => {
  if (isEmbedded) return;
  runs.close();
  await bench.close();
});

let changes = 0;

/** A row says something else, in a new total. */
function change({ entity, column }: Folded): void {
  changes += 1;
  const isTrueNow = (row: TableRow) =>
    row['registreringTil'] === null && row['virkningTil'] === null;
  const [row] = bench.shelf.rows(entity).filter(isTrueNow);
  bench.shelf.change(entity, {
    at: `2026-11-02T06:30:${String(changes % 60).padStart(2, '0')}.000000Z`,
    close: [row!],
    open: [{ ...row!, [column]: String(900_000 + changes) }],
  });
  bench.shelf.renew(entity);
}

async function content({ register }: Folded): Promise<unknown> {
  const { schema } = REGISTERS_CATALOGUE.registers[register];
  const names = [...storeTables(schema), schema.beside.sources];
  const sums = names.map(
    (name) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${name} t)`,
  );
  const [text] = await bench.column(`select concat_ws(' ', ${sums.join(', ')})`);
  return text;
}

const version = async ({ register }: Folded) =>
  (await bench.column(`select version::integer from layer_state where layer = '${register}'`))[0];

async function killOnce(folded: Folded, at: KillAt): Promise<string | null> {
  change(folded);
  const [before, versionBefore] = [await content(folded), await version(folded)];
  const diedIn = await runs.killed(folded.register, at, false);
  const isNew = (await version(folded)) !== versionBefore;
  const after = await content(folded);
  expect(after === before).toBe(!isNew);
  bench.advance(LIMITS.syncDeadAfterMs + 1_000);
  const next = await syncLayer(bench.deps, folded.register, { trigger: 'command' });
  expect(next.state).toBe(isNew ? 'unchanged' : 'published');
  // What the next run makes of it is what one that nobody killed makes of it.
  if (isNew) expect(await content(folded)).toBe(after);
  expect(await tableLeftovers(bench)).toBe(0);
  return diedIn;
}

test.skipIf(isEmbedded).each(FOLDED)(
  'a fold of $register that is killed leaves the copy old or new, and the run after finishes',
  async (folded) => {
    const draw = createRandom(`fold kills ${folded.register} ${TEST_SEED}`);
    expect((await runs.whole(folded.register)).state).toBe('published');
    change(folded);
    const { state, statements } = await runs.whole(folded.register);
    expect(state).toBe('published');
    const folding = FOLDING_MS.map((afterMs): KillAt => ({
      kind: 'sql',
      text: 'json_build_array',
      afterMs,
    }));
    // In the gate each phase of the smaller one: they are the same for both.
    const played = isHeavy || folded.register === 'cvr' ? PHASES : [];
    const phases = played.map((phase): KillAt => ({ kind: 'phase', phase }));
    const byChance = Array.from({ length: STATEMENTS }, (): KillAt => {
      const number = draw.integer(3, statements);
      return { kind: 'statement', number, moment: draw.pick(['before', 'sent'] as const) };
    });
    const died: (string | null)[] = [];
    for (const at of [...folding, ...phases, ...byChance]) {
      died.push(
        await killOnce(folded, at).catch((cause: unknown) => {
          throw new Error(`seed ${TEST_SEED}: ${JSON.stringify(at)}`, { cause });
        }),
      );
    }
    // The first is dead before the statement has an answer.
    expect(died[0]).toBe('fetch');
    for (const phase of played) expect(died).toContain(phase);
  },
  10 * 60_000,
);
