/** A number that EBR alone held and that has ended: told of the days on which it was one (D85), by real syncs. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const ALONE = 9_555_001;
const NEVER = 9_555_002;
const HOUR_MS = 3_600_000;

const bench = await opened(openAddressBench());
let beganMs: number;
let known: TableRow;
beforeAll(async () => {
  for (const id of ['bbr', 'matrikel'] as const) expect(await sync(id)).toBe('published');
  const first = bench.shelf.rows('Ejendomsbeliggenhed')[0];
  if (first === undefined) throw new Error('EBR is empty');
  known = first;
  holds({ ...known, [numberOf(known)]: String(ALONE), status: '3' });
  bench.advance(HOUR_MS);
  expect(await sync('adresser')).toBe('published');
  beganMs = bench.deps.clock.nowMs();
});

async function sync(id: 'bbr' | 'matrikel' | 'adresser'): Promise<string> {
  const liftedGuards = ['change-share', 'row-drop', 'min-rows'] as const;
  return told(await syncLayer(bench.deps, id, { trigger: 'command', liftedGuards }));
}

/** Under which name its files have the number. */
const numberOf = (row: TableRow) =>
  Object.keys(row).find((name) => /bfe/i.test(name)) ?? 'bestemtFastEjendomBFENr';

/** What takes the place of the known row; null: nothing. */
function holds(row: TableRow | null): void {
  bench.shelf.renew('Ejendomsbeliggenhed');
  bench.shelf.spoil({
    rows: (entity, rows) =>
      entity !== 'Ejendomsbeliggenhed'
        ? rows
        : rows.flatMap((each) =>
            each['id_lokalId'] === known['id_lokalId'] ? (row === null ? [] : [row]) : [each],
          ),
  });
}

/** The status: 200 or that of the failure. */
async function property(bfe: number, asOfMs: number | null): Promise<number> {
  const { value } = await createProperties({
    catalogue: bench.deps.catalogue,
    clock: bench.deps.clock,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
    nameSources: (names) => names.join(', '),
    read: (asked) => readProperties(bench.store, asked),
    addresses: () => null,
  }).find([bfe], asOfMs);
  return value[0] instanceof Failure ? value[0].status : 200;
}

describe('a number that EBR alone holds', () => {
  test('is a property now and on the days since, and on none before that anybody knows of', async () => {
    bench.advance(HOUR_MS);
    expect([await property(ALONE, null), await property(NEVER, null)]).toEqual([200, 404]);
    expect([await property(ALONE, beganMs), await property(NEVER, beganMs)]).toEqual([200, 404]);
    expect([
      await property(ALONE, beganMs - 60_000),
      await property(NEVER, beganMs - 60_000),
    ]).toEqual([503, 503]);
  });

  test('is one of those days after its row is gone, and none of today', async () => {
    holds(null);
    bench.advance(HOUR_MS);
    expect(await sync('adresser')).toBe('published');
    const endedMs = bench.deps.clock.nowMs();
    bench.advance(HOUR_MS);
    expect([await property(ALONE, null), await property(ALONE, endedMs + 1)]).toEqual([404, 404]);
    expect([await property(ALONE, endedMs - 60_000), await property(ALONE, beganMs)]).toEqual([
      200, 200,
    ]);
    expect(await property(NEVER, beganMs)).toBe(404);
  });

  test('is one again after a step back', async () => {
    expect(await revertLayer(bench.deps, 'adresser', { by: 'test' })).toMatchObject({
      state: 'published',
    });
    expect(await property(ALONE, null)).toBe(200);
  });

  test('is one of the days before its row says that it is over', async () => {
    const overMs = bench.deps.clock.nowMs() + HOUR_MS / 2;
    const over = new Date(overMs).toISOString();
    holds({
      ...known,
      [numberOf(known)]: String(ALONE),
      status: '4',
      registreringFra: over,
      virkningFra: over,
    });
    bench.advance(HOUR_MS);
    expect(await sync('adresser')).toBe('published');
    expect([await property(ALONE, null), await property(ALONE, overMs + 1)]).toEqual([404, 404]);
    expect([await property(ALONE, overMs - 1), await property(ALONE, beganMs)]).toEqual([200, 200]);
  });

  test('is not unknown of days of which its past is not kept', async () => {
    await bench.column(
      `update address_source set kept_from = kept_from + interval '30 minutes'
       where entity = 'Ejendomsbeliggenhed' returning 1`,
    );
    expect(await property(NEVER, beganMs)).toBe(503);
  });
});
