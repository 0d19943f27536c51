/** The real extract of BBR of 2020, bitemporal, imported as any files of the register are, and counted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BBR_TABLES } from '../../src/registers/property/tables.ts';
import { overrideRegister } from '../../src/layers/register.ts';
import type { RegisterTable } from '../../src/layers/register-tables.ts';
import { findColumn } from '../../src/downloads/table-cells.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { syncLayer } from '../../sync/run.ts';
import type { BbrEntity } from '../../sample/registers/property/buildings.ts';
import { createRandom } from '../../sample/data/random.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import type { AddressBench } from '../sync/addresses-bench.ts';
import { readBbrExtract } from '../support/bbr-extract.ts';
import type { BbrExtract } from '../support/bbr-extract.ts';
import { describeReal } from '../support/real-data.ts';
import { TEST_SEED } from '../support/run-settings.ts';

type Row = Readonly<Record<string, string | number | null>> & { readonly valid_from: Date };

describeReal('the real extract of BBR', [], () => {
  let bench: AddressBench;
  let extract: BbrExtract;
  let outcome: RunOutcome;
  beforeAll(async () => {
    extract = await readBbrExtract();
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

  test('has in force what was counted in it by others', async () => {
    expect(await count('bbr_building', 'status = 6')).toBe(2_591);
    expect(await count('bbr_unit', 'status = 6')).toBe(2_734);
    expect(await count('bbr_floor', 'status = 6')).toBe(2_430);
    expect(await count('bbr_facility', 'status = 6')).toBe(459);
    expect(await count('bbr_ground', 'status = 7')).toBe(1_063);
    expect(await count('bbr_property', 'status = 7')).toBe(1_316);
    expect(
      await bench.column(
        `select concat_ws(' ', type, count(*)) from bbr_property where status = 7
         group by type order by count(*) desc`,
      ),
    ).toEqual(['SFE 1058', 'Ejerlejlighed 238', 'BPFG 20']);
    const inForce = `from bbr_building b where b.id = f.building_id and b.status = 6`;
    expect(await count('bbr_floor f', `f.status = 6 and not exists (select ${inForce})`)).toBe(15);
    const ofUnit = `select from bbr_floor f join bbr_building b on b.id = f.building_id
      where f.id = u.floor_id and b.status = 6`;
    expect(await count('bbr_unit u', `u.status = 6 and exists (${ofUnit})`)).toBe(2_722);
    const perProperty = `select round(avg(n), 2) || ' ' || max(n) from (
      select count(*) as n from bbr_property p join bbr_ground g on g.property_id = p.id
      join bbr_building b on b.ground_id = g.id
      where p.status = 7 and g.status = 7 and b.status = 6 group by p.id) c`;
    expect(await one(perProperty)).toMatch(/^2\.\d\d 38$/);
    const placeless = await count('bbr_building', 'status = 6 and geom is null');
    // 346 of them say so (GEOMETRYCOLLECTION EMPTY), 65 say nothing.
    expect([placeless, await count('bbr_building', 'geom is null')]).toEqual([0, 346 + 65]);
    expect(await count('bbr_facility', 'geom is null')).toBe(46);
    const negative = 'least(total_area, dwelling_area, business_area, footprint_area) < 0';
    expect(await count('bbr_building', `status = 6 and ${negative}`)).toBe(0);
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

  test('says of twenty instants which rows were true', async () => {
    const random = createRandom(`instants ${TEST_SEED}`);
    const [from, to] = [Date.UTC(2000, 0, 1), Date.UTC(2020, 3, 18)];
    const instants = Array.from({ length: 20 }, () => random.integer(from, to));
    for (const table of BBR_TABLES) {
      const times = openRows(table).rows.map((row) => ({
        id: row['id_lokalId'] ?? '',
        from: Date.parse(row['virkningFra'] ?? ''),
        to: Date.parse(row['virkningTil'] ?? '9999-01-01'),
      }));
      for (const ms of instants) {
        const at = new Date(ms).toISOString();
        const ids = await one(`
          select string_agg(id::text, ' ' order by id::text collate "C") from (
            select id from ${table.table} where valid_from <= '${at}'
            union all
            select f.id from ${table.table}_former f
            where f.valid_from <= '${at}' and f.valid_to > '${at}') r`);
        const raw = times.filter((row) => row.from <= ms && ms < row.to).map(({ id }) => id);
        expect([at, table.table, ids ?? '']).toEqual([at, table.table, raw.sort().join(' ')]);
      }
    }
  });
});
