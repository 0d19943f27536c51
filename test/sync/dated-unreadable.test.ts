/**
 * Rows to come that cannot be read (D143): nothing of them until their instant, and no answer in their
 * place from then on, by the version that the date publishes. Open rings, places abroad: test/faults/dated-case.ts.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { pointFromUtm32 } from '../../src/geo/project.ts';
import { unansweredAt, unansweredOf } from '../../src/geo/unanswered.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { sampleCatalogue } from '../../sample/catalogue.ts';
import { envelopeOf, mapPositions } from '../../sample/data/geometry.ts';
import type { SampleGeometry } from '../../sample/data/geometry.ts';
import { ANNOUNCED_AT } from '../../sample/files/rows.ts';
import type { FileRow } from '../../sample/files/rows.ts';
import { revertLayer } from '../../sync/revert.ts';
import { INSTANT_MS, openDatedBench } from '../support/dated-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const dated = await opened(openDatedBench());
await dated.syncThemes();
await dated.keep();
beforeEach(() => dated.restore());

const LIFTED = [
  ...['min-rows', 'area-drop', 'area-growth', 'canary', 'row-drop', 'change-share', 'issues'],
];
const sync = () => dated.sync('kommune', { liftedGuards: LIFTED });
const carryOut = () =>
  dated.sync('kommune', { trigger: 'dated', dated: true, liftedGuards: LIFTED });
const isToCome = ({ columns }: FileRow) => columns['virkningFra'] === ANNOUNCED_AT;

/** The municipality that is renamed, as the register sends the row that is to come. */
let toCome: FileRow;

/** What the file of the municipalities says instead of each of its rows. */
function fileSays(edit: (row: FileRow) => FileRow | FileRow[]): void {
  dated.bench.upstream.holdings.edit('kommune', (features) => [...features]);
  dated.bench.upstream.shelf.spoil({
    rows: (rows) => {
      if (!('kommunekode' in (rows[0]?.columns ?? {}))) return rows;
      toCome = rows.find(isToCome)!;
      return rows.flatMap(edit);
    },
  });
}

const breakAhead = (geometry: SampleGeometry | null) =>
  fileSays((row) => (isToCome(row) ? { ...row, geometry } : row));

interface State {
  readonly unanswered: UnansweredPlaces | null;
  readonly unread: readonly { key: string; beginsAt?: string }[] | null;
  readonly version: string;
}

async function state(): Promise<State> {
  const { rows } = await dated.bench.store.pool.query<State>(
    "select unanswered, unread, version::text from layer_state where layer = 'kommune'",
  );
  return rows[0]!;
}

async function codes(): Promise<readonly string[]> {
  const { rows } = await dated.bench.store.pool.query<{ code: string }>(
    "select code from area where theme = 'kommune'",
  );
  return rows.map(({ code }) => code);
}

/** Whether the middle of a shape is one of no answer, by what is published. */
async function isUnanswered(geometry: SampleGeometry): Promise<boolean> {
  const { minX, maxX, minY, maxY } = envelopeOf(geometry);
  const { utm32 } = pointFromUtm32({ xUtm32: (minX + maxX) / 2, yUtm32: (minY + maxY) / 2 });
  return unansweredAt(unansweredOf((await state()).unanswered), utm32) === 'unreadable';
}

const shape = () => toCome.geometry!;
const code = () => String(toCome.columns['kommunekode']).padStart(4, '0');

/** The same shape farther east. */
const elsewhere = (geometry: SampleGeometry, eastM: number): SampleGeometry =>
  mapPositions(geometry, ([x = 0, y = 0]) => [x + eastM, y]);

describe('a row to come without a shape', () => {
  test('lies where the present one does, from its instant on', async () => {
    breakAhead(null);
    expect(told(await sync())).toBe('published');
    const before = await state();
    expect(before.unanswered).toBeNull();
    expect(before.unread).toEqual([
      expect.objectContaining({ beginsAt: new Date(INSTANT_MS).toISOString() }),
    ]);
    // The same telling is nothing new.
    expect(told(await sync())).toBe('unchanged');
    dated.setClock(INSTANT_MS - 1);
    expect(told(await carryOut())).toBe('unchanged');
    expect(await isUnanswered(shape())).toBe(false);

    dated.setClock(INSTANT_MS);
    expect(await codes()).toContain(code());
    expect(told(await carryOut())).toBe('published');
    expect(await codes()).not.toContain(code());
    expect(await isUnanswered(shape())).toBe(true);
    const { unanswered, unread } = await state();
    expect(unanswered?.objects).toEqual([code()]);
    expect(unread?.[0]).not.toHaveProperty('beginsAt');
    expect(told(await carryOut())).toBe('unchanged');

    // The file as it is read now tells the same.
    breakAhead(null);
    expect(told(await sync())).toBe('unchanged');
    expect(await isUnanswered(shape())).toBe(true);
  });

  test('is an instant of its own where nothing else begins or ends then', async () => {
    fileSays((row) => {
      if (isToCome(row)) return { ...row, geometry: null };
      const { virkningTil } = row.columns;
      const until = virkningTil === ANNOUNCED_AT ? null : (virkningTil ?? null);
      return { ...row, columns: { ...row.columns, virkningTil: until } };
    });
    expect(told(await sync())).toBe('published');
    dated.setClock(INSTANT_MS);
    expect(told(await carryOut())).toBe('published');
    // The row it takes the place of had no end of its own.
    expect(await codes()).not.toContain(code());
    expect(await isUnanswered(shape())).toBe(true);
    const { rows } = await dated.bench.store.pool.query<{ version: string | null }>(
      "select version::text from dated_change where layer = 'kommune'",
    );
    expect(rows).toEqual([{ version: (await state()).version }]);
  });

  test('refuses the copy where nothing tells where it lies', async () => {
    const nobody = (row: FileRow) => ({ ...row.columns, id_lokalId: 'nobody-has-this' });
    fileSays((row) => (isToCome(row) ? { ...row, columns: nobody(row), geometry: null } : row));
    expect(told(await sync())).toBe('refused: unplaced');
    const released = await dated.sync('kommune', { liftedGuards: [...LIFTED, 'unplaced'] });
    expect(told(released)).toBe('published');
    expect(told(await sync())).toBe('unchanged');
  });

  test('is taken back with its version, and kept where the register is asked by WFS', async () => {
    breakAhead(null);
    await sync();
    // A WFS tells the present alone.
    const byWfs = { ...dated.deps, catalogue: sampleCatalogue(dated.bench.upstream.url) };
    const outcome = await dated.sync('kommune', { liftedGuards: LIFTED }, byWfs);
    expect(['published', 'unchanged']).toContain(outcome.state);
    expect((await state()).unread).toHaveLength(1);
    dated.setClock(INSTANT_MS);
    expect(told(await carryOut())).toBe('published');
    expect(await isUnanswered(shape())).toBe(true);
    const back = await revertLayer(dated.deps, 'kommune', { by: 'test' });
    expect(back.state).toBe('published');
    expect(await isUnanswered(shape())).toBe(false);
    expect(await codes()).toContain(code());
  });
});

test('a row to come without a name is no answer from then on', async () => {
  fileSays((row) => (isToCome(row) ? { ...row, columns: { ...row.columns, navn: null } } : row));
  expect(told(await sync())).toBe('published');
  dated.setClock(INSTANT_MS);
  expect(told(await carryOut())).toBe('published');
  expect(await isUnanswered(shape())).toBe(true);
  // Its code was not read either: any may be it.
  expect((await state()).unanswered?.objects).toEqual([null]);
  expect(await codes()).not.toContain(code());
});

describe('two rows to come of one id', () => {
  test('answer nothing where either lies, from their instant on: nobody knows which is meant', async () => {
    const twinOf = (row: FileRow) => ({ ...row, geometry: elsewhere(row.geometry!, 700) });
    fileSays((row) => (isToCome(row) ? [row, twinOf(row)] : row));
    expect(told(await sync())).toBe('published');
    expect((await state()).unanswered).toBeNull();
    dated.setClock(INSTANT_MS);
    expect(told(await carryOut())).toBe('published');
    expect(await codes()).not.toContain(code());
    expect(await isUnanswered(shape())).toBe(true);
    expect(await isUnanswered(elsewhere(shape(), 700))).toBe(true);
  });

  test('that say the same are one row', async () => {
    fileSays((row) => (isToCome(row) ? [row, row] : row));
    await sync();
    expect((await state()).unread).toBeNull();
  });
});
