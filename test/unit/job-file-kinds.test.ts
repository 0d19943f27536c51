/**
 * Kinds of files by kinds of jobs: no row is sure of another address than its file means, whatever column,
 * cell or charset holds the part that decides (D154).
 */
import { describe, expect, test } from 'vitest';
import { answerFromMemory } from '../../src/jobs/answer-chunk.ts';
import { decodeRows, encodeRows } from '../../src/jobs/chunk-rows.ts';
import type { ChunkQuestion, Section } from '../../src/core/rows/chunk-types.ts';
import { readSection } from '../../src/jobs/files/chunk-output.ts';
import type { ReadRows } from '../../src/jobs/intake/rows-reader.ts';
import { KINDS, hasRoles } from '../../src/core/rows/job-types.ts';
import type { AnsweredKind, Kind, RoleColumns } from '../../src/core/rows/job-types.ts';
import type { AnyRows } from '../../src/core/rows/kind.ts';
import { RowReader } from '../../src/core/rows/row-reader.ts';
import { columnWarnings, resolveColumns, unitColumns } from '../../src/jobs/roles.ts';
import type { Point } from '../../src/geo/point.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { IDLE_KINDS } from '../support/registers.ts';
import { cleansedIn } from '../../src/registers/addresses/cleansed-row.ts';
import type { WrittenRow } from '../../src/registers/addresses/cleansed-row.ts';
import { findAccessIn } from '../../src/registers/addresses/find-access.ts';
import { buildAddressIndex } from '../../src/registers/addresses/index/build-index.ts';
import { finderOf } from '../../src/registers/addresses/index/kept-finder.ts';
import { smallIndex } from '../addresses/small-index.ts';
import { FILE_KINDS, MEANT, WRITTEN_KINDS, designation, readKind } from '../jobs/file-kinds.ts';
import type { Meant } from '../jobs/file-kinds.ts';

const units = '. st.tv 1.tv 1.th 2.';
const small = smallIndex([
  { road: 'Skolegade', place: '6700 Esbjerg', numbers: '9@0 9A@10 9B@20 11@30', units },
  { road: 'Skolegade', place: '5000 Odense C', numbers: '9@0 11@10', units: '. 1.tv' },
  { road: 'Enebærvej', place: '5000 Odense C', numbers: '4@0 4A@10 6@20' },
  { road: 'Æblevej', place: '5700 Svendborg', numbers: '12@0 12A@10 14@20' },
]);
// A property of its own each, for the kind that answers with it.
const houses = [...small.accesses].map((access, i) => ({ ...access, bfe: 1000 + i }));
const memory = {
  ...{ generation: 1, snapshots: [], radiusM: 500, lands: null, addressLand: null },
  addressIndex: buildAddressIndex(1, { ...small, accesses: houses }),
};
const finder = finderOf(memory);
const findAccess = findAccessIn(memory);
const rowKinds = new Map<AnsweredKind, AnyRows>(
  [...IDLE_KINDS].map(([kind, { rows }]) => [kind, rows]),
);

interface RowFound {
  readonly isSure: boolean;
  /** The other address that the row is sure of; null: none. */
  readonly wrong: string | null;
  readonly told: string;
}

function cleansedOf(asked: WrittenRow, row: Meant): RowFound {
  const { category, candidates, unread } = cleansedIn(finder, asked);
  const [best] = candidates;
  const told = unread.join(', ');
  if (best === undefined || category === 'C') return { isSure: false, wrong: null, told };
  const isRight = best.address.designation === designation(row);
  const wrong = isRight ? null : `${category} ${best.address.designation}`;
  return { isSure: category === 'A', wrong, told };
}

/** By the house that a point or a property is of. */
function placedOf(asked: Point | number, row: Meant): RowFound {
  const house = houses.find(({ position, bfe }) => {
    if (typeof asked === 'number') return bfe === asked;
    const { xUtm32, yUtm32 } = asked.utm32;
    return Math.hypot(xUtm32 - position!.xUtm32, yUtm32 - position!.yUtm32) < 0.1;
  });
  const found = house && finder.addressIndex.access(house.id)?.designation;
  const isRight = found === designation({ ...row, unit: '', comma: '' });
  return { isSure: true, wrong: isRight ? null : `${found}`, told: '' };
}

function answerOf(kind: Kind, reader: RowReader, row: Meant): RowFound {
  try {
    const asked = rowKinds.get(kind)!.question(reader, findAccess);
    return kind === 'datavask'
      ? cleansedOf(asked as WrittenRow, row)
      : placedOf(asked as Point | number, row);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isSure: false, wrong: null, told: error.message };
  }
}

function answered(
  kind: Kind,
  { columns: inputColumns, chunks }: ReadRows,
  named: RoleColumns = {},
) {
  const rows = chunks.flatMap(({ input }) => decodeRows(input));
  const columns = resolveColumns(kind, { named, inputColumns });
  const reader = new RowReader({ columns, inputColumns, srid: 25832 }, rows);
  const found = rows.map((row, n) => {
    reader.row = row;
    return answerOf(kind, reader, MEANT[n]!);
  });
  const given = { named, inputColumns };
  const warnings = columnWarnings(kind, given, unitColumns(kind, given, rows));
  return { rows: found, warnings: warnings.map(({ error }) => error) };
}

/** Read once for all kinds of jobs. */
const READ = FILE_KINDS.map((file) => ({ file, rows: readKind(file) }));
const WRITTEN = await Promise.all(
  WRITTEN_KINDS.map(async ({ name, wanted, read }) => ({
    ...{ name, wanted },
    found: await read().catch((error: unknown) => error as Error),
  })),
);

const OF_ADDRESSES = KINDS.filter((kind) => hasRoles(kind, { adresse: 'Sted' }));

describe.each(OF_ADDRESSES)('a job of %s', (kind) => {
  test(`over ${FILE_KINDS.length} kinds of files is sure of no other address`, () => {
    const faults: string[] = [];
    for (const { file, rows: read } of READ) {
      const { rows, warnings } = answered(kind, read, file.named);
      const { name, wanted, told = '' } = file;
      for (const [n, { isSure, wrong, told: reason }] of rows.entries()) {
        const what = `${name}: ${designation(MEANT[n]!)}`;
        if (wrong !== null) faults.push(`${what} is ${wrong}`);
        if (wanted === 'sure' && !isSure) faults.push(`${what} is not sure: ${reason}`);
        const isTold = warnings.some((text) => text.includes(told));
        if (!isSure && told !== '' && !isTold) faults.push(`${what}: advarsler has no ${told}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test('over workbooks and old charsets is sure of no other address, or says why it takes none', () => {
    const faults: string[] = [];
    for (const { name, found, wanted } of WRITTEN) {
      if (found instanceof Error) {
        if (wanted !== 'refused' || !(found instanceof Failure)) faults.push(`${name}: ${found}`);
        continue;
      }
      const { rows } = answered(kind, found);
      const wrong = rows.flatMap((row) => row.wrong ?? []);
      if (wrong.length > 0 || wanted === 'refused') faults.push(`${name}: ${wrong.join('; ')}`);
      if (wanted === 'sure' && !rows.every(({ isSure }) => isSure))
        faults.push(`${name}: not sure`);
    }
    expect(faults).toEqual([]);
  });
});

test('a row that a column may decide names the column, in its answer and in its error', async () => {
  const question: ChunkQuestion = {
    ...{ columns: { adresse: 'adresse' }, inputColumns: ['adresse', 'Opgang'], srid: 25832 },
    ...{ firstRow: 1, skip: 0, mostAnswers: 1 },
    input: encodeRows([['Skolegade 9, 6700 Esbjerg', 'A']]),
  };
  const answer = (kind: Kind) => {
    const ask = (asked: unknown) => cleansedIn(finder, asked as WrittenRow);
    return answerFromMemory(question, {
      kind: rowKinds.get(kind)!,
      ask,
      findAccess,
      generation: 1,
    });
  };
  const textOf = async (part: Uint8Array, section: Section): Promise<string> =>
    (await readSection(Buffer.from(part), section)).toString();
  const { results } = answer('datavask');
  expect(rowKinds.get('datavask')!.columns.at(-1)).toBe('ulaeste_kolonner');
  expect(await textOf(results, 'csv')).toMatch(/,Opgang\r\n$/);
  expect(await textOf(results, 'lines')).toMatch(
    /"kategori":"C",.*,"ulaeste_kolonner":\["Opgang"\],/,
  );
  const error = await textOf(answer('reverse').errors, 'lines');
  expect(error).toContain('A column that is not read may decide the address: \\"Opgang\\".');
  expect(error).toMatch(/The nearest: Skolegade 9,.*"status":404/);
});

test.each(OF_ADDRESSES)('a row of %s names a column that is unreadable, not empty', (kind) => {
  const inputColumns = ['Sted'];
  for (const role of ['adresse', 'vej', 'adgangsadresse_id'] as const) {
    if (role === 'adgangsadresse_id' && kind === 'datavask') continue;
    const reader = new RowReader({ columns: { [role]: 'Sted' }, inputColumns, srid: 25832 });
    for (const cell of ['#N/A', '=A1', true]) {
      reader.row = [cell];
      expect(() => rowKinds.get(kind)!.question(reader, findAccess)).toThrow(
        `The column "Sted" (${role}) holds an error, a formula or a truth value`,
      );
    }
    reader.row = [' '];
    expect(() => rowKinds.get(kind)!.question(reader, findAccess)).toThrow('empty');
  }
});
