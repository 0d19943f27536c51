/**
 * kill -9 of a sync whose tables are folded, assessments, companies and place names: in the middle of the fold, at
 * each phase and at statements by chance, and while the index of places is built behind it. The copy is the old one
 * or the new one, whole, and so is the index; the run after it finishes. In the gate each fold once, and what the
 * registers share once.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { storeNameOf } from '../../src/db/store-name.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { PLACE_NAMES } from '../../src/layers/keys.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import { createPlaceLoader } from '../../src/registers/places/load.ts';
import { syncLayer } from '../../sync/run.ts';
import { createWorkers } from '../../workers/pool.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { TEST_SEED, isHeavy } from '../support/run-settings.ts';
import { silence } from '../support/silence.ts';
import { tableLeftovers } from './file-source.ts';
import { KillRuns } from './kill-runs.ts';
import type { KillAt } from './kill-terms.ts';

const isEmbedded = inject('storeTemplate').kind === 'embedded';
const STATEMENTS = 60;
const PHASES = ['fetch', 'diff', 'check', 'apply', 'announce'] as const;
/** So long into the statement that folds, milliseconds: before it has begun, and while it goes on. */
const FOLDING_MS = [0, 2, 8];
/** So long into the building of the index of places, milliseconds. */
const INDEX_MS = isHeavy ? [0, 5, 10, 20, 40, 80, 160] : [10];

const FOLDED = [
  { register: 'vurdering', entity: 'Ejendomsvurdering', column: 'vurderetAreal' },
  { register: 'cvr', entity: 'Branche', column: 'vaerdi' },
  { register: PLACE_NAMES, entity: 'Bebyggelse', column: 'indbyggertal' },
] as const;
type Folded = (typeof FOLDED)[number];

const workers = createWorkers({ threads: 1 });
let bench: AddressBench;
/** Of the index of places. */
let directory: string;
beforeAll(async () => {
  if (isEmbedded) return;
  bench = await openAddressBench();
  directory = join(bench.store.dataDir, 'places');
});
afterAll(async () => {
  await workers.close();
  if (!isEmbedded) await bench.close();
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

const version = async ({ register }: Pick<Folded, 'register'>) =>
  (await bench.column(`select version::integer from layer_state where layer = '${register}'`))[0];

/** A service that starts answers from an index that is whole, and says what the store does. */
async function expectIndex(): Promise<void> {
  const { store } = bench;
  const storeName = storeNameOf(store.databaseUrl);
  const loader = createPlaceLoader({ store, workers, directory, storeName, log: () => undefined });
  await loader.refresh();
  const { finder, copy } = loader.current!;
  try {
    expect(copy.version).toBe(await version({ register: PLACE_NAMES }));
    const { rows } = await store.pool.query<{
      id: string;
      inhabitants: number | null;
      wkb: Buffer;
    }>(
      `select public_id as id, inhabitants, ST_AsBinary(geom, 'NDR') as wkb from place
       where geom is not null`,
    );
    expect(finder.placeCount).toBe(rows.length);
    for (const { id, inhabitants, wkb } of rows) {
      const found = await finder.find(id);
      expect(found?.place).toMatchObject({ id, inhabitants });
      expect(wkb.equals(found?.wkb ?? Buffer.alloc(0))).toBe(true);
    }
  } finally {
    finder.retire();
  }
  const names = (await readdir(directory)).filter((name) => !name.endsWith('.part'));
  expect(names.map((name) => name.split('.').at(-1)).sort()).toEqual(['idx', 'json', 'wkb']);
}

async function killOnce(folded: Folded, runs: KillRuns, at: KillAt): Promise<string | null> {
  change(folded);
  const [before, versionBefore] = [await content(folded), await version(folded)];
  const diedIn = await runs.killed(folded.register, at, false);
  const isNew = (await version(folded)) !== versionBefore;
  const after = await content(folded);
  expect(after === before).toBe(!isNew);
  if (at.kind === 'records') {
    expect(isNew).toBe(true);
    await expectIndex();
  }
  await silence(bench.store);
  const next = await syncLayer(bench.deps, folded.register, { trigger: 'command' });
  expect(next.state).toBe(isNew ? 'unchanged' : 'published');
  // What the next run makes of it is what one that nobody killed makes of it.
  if (isNew) expect(await content(folded)).toBe(after);
  expect(await tableLeftovers(bench)).toBe(0);
  return diedIn;
}

const folding = (afterMs: number): KillAt => ({ kind: 'sql', text: 'json_build_array', afterMs });

/** `statements`: of a whole run; null: nobody has counted them. */
function plansOf({ register }: Folded, statements: number | null): readonly KillAt[] {
  const index =
    register === PLACE_NAMES
      ? INDEX_MS.map((afterMs): KillAt => ({ kind: 'records', afterMs }))
      : [];
  if (statements === null) {
    // Publishing is the same for all of them.
    const apply: KillAt[] = register === 'cvr' ? [{ kind: 'phase', phase: 'apply' }] : [];
    return [folding(2), ...apply, ...index];
  }
  const draw = createRandom(`fold kills ${register} ${TEST_SEED}`);
  const phases = PHASES.map((phase): KillAt => ({ kind: 'phase', phase }));
  const byChance = Array.from({ length: STATEMENTS }, (): KillAt => {
    const number = draw.integer(3, statements);
    return { kind: 'statement', number, moment: draw.pick(['before', 'sent'] as const) };
  });
  return [...FOLDING_MS.map(folding), ...phases, ...index, ...byChance];
}

test.skipIf(isEmbedded).each(FOLDED)(
  'a fold of $register that is killed leaves the copy old or new, and the run after finishes',
  async (folded) => {
    const { register } = folded;
    const sync = () => syncLayer(bench.deps, register, { trigger: 'command' });
    expect((await sync()).state).toBe('published');
    const most = isHeavy ? Infinity : plansOf(folded, null).length;
    const runs = new KillRuns(bench, register === PLACE_NAMES ? directory : null, most);
    try {
      let statements: number | null = null;
      if (isHeavy) {
        change(folded);
        const whole = await runs.whole(register);
        expect(whole.state).toBe('published');
        statements = whole.statements;
      }
      const died: (string | null)[] = [];
      const plans = plansOf(folded, statements);
      for (const at of plans) {
        died.push(
          await killOnce(folded, runs, at).catch((cause: unknown) => {
            throw new Error(`seed ${TEST_SEED}: ${JSON.stringify(at)}`, { cause });
          }),
        );
      }
      // The first is dead before the statement has an answer.
      if (isHeavy) expect(died[0]).toBe('fetch');
      for (const at of plans) if (at.kind === 'phase') expect(died).toContain(at.phase);
    } finally {
      runs.close();
    }
  },
  60 * 60_000,
);
