/** Assessments of the sample from the three tables of the register to one row a property (D111 to D113). */
import { afterEach, describe, expect, test } from 'vitest';
import { overrideCatalogue } from '../../src/layers/catalogue.ts';
import { readAssessments } from '../../src/registers/assessments/store.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ASSESSMENT } from '../../sample/registers/assessments/rows.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';
import { expectOneChange, isCurrent } from '../support/whole-registers.ts';

const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const sync = () => syncLayer(bench.deps, 'vurdering', { trigger: 'command' });
const first = await sync();

/** The rows of every number as the raw tables hold them, put together here in another way. */
function truth(): ReadonlyMap<number, readonly string[]> {
  const assessments = new Map(
    bench.shelf
      .rows('Ejendomsvurdering')
      .flatMap((row) => (isCurrent(row) ? [[row['id'], row]] : [])),
  );
  const found = new Map<number, string[]>();
  for (const row of bench.shelf.rows('BFEKrydsreference')) {
    const bfe = Number(row['BFEnummer']);
    const assessment = assessments.get(row['fkEjendomsvurderingID']);
    const texts = found.get(bfe) ?? found.set(bfe, []).get(bfe)!;
    if (assessment === undefined) continue;
    const { id, år, ejendomværdiBeløb, grundværdiBeløb, vurderetAreal } = assessment;
    texts.push([id, år, ejendomværdiBeløb, grundværdiBeløb, vurderetAreal].join(' '));
  }
  return found;
}

test('a first sync makes every number one row of all its assessments, and keeps nothing else', async () => {
  expect(told(first)).toBe('published');
  const { rows } = await bench.store.pool.query<{ bfe: string; assessments: string }>(
    'select bfe::text, assessments from assessment',
  );
  const held = new Map(
    rows.map(({ bfe, assessments }) => [
      Number(bfe),
      (JSON.parse(assessments) as unknown[][]).map(([id, year, value, ground, , , area]) =>
        [id, year, value, ground, area].join(' '),
      ),
    ]),
  );
  const expected = truth();
  expect(held.size).toBe(expected.size);
  for (const [bfe, texts] of expected) {
    expect([bfe, held.get(bfe)?.toSorted()]).toEqual([bfe, texts.toSorted()]);
  }
  const left = await bench.column(
    `select relname::text from pg_class where relkind = 'r' and relname like 'assessment%' order by 1`,
  );
  expect(left).toEqual(['assessment', 'assessment_history', 'assessment_source']);
  const notes = first.state === 'published' ? first.counts.notes.join('\n') : '';
  expect(notes).toContain('1 references to rows that are not there');
});

test('the newest year comes first, of a year the latest change, then the highest id (D111)', async () => {
  const [text] = await bench.column(
    `select assessments from assessment where bfe = ${KNOWN_ASSESSMENT.bfe}`,
  );
  const cells = JSON.parse(String(text)) as unknown[][];
  expect(cells.map(([, year, value, , , , , , , changed]) => [year, value, changed])).toEqual([
    [2024, 1_610_000, '2024-10-01'],
    [2022, 1_520_000, '2023-11-07'],
    [2022, 1_500_000, '2023-11-07'],
    [2022, 1_480_000, '2022-10-01'],
    [2020, 1_350_000, '2020-10-01'],
  ]);
});

test('a number that refers to nothing is kept as such: it is not the same as none', async () => {
  const row = (bfe: number) =>
    bench.column(`select assessments || unresolved from assessment where bfe = ${bfe}`);
  expect(await row(KNOWN_ASSESSMENT.brokenBfe)).toEqual(['[]1']);
  expect(await row(KNOWN_ASSESSMENT.noneBfe)).toEqual([]);
});

describe('another run', () => {
  test('reads no changes of a day; of one new table it reads all three, and is taken back', async () => {
    await expectOneChange(bench, 'vurdering', {
      ...{ entity: 'Ejendomsvurdering', cells: { vurderetAreal: '4711' } },
      isThere: async () => {
        const changed = `select bfe from assessment where assessments like '%, 4711,%'`;
        expect(await bench.column(changed)).toHaveLength(1);
      },
    });
  });

  test('counts a reference to what has ended or is to come apart from one to nothing', async () => {
    const of = (bfe: number) =>
      bench.shelf
        .rows('BFEKrydsreference')
        .filter((row) => Number(row['BFEnummer']) === bfe && isCurrent(row))
        .map((row) => row['fkEjendomsvurderingID']);
    const bfes = [...truth()].flatMap(([bfe, texts]) => (texts.length >= 3 ? [bfe] : []));
    const [ended, coming, closed, gone] = bfes.slice(10).map((bfe) => ({ bfe, id: of(bfe)[0] }));
    const assessment = (id: string | null | undefined) =>
      bench.shelf.rows('Ejendomsvurdering').find((row) => row['id'] === id && isCurrent(row))!;
    const at = '2026-11-03T06:30:00.000000Z';
    const change = (given: typeof ended, open: Partial<TableRow> | null): void => {
      const row = assessment(given?.id);
      bench.shelf.change('Ejendomsvurdering', {
        ...{ at, close: [row] },
        ...(open && { open: [{ ...row, ...open } as TableRow] }),
      });
    };
    change(ended, { virkningTil: '2026-01-01T00:00:00.000000Z' });
    change(coming, { virkningFra: '2027-06-01T00:00:00.000000Z' });
    change(closed, null);
    bench.shelf.renew('Ejendomsvurdering');
    bench.shelf.spoil({
      rows: (entity, rows) =>
        entity !== 'Ejendomsvurdering' ? rows : rows.filter((row) => row['id'] !== gone?.id),
    });
    expect(told(await sync())).toBe('published');
    for (const [given, unresolved] of [
      [ended, 0],
      [coming, 0],
      // Whatever followed upon it is not there.
      [closed, 1],
      [gone, 1],
    ] as const) {
      const { found } = await readAssessments(bench.store, given?.bfe ?? 0);
      expect(found?.unresolved, String(given?.bfe)).toBe(unresolved);
      expect(found?.rows.map((row) => String(row.id))).toEqual(
        expect.not.arrayContaining([given?.id]),
      );
      expect(found?.rows.length).toBeGreaterThan(1);
      const { rows } = await bench.store.pool.query<{ name: string }>(
        `select relname as name from pg_class where relname like 'assessment%run%'`,
      );
      expect(rows).toEqual([]);
    }
  });

  test('without one of the tables is refused: the others tell nothing', async () => {
    const catalogue = overrideCatalogue(bench.deps.catalogue, {
      vurdering: { tables: { Vurderingsejendom: { source: null } } },
    });
    const outcome = await syncLayer({ ...bench.deps, catalogue }, 'vurdering', {
      trigger: 'command',
    });
    expect(told(outcome)).toBe('refused: empty');
  });
});
