/** Tables of the address register from bytes to columns, and what is read of them on which day. */
import { describe, expect, test } from 'vitest';
import { cutCsv } from '../../src/downloads/csv-rows.ts';
import { columnsOf, readTable } from '../../src/downloads/read-table.ts';
import { CsvCells } from '../../src/downloads/table-cells.ts';
import type { ParsedTable, RowColumns } from '../../src/downloads/table-task.ts';
import { ADDRESS_TABLES } from '../../src/registers/addresses/tables.ts';
import type { AddressEntity } from '../../src/registers/addresses/tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { RegisterTable } from '../../src/layers/register-tables.ts';
import type { ListedFile } from '../../src/downloads/listing.ts';
import { planTable } from '../../sync/mirrors/tables/plan.ts';
import type { KnownSource } from '../../sync/mirrors/tables/table-run.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const ID = '0a3f507b-c905-32b8-e044-0003ba298018';

const HEAD = 'id_lokalId;status;registreringFra;registreringTil;virkningFra;virkningTil';
const TIMES = '2018-05-03T16:58:34.5Z;;2018-01-01T00:00:00Z;';

async function* chunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

function addressTable(entity: AddressEntity): RegisterTable {
  const found = ADDRESS_TABLES.find((table) => table.entity === entity);
  if (found === undefined) throw new Error(`No table of ${entity}.`);
  return found;
}

async function read(entity: AddressEntity, text: string): Promise<ParsedTable> {
  for await (const { bytes, members, head } of cutCsv(chunks(text, 1e6))) {
    return readTable({ table: addressTable(entity), head, bytes, members, nowMs: NOW_MS });
  }
  throw new Error('no rows');
}

const readRows = (entity: AddressEntity, columns: string, rows: readonly string[]) =>
  read(entity, [`${HEAD};${columns}`, ...rows].join('\n'));

/** A column of one set of rows, as text; UUIDs in hex. */
function column(entity: AddressEntity, rows: RowColumns, name: string): (string | null)[] {
  const columns = columnsOf(addressTable(entity));
  const at = columns.findIndex((each) => each.name === name);
  const bytes = Buffer.from(rows.arrays[at]?.buffer ?? new ArrayBuffer(0));
  const values: (string | null)[] = [];
  for (let from = 20; from < bytes.length;) {
    const length = bytes.readInt32BE(from);
    const value = bytes.subarray(from + 4, from + 4 + Math.max(0, length));
    const isText = columns[at]?.type === 'text';
    values.push(length < 0 ? null : value.toString(isText ? 'utf8' : 'hex'));
    from += 4 + Math.max(0, length);
  }
  return values;
}

describe('a CSV file', () => {
  const rows = ['a;"x\r\ny";1', '', 'b;"say ""no"";";2', 'c;;3'];
  const text = ['\uFEFFid;navn;n', ...rows].join('\r\n');

  test('is cut at the ends of rows, wherever the pieces of it end', async () => {
    for (let size = 1; size < 40; size += 1) {
      const cells: string[] = [];
      let members = 0;
      const limits = { batchBytes: 8, rowBytes: 1_000 };
      for await (const batch of cutCsv(chunks(text, size), limits)) {
        members += batch.members;
        const found = new CsvCells(batch.bytes, batch.head, [0, 1, 2]);
        while (found.next()) {
          cells.push(
            found.cells
              .map(({ bytes, start, end }) => Buffer.from(bytes.subarray(start, end)).toString())
              .join('|'),
          );
        }
      }
      expect([size, members, cells]).toEqual([size, 3, ['a|x\r\ny|1', 'b|say "no";|2', 'c||3']]);
    }
  });

  test('that ends inside a value is cut off, and one without a line is none', async () => {
    const drain = async (content: string) => {
      let rows = 0;
      for await (const { members } of cutCsv(chunks(content, 7))) rows += members;
      return rows;
    };
    await expect(drain('id;navn\n1;"x')).rejects.toThrow('ends inside a value');
    await expect(drain('\n\n')).rejects.toThrow('without a line of column names');
    await expect(drain('id;navn\n')).resolves.toBe(0);
  });
});

describe('a row of another number of cells than the first line has names', () => {
  const head = `${HEAD};vejnavn`;
  const whole = `${ID};3;${TIMES};"Nr. ""\r\n"" Vej"`;
  const readAll = async (lines: readonly string[], size: number) => {
    const found: ParsedTable[] = [];
    const limits = { batchBytes: 300, rowBytes: 10_000 };
    for await (const batch of cutCsv(chunks(lines.join('\r\n'), size), limits)) {
      const table = addressTable('NavngivenVej');
      found.push(readTable({ table, nowMs: NOW_MS, ...batch }));
    }
    return found;
  };
  const misshapenIn = (found: readonly ParsedTable[]) =>
    found.flatMap(({ misshapen }) => misshapen ?? []);

  test.each([
    { about: 'fewer', row: `${ID};3;${TIMES}`, cells: 6 },
    { about: 'more', row: `${whole};`, cells: 8 },
    { about: 'one, cut in its first', row: ID.slice(0, 7), cells: 1 },
    { about: 'none but a space', row: ' ', cells: 1 },
  ])('is named by its line, wherever the pieces end: $about', async ({ row, cells }) => {
    for (const size of [7, 100, 10_000]) {
      // Lines 2 to 13 are six rows of two lines; 14 is blank.
      const rows = Array.from({ length: 6 }, () => whole);
      const found = await readAll([head, ...rows, '', row], size);
      expect(misshapenIn(found)).toEqual([{ rows: 1, line: 15, cells, columns: 7 }]);
      expect(found.reduce((sum, { current }) => sum + current.rows, 0)).toBe(6);
      expect(found.flatMap(({ unreadable }) => unreadable)).toHaveLength(1);
    }
  });

  test('is not a last row without a line end, nor a blank line at the end', async () => {
    for (const end of [[], [''], ['', '']]) {
      const found = await readAll([head, whole, whole, ...end], 50);
      expect(misshapenIn(found)).toEqual([]);
      expect(found.reduce((sum, { current }) => sum + current.rows, 0)).toBe(2);
    }
  });
});

// That each is expected of every file: test/faults/matrix-files.ts.
describe('the times', () => {
  const row = {
    ...{ id_lokalId: ID, status: '3', vejnavn: 'Vej' },
    ...{ registreringFra: '2018-01-01T00:00:00Z', registreringTil: null },
    ...{ virkningFra: '2018-01-01T00:00:00Z', virkningTil: null },
  };
  const readJson = (rows: readonly object[]) =>
    readTable({
      table: addressTable('NavngivenVej'),
      ...{ head: null, bytes: Buffer.from(JSON.stringify(rows)), members: rows.length },
      nowMs: NOW_MS,
    });

  test('and other columns are unread as a list or an object, never empty', () => {
    for (const name of ['registreringTil', 'virkningTil', 'status', 'vejnavn']) {
      const { current, former, unreadable } = readJson([{ ...row, [name]: [] }]);
      expect([current.rows, former.rows]).toEqual([0, 0]);
      expect(unreadable).toMatchObject([{ key: ID, reason: `a list or an object as ${name}` }]);
    }
    expect(readJson([{ ...row, andet: [{ a: 1 }] }]).current.rows).toBe(1);
  });

  test('of a beginning are expected of rows, too: many without any are a column that is not there', async () => {
    const rowsOf = (times: string, count: number) =>
      Array.from({ length: count }, () => `${ID};3;${times};Vej`);
    const missing = async (rows: readonly string[]) =>
      (await readRows('NavngivenVej', 'vejnavn', rows)).missing;
    const without = rowsOf(';;;', 25);
    expect(await missing(without)).toEqual(['registreringFra', 'virkningFra']);
    expect(await missing(without.slice(1))).toEqual([]);
    expect(await missing([...without, ...rowsOf(TIMES, 1)])).toEqual([]);
    expect(await missing(rowsOf('2018-01-01T00:00:00Z;;;', 25))).toEqual(['virkningFra']);
  });

  test('of an end may be left out by JSON that leaves out whatever is empty', () => {
    const { registreringTil: _a, virkningTil: _b, ...open } = row;
    const { vejnavn: _c, ...unnamed } = open;
    expect(readJson([open, unnamed]).missing).toEqual([]);
    const { virkningFra: _d, ...undated } = open;
    expect(readJson([undated, unnamed]).missing).toEqual([]);
    expect(readJson([undated]).missing).toEqual(['registreringTil', 'virkningFra', 'virkningTil']);
  });
});

describe('a table', () => {
  test('gives what is true now, what was, and what is closed; the future hides nothing', async () => {
    const of = (times: string, name: string) => `${ID};3;${times};${name}`;
    const parsed = await readRows('NavngivenVej', 'vejnavn', [
      of('2018-01-01T00:00:00Z;;2099-01-01T00:00:00Z;', 'Kommende'),
      of('2018-01-01T00:00:00Z;;2018-01-01T00:00:00Z;2099-01-01T00:00:00Z', 'Nuværende'),
      of('2018-01-01T00:00:00Z;;1900-01-01T00:00:00Z;2018-01-01T00:00:00Z', 'Tidligere'),
      of('2017-01-01T00:00:00Z;2018-01-01T00:00:00Z;1900-01-01T00:00:00Z;', 'Lukket'),
    ]);
    expect(column('NavngivenVej', parsed.current, 'name')).toEqual(['Nuværende']);
    expect(column('NavngivenVej', parsed.former, 'name')).toEqual(['Tidligere']);
    expect([parsed.closed.rows, parsed.future]).toEqual([1, 1]);
    expect(parsed.nextChangeMs).toBe(Date.UTC(2099, 0, 1));
  });

  test('is read under every spelling of its columns, and says which are missing', async () => {
    const current = await readRows('Adresse', 'DørBetegnelse;etagebetegnelse;husnummer_id', [
      `${ID};3;${TIMES};TV;02;${ID}`,
    ]);
    expect(column('Adresse', current.current, 'door')).toEqual(['tv']);
    expect(column('Adresse', current.current, 'floor')).toEqual(['2']);
    expect(current.missing).toEqual([]);
    const other = await read(
      'Adresse',
      `${HEAD};husnummerLokalId\n${ID};3;${TIMES};${ID}`.replace('id_lokalId', 'id'),
    );
    expect(other.missing).toEqual(['floor', 'door']);
  });

  test('keeps the written form of numbers, and addresses without what may be left open', async () => {
    const columns = 'husnummertekst;navngivenVej;postnummer;adgangspunkt;vejmidte';
    const parsed = await readRows('Husnummer', columns, [
      `${ID};3;${TIMES};007a;;;;0461-1234`,
      `${ID};3;${TIMES};12Æ;${ID};;;`,
    ]);
    expect(column('Husnummer', parsed.current, 'house_number')).toEqual(['7A', '12Æ']);
    expect(column('Husnummer', parsed.current, 'municipality_code')).toEqual(['0461', null]);
    expect(column('Husnummer', parsed.current, 'road_id')).toEqual([null, ID.replaceAll('-', '')]);
  });

  test('keeps a time as it is written, and none that the store cannot read as one', async () => {
    const given = ['2012-02-20T22:59:00.000000Z', '2005-02-30', '2016-12-31T23:59:60Z'];
    const rows = given.map((text) => `${ID};8;${TIMES};;${text}`);
    const { current } = await readRows('Adressepunkt', 'position;oprindelseRegistrering', rows);
    expect(column('Adressepunkt', current, 'surveyed')).toEqual([given[0], null, null]);
  });

  test('tells rows that cannot be kept apart from those that can', async () => {
    const columns = 'husnummertekst;navngivenVej;postnummer;adgangspunkt';
    const parsed = await readRows('Husnummer', columns, [
      ...[`not-an-id;3;${TIMES};7;;;`, `${ID};3;yesterday;;;;7;;;`, `${ID};3;${TIMES};;;;`],
      `${ID};Gældende;${TIMES};7;;;`,
    ]);
    expect(parsed.unreadable.map(({ reason }) => reason)).toEqual([
      'no usable id',
      'a time that cannot be read',
      'no usable house_number',
    ]);
    expect(column('Husnummer', parsed.current, 'status')).toEqual(['0003']);
  });

  test('of other rows than were counted is none', () => {
    const bytes = Buffer.from(JSON.stringify([{ id_lokalId: ID, status: 3, navn: 'a' }]));
    const task = { table: addressTable('SupplerendeBynavn'), members: 2, nowMs: NOW_MS };
    expect(() => readTable({ ...task, head: null, bytes })).toThrow('2 rows counted');
  });
});

// A gap, an older total, a stub, an empty listing, files out of order: test/faults/matrix-files.ts.
describe('a plan', () => {
  const { source, guards } = REGISTERS_CATALOGUE.registers.adresser.tables['Husnummer']!;
  /** `T690` a total, `D691` a delta. */
  const file = (text: string): ListedFile => ({
    name: `DAR_V1_Husnummer_${text[0] === 'T' ? 'Total' : 'Delta'}Download_csv_Current_${text.slice(1)}.zip`,
    ...{ entity: 'Husnummer', generatedAt: null, expiresAtMs: null, bytes: 1e9 },
    ...{ md5: text, isPart: false },
  });
  const listed = (texts: string) => texts.split(' ').filter(Boolean).map(file);
  /** A copy of the total `T690` with all changes to 691. */
  const known = (text: string): KnownSource => {
    const [total = '', generation] = text.split(' ');
    return {
      ...{ version: '1', totalGeneration: Number(total.slice(1)), totalMd5: total },
      ...{ generation: Number(generation), nextChangeMs: null, columns: [] },
    };
  };
  /** What is read, in order, or by which guard nothing is. */
  const planned = (files: readonly ListedFile[], have: KnownSource | null): string => {
    if (source?.kind !== 'files') throw new Error('no files');
    const asked = {
      ...{ table: addressTable('Husnummer'), entity: 'Husnummer', source, guards },
      ...{ known: have, isFolded: false },
    } as const;
    const plan = planTable(asked, files, { nowMs: NOW_MS, liftedGuards: [] });
    if (plan.kind === 'refused')
      return `refused: ${plan.refusals.map(({ guard }) => guard).join()}`;
    const { total, deltas } = plan.plan;
    const read = [...(total === null ? [] : [`T${total.generation}`])];
    return [...read, ...deltas.map(({ generation }) => `D${generation}`)].join(' ');
  };

  test.each([
    ['the total and what came since', 'T690 D692 D691 D690', null, 'T690 D691 D692'],
    ['a total alone although a delta behind it is missing', 'T690 D692', null, 'T690'],
    ['a newer total across a gap', 'T697 D693 D698', 'T690 691', 'T697 D698'],
    ['the weekly total that has all that is known', 'T697 D697 D698', 'T690 696', 'T697 D698'],
    ['deltas, when the newer total would go back', 'T695 D697', 'T690 696', 'D697'],
    ['nothing at all', '', null, 'refused: listing'],
    ['deltas alone', 'D692', 'T690 691', 'D692'],
    ['no delta of before the copy, without a total', 'D691', 'T690 691', 'refused: listing'],
    ['no listing that went back', 'T690 D691', 'T690 693', 'refused: generation'],
    ['the total of the copy, made of deltas', 'T690 D691', 'T690 691', ''],
  ])('reads %s', (_title, files, have, wanted) => {
    expect(planned(listed(files), have === null ? null : known(have))).toBe(wanted);
  });

  test('reads another version only when it was made later', () => {
    const have = { ...known('T690 691'), madeAtMs: Date.UTC(2026, 10, 19) };
    const name = file('T500').name.replace('V1', 'V2');
    const of = (generatedAt: string) => planned([{ ...file('T500'), name, generatedAt }], have);
    expect(of('2026-11-20T04:00:00Z')).toBe('T500');
    expect(of('2026-11-18T04:00:00Z')).toBe('refused: generation');
  });

  test('reads the same total again when its bytes are others, or a day has come for a row in it', () => {
    expect(planned([{ ...file('T690'), md5: 'other' }], known('T690 690'))).toBe('T690');
    const have = { ...known('T690 691'), nextChangeMs: NOW_MS - 1 };
    expect(planned(listed('T690 D691'), have)).toBe('T690 D691');
  });
});

test('rows in another charset are refused, never altered', () => {
  const csv = { head: { columns: HEAD.split(';'), delimiter: 0x3b }, bytes: Buffer.from([0xf8]) };
  for (const { head, bytes } of [csv, { head: null, bytes: Buffer.from('[{"a":"ø"}]', 'latin1') }])
    expect(() =>
      readTable({ table: addressTable('Husnummer'), head, bytes, members: 1, nowMs: NOW_MS }),
    ).toThrow('no UTF-8');
});
