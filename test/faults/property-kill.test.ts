/**
 * kill -9 of a sync of BBR or the cadastre, of a total and of a delta, at each phase, while the file of
 * properties is built behind it, and at any moment: the old version or the new, whole, and the file that is
 * in service after the next start says of every property what the tables say.
 */
import { storeLookups } from '../support/lookups.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { recordText } from '../../src/registers/property/record/batch.ts';
import { storeNameOf } from '../../src/db/store-name.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { createPropertyLoader } from '../../src/registers/property/load.ts';
import type { PropertyLoader } from '../../src/registers/property/load.ts';
import { syncLayer } from '../../sync/run.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { createWorkers } from '../../workers/pool.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { HANG_MS, TEST_SEED, amountOf, isHeavy } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { silence } from '../support/silence.ts';
import {
  FILE_REGISTERS,
  SOURCE_TABLES,
  changeSource,
  stateOf,
  tableLeftovers,
  untold,
} from './file-source.ts';
import type { Changed, FileRegister, SourceTable } from './file-source.ts';
import { KillRuns } from './kill-runs.ts';
import type { Kill } from './kill-runs.ts';
import { RECORDS } from './kill-terms.ts';
import type { KillAt } from './kill-terms.ts';
import { FILE_KINDS } from './matrix-files.ts';
import type { FileKind } from './matrix-files.ts';

const isEmbedded = inject('storeTemplate').kind === 'embedded';
/** At moments that nobody chose, beside those at each phase. */
const MOMENTS = Number(
  process.env['PROPERTY_CRASHES'] ?? (isEmbedded ? 2 : amountOf({ gate: 1, night: 50 })),
);
/** Phases that a register of tables goes through behind its claim: nothing is derived of it. */
const PHASES = ['fetch', 'diff', 'check', 'apply', 'announce'] as const;
/** A statement of the claim. */
const CLAIMS_AT = 3;
/** Of the whole run, its claim and the building of the file: a bit more, so that the end is met as well. */
const LATE = 1.1;
/** Numbers held against the tables after each kill; before the first and after the last it is all of them. */
const COMPARED = amountOf({ gate: 149, night: 1_000_000 });
const BATCH = LIMITS.property.perBatch;

interface Plan {
  readonly register: FileRegister;
  readonly kind: FileKind;
  readonly at: KillAt;
}

const workers = createWorkers({ threads: 1 });
const bench = await opened(openAddressBench());
const directory = join(bench.store.dataDir, 'records');
const runs = await opened(Promise.resolve(new KillRuns(bench, directory)));
beforeAll(async () => {
  for (const register of FILE_REGISTERS) expect((await sync(register)).state).toBe('published');
});
afterAll(() => workers.close());

const sync = (register: FileRegister) => syncLayer(bench.deps, register, { trigger: 'command' });

/** A service that starts: it answers from what lies there, and builds what is published. */
async function started<T>(work: (loader: PropertyLoader) => Promise<T>): Promise<T> {
  const { store, deps } = bench;
  const loader = createPropertyLoader({
    ...{ clock: deps.clock, store, workers, directory },
    storeName: storeNameOf(store.databaseUrl),
    log: () => undefined,
  });
  loader.start();
  try {
    const deadline = performance.now() + HANG_MS;
    while (loader.current?.isPublished() !== true || !loader.isOpen) {
      if (performance.now() > deadline) throw new Error('No file of properties is in service.');
      await sleep(20);
    }
    return await work(loader);
  } finally {
    await loader.stop();
    loader.current?.records.retire();
  }
}

async function recordsOf(loader: PropertyLoader | null, bfes: readonly number[]) {
  const { store, deps } = bench;
  const { catalogue, clock } = deps;
  const { properties } = storeLookups(store, { catalogue, clock }, { property: loader });
  const { value, provenance } = await properties.find(bfes, null);
  const text = value.map((each) => (each instanceof Failure ? each.code : recordText(each)));
  return { text, isFromFile: provenance.some(({ rung }) => rung === 'snapshot') };
}

/** Of `most` numbers, and of one that nobody knows. */
async function expectAgreement(draw: Random, most = Infinity): Promise<void> {
  const all = (await bench.column(`
    select bfe::integer from (select bfe from bbr_property union select bfe from cadastre_property
      union select bfe from cadastre_flat union select bfe from cadastre_foreign_building) n
    where bfe is not null order by 1`)) as number[];
  expect(all.length).toBeGreaterThan(1_000);
  const from = draw.integer(0, Math.max(0, all.length - most));
  const bfes = [9_999_999, ...all.slice(from, from + most)];
  await started(async (loader) => {
    for (let at = 0; at < bfes.length; at += BATCH) {
      const asked = bfes.slice(at, at + BATCH);
      const [file, stored] = [await recordsOf(loader, asked), await recordsOf(null, asked)];
      expect(file.isFromFile).toBe(true);
      expect(file.text).toEqual(stored.text);
    }
  });
  const files = (await readdir(directory)).filter((name) => !name.endsWith('.part'));
  expect(files.map((name) => name.split('.').at(-1)).sort()).toEqual(['bfe', 'json', 'rec']);
}

/** What a whole run of each takes. */
const wholeMs = new Map<string, number>();
const nameOf = ({ register, kind }: Pick<Plan, 'register' | 'kind'>) => `${kind} of ${register}`;

let changes = 0;
function change({ register, kind }: Pick<Plan, 'register' | 'kind'>, draw: Random) {
  const table = draw.pick(SOURCE_TABLES[register]);
  changes += 1;
  return { table, changed: changeSource(bench.shelf, { table, kind, draw, number: changes }) };
}

function plans(draw: Random): readonly Plan[] {
  const each = FILE_REGISTERS.flatMap((register) => FILE_KINDS.map((kind) => ({ register, kind })));
  const sure = each.flatMap((of, n): Plan[] => {
    const phases = PHASES.map((phase): Plan => ({ ...of, at: { kind: 'phase', phase } }));
    const records: Plan = { ...of, at: { kind: 'records', afterMs: 40 * n } };
    // In the gate every phase of one of the four; of the others the building of the file.
    if (!isHeavy && n > 0) return [records];
    const claim = { kind: 'statement', number: CLAIMS_AT, moment: 'sent' } as const;
    return [{ ...of, at: claim }, ...phases, records];
  });
  const moments = Array.from({ length: MOMENTS }, (): Plan => {
    const of = draw.pick(each);
    const withinMs = LATE * (wholeMs.get(nameOf(of)) ?? 0);
    return { ...of, at: { kind: 'moment', afterMs: draw.between(0, withinMs) } };
  });
  // Embedded, a store takes seconds to come back.
  return [...(isEmbedded ? sure.filter((_, n) => n % 5 === 0) : sure), ...moments];
}

async function killOnce(plan: Plan, draw: Random, withStore: boolean): Promise<Kill> {
  const { register, at } = plan;
  const { table, changed } = change(plan, draw);
  const before = await stateOf(bench, register);
  const diedIn = await runs.killed(register, at, withStore);
  const after = await stateOf(bench, register);
  const isNew = await isPublished(table, changed);
  if (diedIn === null || diedIn === RECORDS || diedIn === 'announce') expect(isNew).toBe(true);
  if (isNew) await expectAgreement(draw, COMPARED);
  else expect(after).toEqual(before);

  // Until a dead run is known for dead the register is its own; then the next one takes it over.
  await silence(bench.store);
  const next = await sync(register);
  expect(next.state).toBe(isNew ? 'unchanged' : 'published');
  const mended = await stateOf(bench, register);
  if (isNew) expect(mended.content).toBe(after.content);
  expect(await untold(bench, table, changed)).toEqual([]);
  expect(await tableLeftovers(bench)).toBe(0);
  return { left: isNew ? 'new' : 'old', diedIn };
}

/** All of the change is told, or nothing of it. */
async function isPublished(table: SourceTable, changed: Changed): Promise<boolean> {
  const missing = await untold(bench, table, changed);
  expect([0, changed.size]).toContain(missing.length);
  return missing.length === 0;
}

test('a register whose sync is killed with -9 is old or new, and its file agrees with its tables', async () => {
  const draw = createRandom(`property kills ${TEST_SEED}`);
  for (const register of FILE_REGISTERS) {
    for (const kind of FILE_KINDS) {
      change({ register, kind }, draw);
      const { state, ms } = await runs.whole(register);
      expect(state).toBe('published');
      wholeMs.set(nameOf({ register, kind }), ms);
    }
  }
  await expectAgreement(draw);
  const left = { old: 0, new: 0 };
  const died = new Map<string, number>();
  for (const [n, plan] of plans(draw).entries()) {
    try {
      const kill = await killOnce(plan, draw, isEmbedded && n % 3 !== 2);
      left[kill.left] += 1;
      const where = kill.diedIn ?? 'too late';
      died.set(where, (died.get(where) ?? 0) + 1);
    } catch (cause) {
      throw new Error(`seed ${TEST_SEED}, kill ${n + 1}: ${JSON.stringify(plan)}`, { cause });
    }
  }
  await expectAgreement(draw);
  // Nothing was lost on the way: a new total of each finds nothing to mend.
  for (const register of FILE_REGISTERS) {
    for (const { entity } of SOURCE_TABLES[register]) bench.shelf.renew(entity);
    expect((await sync(register)).state).toBe('unchanged');
  }
  const phases = [...died].map(([phase, count]) => `${phase} ${count}`).join(', ');
  console.log(
    `seed ${TEST_SEED}: ${left.old} left the old version, ${left.new} the new; ${phases}`,
  );
  if (!isEmbedded) {
    for (const phase of ['claim', ...PHASES, RECORDS]) expect([...died.keys()]).toContain(phase);
  }
  expect(Math.min(left.old, left.new)).toBeGreaterThan(0);
});
