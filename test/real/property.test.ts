/**
 * Every property of the real extract of 2020, then and at instants before it, field by field against plain
 * SQL over the raw rows (property-judge.ts). The rows are put into the tables of the store by the times
 * they carry, as a mirror of a bitemporal source keeps them.
 */
import { resolve } from 'node:path';
import proj4 from 'proj4';
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
import type { RawEntity, RawRow } from '../support/bbr-raw.ts';
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
  await store.pool.query(`insert into ${table.table} ${rows('', 'is null')}`);
  await store.pool.query(
    `insert into ${table.table}_former ${rows(', virkningtil::timestamptz', 'is not null')}`,
  );
}

const WGS84 = 'EPSG:4326';
const UTM32 = '+proj=utm +zone=32 +ellps=GRS80 +units=m +no_defs';

/** Rows in force when the extract was made, as its XML has them, by id. */
function currentRows(entity: RawEntity, status: string): ReadonlyMap<string, RawRow> {
  const current = realRows(realFile('bbr'), entity).filter(
    (row) =>
      row['status'] === status &&
      (row['registreringTil'] ?? '') === '' &&
      (row['virkningTil'] ?? '') === '' &&
      Date.parse(row['virkningFra'] ?? '') <= EXTRACTED_MS,
  );
  return new Map(current.map((row) => [row['id_lokalId'] ?? '', row]));
}

/** Metres of a point of the register; null: it has none. */
function metresOf(text: string | null | undefined): readonly [number, number] | null {
  const parts = /^POINT *\((\S+) (\S+)\)$/.exec(text ?? '');
  return parts === null ? null : [Number(parts[1]), Number(parts[2])];
}

/** As near to the exact values as so many decimals can be, and no more decimals. */
function expectRounded(
  id: string,
  {
    shown,
    exact,
    decimals,
  }: {
    readonly shown: readonly number[] | null | undefined;
    readonly exact: readonly number[];
    readonly decimals: number;
  },
): void {
  expect(exact, id).toHaveLength(2);
  expect(shown, id).toHaveLength(2);
  for (const [i, value] of (shown ?? []).entries()) {
    expect(value, id).toBe(Number(value.toFixed(decimals)));
    // Another projection differs by a nanometre or two.
    expect(Math.abs(value - (exact[i] ?? NaN)), id).toBeLessThan(0.51 * 10 ** -decimals);
  }
}

const DANISH_DAY = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Copenhagen',
  dateStyle: 'short',
});

/**
 * A Danish midnight in UTC as the day it begins (D56): the hour behind it is of that day by the register's
 * summer time and by that of the year.
 */
function dayOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text === '') return null;
  expect(text).toMatch(/T2[23]:00:00Z$/);
  return DANISH_DAY.format(new Date(Date.parse(text) + 3_600_000));
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
    store = await openTestStore();
    for (const entity of RAW_ENTITIES)
      await loadRaw(store, entity, realRows(realFile('bbr'), entity));
    await openJudge(store, readLists(resolve(realFile('.'), '../bbr-kodelister.json')));
    for (const table of BBR_SCHEMA.tables) await fill(store, table);
    await publish(store, 'bbr', { syncedAtMs: EXTRACTED_MS });
    await store.pool.query('analyze');
  }, 300_000);
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

  /** Degrees of another projection differ behind the seventh decimal. */
  function withOwnDegrees({ record }: Judged, own: PropertyRecord | undefined) {
    const bygninger = record.bygninger.map((building, i) => {
      const { coordinates = [] } = own?.bygninger[i]?.geometri ?? {};
      const isNear = building.geometri?.coordinates.every(
        (degrees, n) => Math.abs(degrees - (coordinates[n] ?? Infinity)) < 1.5e-7,
      );
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

  let own: readonly PropertyRecord[] | null = null;
  /** Those of today, read once. */
  async function ownRecords(): Promise<readonly PropertyRecord[]> {
    if (own !== null) return own;
    const bfes = (await judged(EXTRACTED_MS)).map(({ bfe }) => bfe);
    own = [...(await answered(bfes, EXTRACTED_MS)).values()];
    return own;
  }

  it('has each building where its row says, in metres and by PROJ in degrees (D94)', async () => {
    const raw = currentRows('Bygning', '6');
    const shown = new Map(
      (await ownRecords()).flatMap(({ bygninger }) => bygninger.map((each) => [each.id, each])),
    );
    let places = 0;
    for (const { id, geometri } of shown.values()) {
      const row = raw.get(id);
      expect(row?.['byg406Koordinatsystem'], id).toBe('5');
      const metres = metresOf(row?.['byg404Koordinat']) ?? [];
      expectRounded(id, { shown: geometri?.epsg25832, exact: metres, decimals: 2 });
      const degrees = proj4(UTM32, WGS84, [...metres]);
      expectRounded(id, { shown: geometri?.coordinates, exact: degrees, decimals: 7 });
      places += 1;
    }
    expect(places).toBe(2_591);
  });

  it('has each facility where its row says, and each date as its day, in summer and in winter (D56)', async () => {
    const raw = currentRows('TekniskAnlaeg', '6');
    const records = await ownRecords();
    const plants = new Map(
      records.flatMap(({ tekniske_anlaeg: each }) => (each ?? []).map((one) => [one.id, one])),
    );
    const days: string[] = [];
    const expectDay = (
      id: string,
      stored: string | null | undefined,
      day?: string | null,
    ): void => {
      expect(day ?? null, id).toBe(dayOf(stored));
      if (typeof stored === 'string' && stored !== '') days.push(stored);
    };
    for (const { id, punkt, tank } of plants.values()) {
      const row = raw.get(id);
      const exact = metresOf(row?.['tek109Koordinat']) ?? [];
      expectRounded(id, { shown: punkt, exact, decimals: 2 });
      expectDay(id, row?.['tek035SløjfningsfristOlietank'], tank?.sloejfningsfrist);
      expectDay(id, row?.['tek111DatoForSenesteInspektion'], tank?.seneste_inspektion);
    }
    const grounds = currentRows('Grund', '7');
    const drained = new Map(
      records.flatMap(({ grund_id: id, grund_afloeb: drainage }) =>
        id === null || drainage === undefined ? [] : [[id, drainage.paabud_frist]],
      ),
    );
    for (const [id, day] of drained) {
      expectDay(id, grounds.get(id)?.['gru024FristVedrSpildevandsafledning'], day);
    }
    const ofHour = (hour: string) => days.filter((text) => text.includes(`T${hour}:00:00`)).length;
    expect([days.length, ofHour('22'), ofHour('23')]).toEqual([33, 14, 19]);
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
  }, 300_000);
});
