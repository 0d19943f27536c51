/** A register added by data and a migration alone goes through everything the addresses go through. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createDownloads } from '../../src/downloads/client.ts';
import type { Downloads } from '../../src/downloads/client.ts';
import { storeTables } from '../../src/layers/register-tables.ts';
import type { TableRegister } from '../../src/layers/register.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { createArchive, runsIn } from '../../sync/archive.ts';
import type { RunOutcome, SyncDeps } from '../../sync/deps.ts';
import { replayRun } from '../../sync/replay.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import type { SyncBench } from '../support/sync-bench.ts';
import { TOYS, TOY_MIGRATION, startToyServer, toyRegister } from '../support/toy-register.ts';
import type { ToyRow, ToyServer } from '../support/toy-register.ts';
import { ownFolder } from '../support/opened.ts';

let bench: SyncBench;
let server: ToyServer;
let downloads: Downloads;
let register: TableRegister;
let deps: SyncDeps;
const dir = ownFolder('toys');

beforeAll(async () => {
  [bench, server] = await Promise.all([openSyncBench(), startToyServer()]);
  const migrations = join(dir, 'migrations');
  cpSync(join(import.meta.dirname, '../../sql/migrations'), migrations, { recursive: true });
  writeFileSync(join(migrations, '9000_toys.sql'), TOY_MIGRATION);
  expect(await migrate(bench.store, migrations)).toEqual(['9000_toys']);
  const { clock, log, catalogue } = bench.deps;
  downloads = createDownloads({ dir: join(dir, 'files'), clock, wait: () => Promise.resolve() });
  register = toyRegister(server.url);
  deps = {
    ...bench.deps,
    downloads,
    catalogue: { ...catalogue, registers: { ...catalogue.registers, [TOYS]: register } },
    archive: createArchive({ dir: join(dir, 'raw'), keepRuns: 9, secrets: [], log }),
  };
  server.put('Legetoej', 'Total', toys(20));
  server.put('Ejer', 'Total', owners(30));
});
afterAll(async () => {
  await Promise.all([downloads.close(), server.close()]);
  await bench.close();
});

const FIRST = '2020-01-01T00:00:00Z';
const LATER = '2026-11-02T00:00:00Z';
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function toy(n: number, more: ToyRow = {}): ToyRow {
  return {
    id_lokalId: idOf(n),
    status: 3,
    navn: `Bil ${n}`,
    producent: n % 2 === 0 ? 'Tekno' : null,
    registreringFra: FIRST,
    registreringTil: null,
    virkningFra: FIRST,
    virkningTil: null,
    ...more,
  };
}

/** Two owners of the first ten toys, one of the others. */
function owner(n: number, more: ToyRow = {}): ToyRow {
  return {
    legetoej: idOf(n % 20),
    nummer: 1 + Math.floor(n / 20),
    status: 3,
    andel: '1/1',
    registreringFra: FIRST,
    registreringTil: null,
    virkningFra: FIRST,
    virkningTil: null,
    ...more,
  };
}

const toys = (length: number) => Array.from({ length }, (_, n) => toy(n));
const owners = (length: number) => Array.from({ length }, (_, n) => owner(n));

const sync = (
  more: { readonly liftedGuards?: readonly string[]; readonly dryRun?: boolean } = {},
) => syncLayer(deps, TOYS, { trigger: 'command', ...more });

async function rows(query: string): Promise<readonly unknown[][]> {
  const found = await bench.store.pool.query<Record<string, unknown>>(query);
  return found.rows.map((row) => Object.values(row));
}

/** Everything the register's tables hold, as text. */
async function content(): Promise<string> {
  const tables = [...storeTables(register.schema), register.schema.beside.sources];
  const texts = tables.map((table) => rows(`select t::text from ${table} t order by 1`));
  return JSON.stringify(await Promise.all(texts));
}

async function health(): Promise<string | undefined> {
  const { layers } = await readStatus(bench.store, deps.catalogue, deps.clock.nowMs());
  return layers.find(({ layer }) => layer === TOYS)?.state;
}

function guardsOf(outcome: RunOutcome): readonly string[] {
  return outcome.state === 'refused' ? outcome.refusals.map(({ guard }) => guard) : [];
}

/** A day at the register: one toy renamed, one ended, one new; an owner gives half away, another goes. */
function aDay(): void {
  server.put('Legetoej', 'Delta', [
    toy(0, { registreringTil: LATER }),
    toy(0, { registreringFra: LATER, virkningTil: LATER }),
    toy(0, { navn: 'Bus 0', registreringFra: LATER, virkningFra: LATER }),
    toy(19, { registreringTil: LATER }),
    toy(20, { registreringFra: LATER, virkningFra: LATER }),
  ]);
  server.put('Ejer', 'Delta', [
    owner(0, { registreringTil: LATER }),
    owner(0, { andel: '1/2', registreringFra: LATER }),
    owner(1, { registreringTil: LATER }),
    owner(1, { andel: '1/3', registreringFra: LATER, virkningFra: LATER }),
    owner(19, { registreringTil: LATER }),
    owner(29, { registreringTil: LATER }),
  ]);
}

describe('a register of two tables', () => {
  test('is missing until it is mirrored whole, then fresh', async () => {
    expect(await health()).toBe('missing');
    expect(await sync({ dryRun: true })).toMatchObject({ state: 'would-publish' });
    expect(await rows('select count(*)::integer from toy')).toEqual([[0]]);
    const publication = { layer: TOYS, version: 1, rowCount: 20 };
    expect(await sync()).toMatchObject({ state: 'published', publication });
    expect(bench.published.at(-1)).toMatchObject(publication);
    expect(await rows('select count(*)::integer from toy_owner')).toEqual([[30]]);
    expect(await rows(`select maker from toy where id = '${idOf(2)}'`)).toEqual([['Tekno']]);
    expect(await health()).toBe('fresh');
    expect(await sync()).toMatchObject({ state: 'unchanged' });
  });

  test('takes deltas by keys of one column and of two, and keeps what was', async () => {
    aDay();
    expect(await sync()).toMatchObject({
      state: 'published',
      counts: { inserted: 1, changed: 3, removed: 3 },
    });
    expect(await rows(`select name from toy where id = '${idOf(0)}'`)).toEqual([['Bus 0']]);
    expect(await rows('select name from toy_former')).toEqual([['Bil 0']]);
    expect(await rows("select toy_id, owner_no from toy_owner where share = '1/2'")).toEqual([
      [idOf(0), expect.anything()],
    ]);
    expect(await rows('select count(*)::integer from toy_owner')).toEqual([[28]]);
  });

  test('keeps whole rows until they were replaced, and those that ended until then', async () => {
    const past = `
      select owner_no::integer, share, valid_from, valid_to from toy_owner_former
      order by valid_to, owner_no`;
    const [replaced, ...ended] = await rows(past);
    expect(replaced).toEqual([1, '1/1', new Date(FIRST), new Date(LATER)]);
    const [[read] = []] = await rows(`select synced_at from layer_state where layer = '${TOYS}'`);
    expect(ended).toEqual([
      [1, '1/1', new Date(FIRST), read],
      [2, '1/1', new Date(FIRST), read],
    ]);
  });

  test('goes a version back, is held, and comes again from the archive without its source', async () => {
    const after = await content();
    expect(await revertLayer(deps, TOYS, { by: 'Ida' })).toMatchObject({ state: 'published' });
    expect(await rows('select count(*)::integer from toy_owner')).toEqual([[30]]);
    expect(await rows('select name from toy_former')).toEqual([]);
    expect(await syncLayer(deps, TOYS, { trigger: 'schedule' })).toMatchObject({
      state: 'held',
      by: 'Ida',
    });
    const [run = ''] = await runsIn(join(dir, 'raw', TOYS));
    const gone = () => Promise.reject(new Error('The register was asked.'));
    const offline = { ...deps, downloads: { list: gone, fetch: gone } };
    const options = { dir: join(dir, 'raw'), runId: run, by: 'Ida' };
    expect(await replayRun(offline, { ...options, publish: false })).toMatchObject({
      state: 'would-publish',
    });
    expect(await replayRun(offline, { ...options, publish: true })).toMatchObject({
      state: 'published',
    });
    expect(await content()).toBe(after);
    expect(await sync()).toMatchObject({ state: 'unchanged' });
    expect(await rows('select held_by from layer_state')).toEqual([[null]]);
  });

  test('with a total replaces what differs, and that is undone as well', async () => {
    const before = await content();
    const bought = Array.from({ length: 21 }, (_, n) => toy(n, n === 5 ? { navn: 'Fem' } : {}));
    server.put('Legetoej', 'Total', bought);
    server.put('Ejer', 'Total', owners(30));
    expect(await sync()).toMatchObject({ state: 'published' });
    expect(await rows(`select name from toy where id = '${idOf(5)}'`)).toEqual([['Fem']]);
    const indexes = "select indexname from pg_indexes where tablename = 'toy' order by 1";
    expect(await rows(indexes)).toEqual([['toy_maker'], ['toy_pkey']]);
    const renewed = await content();
    expect(await revertLayer(deps, TOYS, { by: 'Ida' })).toMatchObject({ state: 'published' });
    expect(await content()).toBe(before);
    expect(await sync()).toMatchObject({ state: 'published' });
    expect(await content()).toBe(renewed);
  });

  test('is refused with half its rows, and the old copy stays', async () => {
    const before = await content();
    server.put('Ejer', 'Total', owners(10));
    const outcome = await sync();
    expect(guardsOf(outcome)).toContain('row-drop');
    expect(outcome).toMatchObject({ state: 'refused', hasCopy: true });
    expect(await content()).toBe(before);
    expect(await health()).toBe('failed');
    expect(await rows('select layer from register_refusal')).toEqual([]);
  });

  test('is refused where owners have toys that are not there, until a person vouches for it', async () => {
    server.put(
      'Ejer',
      'Total',
      Array.from({ length: 30 }, (_, n) => owner(n, n < 8 ? { legetoej: idOf(900 + n) } : {})),
    );
    expect(guardsOf(await sync())).toEqual(['references']);
    expect(await sync({ liftedGuards: ['references'] })).toMatchObject({ state: 'published' });
  });

  test('is refused without a column it must have', async () => {
    const before = await content();
    server.put(
      'Legetoej',
      'Total',
      Array.from({ length: 21 }, (_, n) => {
        const { producent: _maker, ...rest } = toy(n);
        return rest;
      }),
    );
    expect(guardsOf(await sync())).toContain('schema');
    expect(await content()).toBe(before);
  });

  test('is late when its copy is older than its limit, and leaves nothing staged', async () => {
    server.put('Legetoej', 'Total', toys(21));
    server.put('Ejer', 'Total', owners(30));
    expect(await sync()).toMatchObject({ state: 'published' });
    expect(await health()).toBe('fresh');
    bench.advance(2 * 3_600_000);
    expect(await health()).toBe('delayed');
    expect(await rows("select relname from pg_class where relname ~ '^toy.*_run_'")).toEqual([]);
  });

  test('is asked once whether its files may go without one of their times', async () => {
    const without = owners(30).map(({ virkningTil: _, ...row }) => row);
    const taken = "select without_times from toy_source where entity = 'Ejer'";
    server.put('Ejer', 'Total', without);
    expect(guardsOf(await sync())).toEqual(['schema']);
    expect(await sync({ liftedGuards: ['schema'] })).toMatchObject({ state: 'unchanged' });
    expect(await rows(taken)).toEqual([[['virkningTil']]]);
    server.put(
      'Ejer',
      'Total',
      [...without, owner(30)].map(({ virkningTil: _, ...row }) => row),
    );
    expect(await sync()).toMatchObject({ state: 'published' });
    // From when it has them it is held to them again.
    server.put('Ejer', 'Total', [...owners(30), owner(30)]);
    expect(await sync()).toMatchObject({ state: 'unchanged' });
    expect(await rows(taken)).toEqual([[[]]]);
    server.put('Ejer', 'Total', without);
    expect(guardsOf(await sync())).toContain('schema');
  });
});
