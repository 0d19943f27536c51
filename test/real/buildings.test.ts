/** The real extract of BBR of 2020, bitemporal, imported as any files of the register are, and counted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BBR_TABLES } from '../../src/registers/property/tables.ts';
import { overrideRegister } from '../../src/layers/register.ts';
import type { RegisterTable } from '../../src/layers/register-tables.ts';
import { findColumn } from '../../src/downloads/table-cells.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { BbrEntity } from '../../sample/registers/property/buildings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { readBbrExtract } from '../support/bbr-raw.ts';
import type { BbrExtract } from '../support/bbr-raw.ts';
import { describeReal } from '../support/real-data.ts';

type Row = Readonly<Record<string, string | number | null>> & { readonly valid_from: Date };

describeReal('the real extract of BBR', [], () => {
  let bench: AddressBench;
  let extract: BbrExtract;
  let outcome: RunOutcome;
  beforeAll(async () => {
    extract = readBbrExtract();
    bench = await openAddressBench();
    bench.shelf.spoil({
      contents: 'Bitemporal',
      rows: (entity, rows) =>
        Object.entries(extract).find(([name]) => name === entity)?.[1] ?? rows,
    });
    const { catalogue } = bench.deps;
    const bbr = overrideRegister(catalogue.registers.bbr, { files: { contents: 'Bitemporal' } });
    const registers = { ...catalogue.registers, bbr };
    const deps = { ...bench.deps, catalogue: { ...catalogue, registers } };
    outcome = await syncLayer(deps, 'bbr', { trigger: 'command' });
  });
  afterAll(() => bench.close());

  const one = async (query: string) => (await bench.column(query))[0];
  const count = (table: string, where: string) =>
    one(`select count(*)::integer from ${table} where ${where}`);

  test('is mirrored whole: every row true now, and every one that was', async () => {
    expect(outcome).toMatchObject({ state: 'published', counts: { unreadable: 0 } });
    for (const { entity, table } of BBR_TABLES) {
      const open = extract[entity as BbrEntity].filter((row) => row['registreringTil'] === null);
      const now = open.filter((row) => row['virkningTil'] === null);
      const counts = [await count(table, 'true'), await count(`${table}_former`, 'true')];
      expect([entity, ...counts]).toEqual([entity, now.length, open.length - now.length]);
    }
  });

  /** The open rows of a table, and where each column of the store is among their elements. */
  function openRows({ entity, columns }: RegisterTable) {
    const rows = extract[entity as BbrEntity].filter((row) => row['registreringTil'] === null);
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const compared = columns.flatMap(({ name, kind, from, isPrefix = false }) =>
      kind === 'point' || kind === 'date'
        ? []
        : [{ name, element: names[findColumn(names, from, isPrefix)] ?? '' }],
    );
    return { rows, compared };
  }

  test('holds in every column of every open row what the extract says', async () => {
    let compared = 0;
    for (const table of BBR_TABLES) {
      const { rows } = await bench.store.pool.query<Row>(
        `select *, valid_to from (
           select t.*, null::timestamptz as valid_to from ${table.table} t
           union all select f.* from ${table.table}_former f) r`,
      );
      const { rows: open, compared: columns } = openRows(table);
      const raw = new Map(
        open.map((row) => [`${row['id_lokalId']} ${Date.parse(row['virkningFra'] ?? '')}`, row]),
      );
      expect(rows.length).toBe(raw.size);
      const wrong = rows.flatMap((row) => {
        const key = `${String(row['id'])} ${row.valid_from.getTime()}`;
        const from = raw.get(key) ?? {};
        compared += columns.length;
        return columns.flatMap(({ name, element }) => {
          const held = row[name] === null ? null : String(row[name]);
          const value = from[element] ?? null;
          return held === value ? [] : [[table.table, key, name, held, value]];
        });
      });
      expect(wrong).toEqual([]);
    }
    expect(compared).toBeGreaterThan(500_000);
  });
});
