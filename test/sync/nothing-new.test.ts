/**
 * What a source may answer that is no news and no proof either: a listing without the table, one that went
 * back, a filter that matches nothing. Of every register (layers: `emptied`, `not-modified` of the fault matrix):
 * behind a copy none of them renews the moment the copy was proved, and each is told with what the source held.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { PROTECTION, REGISTER_IDS } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { readStatus } from '../../src/ops/freshness.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { syncLayer } from '../../sync/run.ts';
import { isGood, outcomeLines } from '../../sync/terminal.ts';
import { SAMPLE_ENTITIES } from '../../sample/data/tables.ts';
import type { ShelfEntry } from '../../sample/files/entry.ts';
import { registerOf } from '../../sample/files/table-shelf.ts';
import { oneIn } from '../support/run-settings.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
afterEach(() => {
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
});

const sync = (id: RegisterId, liftedGuards: readonly string[] = []) =>
  syncLayer(bench.deps, id, { trigger: 'command', liftedGuards });
for (const id of REGISTER_IDS) expect(await sync(id)).toMatchObject({ state: 'published' });

/** All that is on record of a copy: its moment, its version, and which files it was made from. */
async function standing(id: RegisterId): Promise<string> {
  const state = await bench.store.pool.query('select * from layer_state where layer = $1', [id]);
  const tables = OF_FILES.map((each) => REGISTERS_CATALOGUE.registers[each].schema.beside.sources);
  const sources = await bench.column(
    tables.map((table) => `select to_jsonb(s) from ${table} s`).join(' union all '),
  );
  return JSON.stringify([state.rows, sources]);
}

const renamed =
  (change: (entry: ShelfEntry) => Partial<ShelfEntry>) =>
  (entries: readonly ShelfEntry[]): readonly ShelfEntry[] =>
    entries.map((entry) => ({ ...entry, ...change(entry) }));

type Change = (entries: readonly ShelfEntry[]) => readonly ShelfEntry[];

const OTHERS = /The listing holds \d+ files: /;
const LISTINGS: readonly (readonly [about: string, change: Change, held: RegExp])[] = [
  ['is empty', () => [], /The listing is empty\./],
  [
    'holds only another version',
    renamed(({ fileName }) => ({ version: '9', fileName: fileName.replace(/_V\d_/, '_V9_') })),
    /The listing holds \d+ files: \w+_V9_/,
  ],
  [
    'holds only another format',
    renamed(({ fileName }) => ({
      containedFileFormat: 'gpkg',
      fileName: fileName.replace(/_(csv|json)_/, '_gpkg_'),
    })),
    /The listing holds \d+ files: \w+_gpkg_/,
  ],
  [
    'holds only another register',
    renamed(({ fileName }) => ({
      register: 'XYZ',
      fileName: fileName.replace(/^[A-Z]+_/, 'XYZ_'),
    })),
    /The listing holds \d+ files: XYZ_/,
  ],
  [
    'holds only other contents',
    renamed(({ fileName }) => ({
      typeOfData: 'Temporal',
      fileName: fileName.replace(/_(Current|Bitemporal)_/, '_Temporal_'),
    })),
    /The listing holds \d+ files: \w+_Temporal_/,
  ],
  [
    'spells the table otherwise',
    renamed(({ fileName, entityName }) => ({
      entityName: `${entityName}er`,
      fileName: fileName.replace(`_${entityName}_`, `_${entityName}er_`),
    })),
    OTHERS,
  ],
  ['holds only parts of the table', renamed(() => ({ municipalityCode: '0091' })), OTHERS],
  [
    'holds only what has expired',
    renamed(() => ({ expirationDate: '2020-01-01T00:00:00Z' })),
    OTHERS,
  ],
];

const wentBack = renamed(({ fileName }) => ({
  fileName: fileName.replace(/_\d+\.zip$/, '_600.zip'),
}));

const OF_FILES = REGISTER_IDS.filter((id) => id !== PROTECTION);

/** Without the property register, whose table may stay as it is beside the addresses. */
const isOfOthers = ({ register }: ShelfEntry) => register === 'EBR';

async function isRefused(
  id: RegisterId,
  { guard, held }: { readonly guard: string; readonly held: RegExp },
) {
  const before = await standing(id);
  bench.advance(3_600_000);
  // Nobody can vouch for what is not there.
  const outcome = await sync(id, guard === 'listing' ? ['empty', 'min-rows'] : []);
  expect(outcome).toMatchObject({ state: 'refused', hasCopy: true });
  expect(isGood(outcome)).toBe(false);
  const lines = outcomeLines(outcome).join('\n');
  expect(lines).toContain(`  ${guard}: `);
  expect(lines).toMatch(held);
  expect(await standing(id)).toBe(before);
}

describe.each(OF_FILES.map((id, n): [RegisterId, number] => [id, n]))(
  'behind a copy of %s a listing',
  (id, nth) => {
    // Of each register some by day: which files are listed is read alike for all.
    test.each([
      ...oneIn(4, LISTINGS, nth % 4),
      ['went back', wentBack, /older than the one that was mirrored/] as const,
    ])('that %s is refused', async (about, change, held) => {
      const guard = about === 'went back' ? 'generation' : 'listing';
      // Names of the sample clash once changed where deltas and totals have one number.
      bench.shelf.spoil({
        listing: (entries) => {
          const changed = change(entries.filter((entry) => !isOfOthers(entry)));
          return [...new Map(changed.map((entry) => [entry.fileName, entry])).values()];
        },
      });
      await isRefused(id, { guard, held });
    });

    test('without any one of its tables is refused, and what is new in the others waits', async () => {
      const { schema, tables } = bench.deps.catalogue.registers[id];
      const entities = schema.tables
        .filter(({ entity, register }) => tables[entity]?.source && register !== 'EBR')
        .map(({ entity }) => entity);
      for (const missing of entities.length > 12 ? entities.slice(0, 3) : entities) {
        bench.shelf.spoil({
          listing: (entries) => entries.filter(({ entityName }) => entityName !== missing),
        });
        await isRefused(id, { guard: 'listing', held: new RegExp(`No total of ${missing} `) });
      }
    });

    test('of tables made a month apart is refused, and of tables made a day apart is told', async () => {
      const { schema, tables } = bench.deps.catalogue.registers[id];
      const made = SAMPLE_ENTITIES.filter(
        (entity) => registerOf(entity) === schema.tables[0]?.register,
      );
      const read = made.filter((entity) => tables[entity]?.source);
      const last = read.at(-1) ?? '';
      for (const entity of read) bench.shelf.renew(entity);
      const listed = (day: string) =>
        bench.shelf.spoil({
          listing: renamed(({ entityName }) => ({
            generationTime: `${entityName === last ? day : '2026-11-10'}T04:00:00Z`,
          })),
        });
      listed('2026-10-02');
      await isRefused(id, { guard: 'generation', held: new RegExp(`2026-10-02 \\(${last}\\)`) });
      listed('2026-11-09');
      const outcome = await sync(id);
      expect(outcome).toMatchObject({ state: 'unchanged' });
      expect(JSON.stringify(outcome)).toContain(`2026-11-09 (${last}), 2026-11-10 (`);
      bench.shelf.spoil();
      bench.advance(20 * 24 * 3_600_000);
      const later = await sync(id);
      expect(later).toMatchObject({ state: 'unchanged' });
      expect(outcomeLines(later).join('\n')).toContain(
        'Nothing is listed that was made after 2026-11-',
      );
      const status = await readStatus(bench.store, bench.deps.catalogue, bench.deps.clock.nowMs());
      const late = { state: 'delayed', data: { madeAt: '2026-11-09T04:00:00.000Z' } };
      expect(status.layers.find(({ layer }) => layer === id)).toMatchObject(late);
      bench.advance(-20 * 24 * 3_600_000);
    });

    test('that is whole again proves the copy', async () => {
      const before = await standing(id);
      bench.advance(3_600_000);
      expect(await sync(id)).toMatchObject({ state: 'unchanged' });
      expect(await standing(id)).not.toBe(before);
    });
  },
);

describe('an answer of 304, which nobody asked for,', () => {
  test.each(REGISTER_IDS)('proves nothing of %s', async (id) => {
    const before = await standing(id);
    bench.advance(3_600_000);
    bench.upstream.faults.set([{ fault: 'not-modified' }]);
    bench.upstream.protection.spoil({
      reply: () => ({ status: 304, headers: { etag: '"fra-foer"' }, body: Buffer.alloc(0) }),
    });
    const outcome = await sync(id);
    bench.upstream.faults.clear();
    expect(outcome).toMatchObject({ state: 'failed', phase: 'fetch' });
    expect(outcomeLines(outcome).join()).toContain('answered 304');
    expect(await standing(id)).toBe(before);
  });
});

describe('before any copy', () => {
  test('a listing without the table names what it holds', async () => {
    await bench.store.pool.query('delete from place_source');
    bench.shelf.spoil({ listing: LISTINGS[1]![1] });
    const outcome = await sync('stednavne');
    expect(outcomeLines(outcome).join('\n')).toMatch(/listing: No total of .*_V9_/);
  });
});

describe('listed buildings', () => {
  test.each(['fredede', 'bevaringssag', 'alle'] as const)(
    'of a filter that matches nothing in %s are refused',
    async (layer) => {
      bench.upstream.protection.spoil({
        features: (each, features) => (each === layer ? [] : features),
      });
      await isRefused(PROTECTION, {
        guard: 'empty',
        held: new RegExp(`${layer}: The layer came empty`),
      });
    },
  );
});
