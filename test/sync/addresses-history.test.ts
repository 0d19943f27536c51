/** The way back of the addresses, and runs of them done again from the archive without the register. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ADDRESSES } from '../../src/layers/keys.ts';
import type { AddressEntity } from '../../src/registers/addresses/tables.ts';
import { createArchive, runsIn } from '../../sync/archive.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { syncLayer } from '../../sync/run.ts';
import { replayRun } from '../../sync/replay.ts';
import { revertLayer } from '../../sync/revert.ts';
import { contentOf, openAddressBench } from './addresses-bench.ts';
import { randomFrom } from '../../src/snapshot/probes.ts';
import { opened, ownFolder } from '../support/opened.ts';
import { amountOf } from '../support/run-settings.ts';

let first: string;
const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const liftedGuards = LIFTABLE_GUARDS;
const revert = (by = 'Prøve') => revertLayer(bench.deps, ADDRESSES, { by });

const content = () => contentOf(bench, ADDRESSES, ['address_source']);

async function state() {
  const { rows } = await bench.store.pool.query<{ version: number; held_by: string | null }>(
    `select version::integer, synced_at, row_count, held_by from layer_state where layer = 'adresser'`,
  );
  return rows[0];
}

const leftovers = () =>
  bench.column("select relname from pg_class where relname ~ '^address_.*_run_' and relkind = 'r'");

/** A day at the register: of some tables some rows change, end or begin; of some a total comes. */
function happen(day: number): void {
  const random = randomFrom(day);
  const at = `2026-11-${String(day).padStart(2, '0')}T00:00:00.000000Z`;
  const entities: readonly AddressEntity[] = [
    'NavngivenVej',
    'Husnummer',
    'Adresse',
    'Ejendomsbeliggenhed',
  ];
  for (const entity of entities) {
    const rows = bench.shelf
      .rows(entity)
      .filter((row) => row['registreringTil'] === null && row['virkningTil'] === null)
      .filter(() => random() < 0.02);
    const names = { NavngivenVej: 'vejnavn', Husnummer: 'husnummertekst' } as const;
    const name = entity in names ? names[entity as keyof typeof names] : 'status';
    bench.shelf.change(entity, {
      at,
      close: rows,
      open: rows.flatMap((row, n) => {
        if (n % 4 === 0) return [];
        const changed = { ...row, [name]: name === 'status' ? '4' : `${day}${n}`, virkningFra: at };
        return n % 4 === 1 ? [{ ...row, virkningTil: at }, changed] : [changed];
      }),
    });
    if (random() < 0.5) bench.shelf.renew(entity);
  }
}

async function publish(): Promise<void> {
  const outcome = await bench.sync({ liftedGuards });
  expect(outcome, JSON.stringify(outcome)).toMatchObject({ state: 'published' });
}

describe('a revert', () => {
  // What is reverted before anything came, and that what is held is: test/store-contract/history-revert.test.ts.
  test('empties a table that what is undone had brought', async () => {
    // The property register comes later than the rest.
    bench.shelf.spoil({ listing: (all) => all.filter(({ register }) => register !== 'EBR') });
    await publish();
    first = await content();
    bench.shelf.spoil();
    await publish();
    expect(await bench.column('select count(*) > 0 from address_property')).toEqual([true]);
    expect(await revert()).toMatchObject({ state: 'published', counts: { inserted: 0 } });
    expect(await content()).toBe(first);
  });

  test('goes back night after night to the first, under new versions that are held, and says who', async () => {
    await publish();
    expect(await state()).toMatchObject({ held_by: null });
    const nights: { content: string; state: Awaited<ReturnType<typeof state>> }[] = [];
    for (let day = 3; day < amountOf({ gate: 5, night: 7 }); day += 1) {
      nights.push({ content: await content(), state: await state() });
      happen(day);
      await publish();
      expect(await content()).not.toBe(nights.at(-1)!.content);
    }
    let { version } = (await state())!;
    for (const night of nights.toReversed()) {
      const outcome = await revert('Ida ved skrivebordet');
      version += 1;
      const changed: unknown = expect.toSatisfy((count: number) => count > 0);
      expect(outcome).toMatchObject({
        ...{ state: 'published', publication: { version }, counts: { changed } },
      });
      expect(await content()).toBe(night.content);
      expect(await state()).toEqual({ ...night.state, version, held_by: 'Ida ved skrivebordet' });
    }
    let outcome = await revert();
    while (outcome.state === 'published') outcome = await revert();
    expect(outcome).toEqual({ layer: 'adresser', state: 'nothing' });
    expect(await content()).toBe(first);
    expect(await leftovers()).toEqual([]);
    await publish();
  });

  test('that cannot be whole changes nothing, and says why', async () => {
    const before = await content();
    await bench.column(
      "update layer_history set row_count = row_count + 1 where layer = 'adresser'",
    );
    expect(await revert()).toMatchObject({ state: 'failed', phase: 'apply' });
    expect(await content()).toBe(before);
    await bench.column(
      "update layer_history set row_count = row_count - 1 where layer = 'adresser'",
    );
  });
});

describe('a replay', () => {
  const dir = ownFolder('raw');

  async function archived(): Promise<string> {
    const archive = createArchive({ dir, keepRuns: 9, secrets: [], log: bench.deps.log });
    await syncLayer({ ...bench.deps, archive }, ADDRESSES, { trigger: 'command', liftedGuards });
    const [newest = ''] = await runsIn(join(dir, 'adresser'));
    return newest;
  }

  /** With nothing to ask: a register that is called fails the test. */
  const replay = (runId: string, { publish: isPublished = false } = {}) => {
    const gone = () => Promise.reject(new Error('The register was asked.'));
    return replayRun(
      { ...bench.deps, downloads: { list: gone, fetch: gone } },
      { dir, runId, publish: isPublished, by: 'Ida', liftedGuards },
    );
  };

  test('gives what the run gave, without the register', async () => {
    const before = await content();
    happen(12);
    bench.advance(60_000);
    const run = await archived();
    const [after, told] = [await content(), await state()];
    expect(after).not.toBe(before);
    expect(await replay(run)).toMatchObject({ layer: 'adresser', state: 'unchanged' });
    await revert();
    expect(await content()).toBe(before);
    bench.advance(60_000);
    expect(await replay(run)).toMatchObject({ state: 'would-publish' });
    expect(await content()).toBe(before);
    expect(await replay(run, { publish: true })).toMatchObject({ state: 'published' });
    expect(await content()).toBe(after);
    // As old as the reading, and held as a revert is.
    expect(await state()).toMatchObject({ ...told, version: told!.version + 2, held_by: 'Ida' });
    const [kind] = await bench.column('select kind from sync_run order by id desc limit 1');
    expect(kind).toBe('replay');
  });

  test('of deltas that do not follow the copy is refused', async () => {
    const older = await content();
    bench.shelf.change('Postnummer', { at: '2026-11-20T00:00:00.000000Z' });
    await archived();
    bench.shelf.change('Postnummer', { at: '2026-11-21T00:00:00.000000Z' });
    const second = await archived();
    await bench.column(
      "update address_source set generation = generation - 2 where entity = 'Postnummer'",
    );
    const outcome = await replay(second, { publish: true });
    expect(outcome).toMatchObject({ state: 'refused', refusals: [{ guard: 'generation' }] });
    await bench.column(
      "update address_source set generation = generation + 2 where entity = 'Postnummer'",
    );
    expect((await content()).length).toBe(older.length);
  });

  test('of a reading that had failed is none', async () => {
    bench.shelf.renew('Postnummer');
    bench.shelf.renew('NavngivenVej');
    bench.shelf.spoil({
      zip: (entity, zip) => (entity === 'NavngivenVej' ? zip.subarray(9) : zip),
    });
    const run = await archived();
    await expect(replay(run)).rejects.toThrow(/had read \d tables when its source failed/);
    bench.shelf.spoil();
  });

  test('of a file that is not what it was fails, and changes nothing', async () => {
    bench.shelf.renew('Postnummer');
    const run = await archived();
    const before = await content();
    const objects = join(dir, 'adresser/objects');
    for (const name of readdirSync(objects, { recursive: true }).map(String)) {
      if (name.endsWith('.zip')) writeFileSync(join(objects, name), 'something else');
    }
    expect(await replay(run, { publish: true })).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/is damaged/) as string,
    });
    expect(await content()).toBe(before);
  });
});
