/**
 * Every property of the real extract of 2020, then and at instants before it, field by field against plain
 * SQL over the raw rows (property-judge.ts). The rows are put into the tables of the store by the times
 * they carry, as a mirror of a bitemporal source keeps them.
 */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BBR_SCHEMA } from '../../src/registers/property/tables.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { BBR } from '../../src/layers/keys.ts';
import { overrideRegister } from '../../src/layers/register.ts';
import type { RegisterTable, TableColumn } from '../../src/layers/register-tables.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import type { PropertyRecord } from '../../src/registers/property/record/record.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { RAW_COLUMNS, RAW_ENTITIES, loadRaw, realRows } from '../support/bbr-raw.ts';
import type { RawEntity } from '../support/bbr-raw.ts';
import { JUDGE, judgeAt, openJudge, readLists } from '../support/property-judge.ts';
import { publish } from '../support/property-store.ts';
import { describeReal, realFile } from '../support/real-data.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { openTestStore } from '../support/store.ts';
import type { TestStore } from '../support/store.ts';

const EXTRACTED_MS = Date.UTC(2020, 3, 18);
const FIRST_MS = Date.UTC(2000, 0, 1);

/** How a value of the register is cast to that of a column. */
const CAST: Readonly<Partial<Record<TableColumn['kind'], (name: string) => string>>> = {
  uuid: (name) => `${name}::uuid`,
  status: (name) => `${name}::smallint`,
  bigint: (name) => `${name}::bigint`,
  integer: (name) => `${name}::integer`,
  decimal: (name) => `${name}::float8`,
  date: (name) => `dansk_dato(${name})::date`,
  point: (name) => `case when ${name} like 'POINT%(%' then ST_GeomFromText(${name}, 25832) end`,
};

async function fill(store: TestStore, table: RegisterTable): Promise<void> {
  const entity = table.entity as RawEntity;
  const known = new Set<string>(['id_lokalid', ...RAW_COLUMNS[entity].split(' ')]);
  const cells = table.columns.map(({ kind, from }) => {
    const name = from[0] === 'idlokalid' ? 'id_lokalid' : (from[0] ?? '');
    return known.has(name) ? (CAST[kind]?.(name) ?? name) : 'null';
  });
  const rows = (also: string, ended: string) => `
    select distinct on (id_lokalid, virkningfra) ${cells.join(', ')}, registreringfra::timestamptz,
      virkningfra::timestamptz${also}
    from raw_${entity.toLowerCase()} where registreringtil is null and virkningtil ${ended}
    order by id_lokalid, virkningfra, registreringfra desc`;
  // A column that was added later is the last of its table.
  const names = [...table.columns.map(({ name }) => name), 'registered_from', 'valid_from'].join();
  const former = rows(', virkningtil::timestamptz', 'is not null');
  await store.pool.query(`insert into ${table.table} (${names}) ${rows('', 'is null')}`);
  await store.pool.query(`insert into ${table.table}_former (${names}, valid_to) ${former}`);
}

interface Judged {
  readonly bfe: number;
  readonly record: Record<string, unknown> & { readonly bygninger: readonly JudgedBuilding[] };
}
interface JudgedBuilding {
  readonly id: string;
  readonly geometri: { readonly coordinates: readonly number[] } | null;
}

describeReal('the property record of real BBR', ['postgres'], () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openTestStore({ purpose: 'sync' });
    for (const entity of RAW_ENTITIES)
      await loadRaw(store, entity, realRows(realFile('bbr'), entity));
    await openJudge(store, readLists(resolve(realFile('.'), '../bbr-kodelister.json')));
    for (const table of BBR_SCHEMA.tables) await fill(store, table);
    await publish(store, 'bbr', { syncedAtMs: EXTRACTED_MS });
    await store.pool.query('analyze');
  });
  afterAll(() => store.close());

  const lookup = (unlisted: string[]) =>
    createProperties({
      catalogue: {
        ...REGISTERS_CATALOGUE,
        registers: {
          ...REGISTERS_CATALOGUE.registers,
          bbr: overrideRegister(REGISTERS_CATALOGUE.registers[BBR], {
            files: { contents: 'Bitemporal' },
          }),
        },
      },
      clock: { nowMs: () => EXTRACTED_MS },
      read: (asked) => readProperties(store, asked),
      addresses: () => null,
      municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
      nameSources: (names) => names.join(', '),
      onUnlistedCode: (list) => unlisted.push(list),
    });

  async function judged(atMs: number): Promise<Judged[]> {
    const at = new Date(atMs).toISOString();
    await judgeAt(store, at);
    return (await store.pool.query<Judged>(JUDGE)).rows;
  }

  async function answered(bfes: readonly number[], atMs: number, unlisted: string[] = []) {
    const records = new Map<number, PropertyRecord>();
    const properties = lookup(unlisted);
    for (let from = 0; from < bfes.length; from += 150) {
      const some = bfes.slice(from, from + 150);
      const { value } = await properties.find(some, atMs === EXTRACTED_MS ? null : atMs);
      for (const [i, answer] of value.entries()) {
        if (answer instanceof Failure) throw answer;
        records.set(some[i] ?? 0, propertyRecord(answer.rows, answer.around));
      }
    }
    return records;
  }

  /** What the judge tells of a record, and no more: addresses by their id, parcels by their number. */
  function comparable({
    dagi: _d,
    meta: _m,
    jordstykke: _p,
    jordstykker,
    ...record
  }: PropertyRecord) {
    return {
      ...record,
      parceller: jordstykker.length,
      bygninger: record.bygninger.map((building) => ({
        ...building,
        enheder: building.enheder.map((unit) => ({ ...unit, adresse: unit.adresse.id })),
      })),
    };
  }

  /** As near to PROJ's degrees as seven decimals can be, and no more decimals (D94). */
  function withOwnDegrees({ record }: Judged, own: PropertyRecord | undefined) {
    const bygninger = record.bygninger.map((building, i) => {
      const { coordinates = [] } = own?.bygninger[i]?.geometri ?? {};
      const isNear = building.geometri?.coordinates.every((degrees, n) => {
        const shown = coordinates[n] ?? Infinity;
        return Math.abs(degrees - shown) < 0.51e-7 && shown === Number(shown.toFixed(7));
      });
      return isNear === true
        ? { ...building, geometri: { ...building.geometri, coordinates } }
        : building;
    });
    return { ...record, bygninger };
  }

  async function expectEqual(atMs: number): Promise<Judged[]> {
    const records = await judged(atMs);
    const own = await answered(
      records.map(({ bfe }) => bfe),
      atMs,
    );
    for (const each of records) {
      const record = own.get(each.bfe);
      expect(
        record && comparable(record),
        `${each.bfe} at ${new Date(atMs).toISOString()}`,
      ).toEqual(withOwnDegrees(each, record));
    }
    return records;
  }

  it('holds what is known to be in force', async () => {
    await judged(EXTRACTED_MS);
    const count = async (view: string) =>
      (await store.pool.query<{ n: number }>(`select count(*)::integer as n from o_${view}`))
        .rows[0]?.n;
    expect(
      await Promise.all(['bygning', 'enhed', 'etage', 'tekniskanlaeg', 'grund'].map(count)),
    ).toEqual([2_591, 2_734, 2_430, 459, 1_063]);
  });

  it('is, of every number, what the raw rows say: every code labelled, no area below 0', async () => {
    const records = await expectEqual(EXTRACTED_MS);
    expect(records).toHaveLength(1_316);
    const unlisted: string[] = [];
    const own = [
      ...(
        await answered(
          records.map(({ bfe }) => bfe),
          EXTRACTED_MS,
          unlisted,
        )
      ).values(),
    ];
    expect(unlisted).toEqual([]);
    expect(JSON.stringify(own)).not.toMatch(/_m2":-/);
    const units = new Set(
      own.flatMap(({ bygninger }) =>
        bygninger.flatMap(({ enheder }) => enheder.map(({ id }) => id)),
      ),
    );
    expect(units.size).toBe(2_722);
    expect(Math.max(...own.map(({ antal_bygninger }) => antal_bygninger))).toBe(38);
  });

  it('is the same at instants of the past, drawn at random', async () => {
    let state = TEST_SEED;
    const random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const instants = Array.from({ length: amountOf({ gate: 1, night: 20 }) }, () =>
      Math.floor(FIRST_MS + random() * (EXTRACTED_MS - FIRST_MS)),
    );
    for (const atMs of instants) expect((await expectEqual(atMs)).length).toBeGreaterThan(0);
  });
});
