/**
 * Buildings and cadastre of the sample, mirrored from its file downloads: what is kept, and what a day changes. And a
 * number that EBR alone held and that has ended: told of the days on which it was one (D85).
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { readPublished } from '../../src/core/published.ts';
import type { RunOutcome } from '../../sync/deps.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { contentOf, currentRow, openAddressBench } from '../sync/addresses-bench.ts';
import { storeLookups } from '../support/lookups.ts';
import { told } from '../support/run-outcome.ts';
import { opened } from '../support/opened.ts';

const { bfe, blockId, demolishedId, caseId, tankId, groundIds } = KNOWN_PROPERTY;
const REGISTERS = ['matrikel', 'bbr'] as const;
type Register = (typeof REGISTERS)[number];

const bench = await opened(openAddressBench());
const first = new Map<Register, RunOutcome>();
beforeAll(async () => {
  for (const id of REGISTERS) first.set(id, await sync(id));
});
afterEach(() => bench.shelf.spoil());

const sync = (id: Register) => syncLayer(bench.deps, id, { trigger: 'command' });

const content = (id: Register) =>
  contentOf(bench, id, [REGISTERS_CATALOGUE.registers[id].schema.beside.sources]);

const rowOf = (entity: SampleEntity, id: string) => currentRow(bench, entity, id);

const count = (table: string, where = 'true') =>
  bench.column(`select count(*)::integer from ${table} where ${where}`);

describe('a first sync', () => {
  test('publishes every table of each register whole, under one version', async () => {
    expect(REGISTERS.map((id) => told(first.get(id)))).toEqual(['published', 'published']);
    for (const id of REGISTERS) {
      const { schema } = REGISTERS_CATALOGUE.registers[id];
      for (const { entity, table } of schema.tables) {
        const now = new Date(bench.deps.clock.nowMs()).toISOString();
        const current = bench.shelf
          .rows(entity)
          .filter((row) => row['registreringTil'] === null && row['virkningTil'] === null)
          .filter((row) => (row['virkningFra'] ?? '') <= now);
        expect([entity, await count(table)]).toEqual([entity, [current.length]]);
      }
    }
    const { versions } = await readPublished(bench.store, REGISTERS);
    expect(versions.map(({ layer, version }) => [layer, version])).toEqual([
      ['bbr', 1],
      ['matrikel', 1],
    ]);
  });

  test('keeps codes as written, differences of cases, and no point where there is none', async () => {
    expect(await count('bbr_building', `use = '999'`)).not.toEqual([0]);
    expect(await count('bbr_building', 'built_year = 1000')).not.toEqual([0]);
    const text = `select concat_ws(' ', status, total_area, footprint_area)
      from bbr_building where id = '${caseId}'`;
    expect(await bench.column(text)).toEqual(['9 -120 -60']);
    const points = `select ST_AsText(geom) from bbr_building where id = any($$`;
    expect(await bench.column(`${points}{${KNOWN_PROPERTY.projectedId}}$$)`)).toEqual([null]);
    const [block] = await bench.column(`${points}{${blockId}}$$)`);
    expect(block).toMatch(/^POINT\(650040\.5 /);
    const days = `select concat_ws(' ', decommissioning_due, latest_inspection, decommissioning)
      from bbr_facility where id = '${tankId}'`;
    expect(await bench.column(days)).toEqual(['2027-08-12 2024-12-31 0']);
  });

  test('keeps the past the files tell, and hides nothing behind a day to come', async () => {
    const past = `select concat_ws(' ', heating_fuel, valid_to at time zone 'utc')
      from bbr_building_former where id = '${blockId}'`;
    expect(await bench.column(past)).toEqual(['3 2021-09-14 10:00:00']);
    const now = `select valid_from at time zone 'utc' from bbr_building where id = '${blockId}'`;
    expect(await bench.column(`select (${now})::text`)).toEqual(['2021-09-14 10:00:00']);
    const units = `select count(*)::integer from bbr_unit u join bbr_floor f on f.id = u.floor_id
      where f.building_id = '${demolishedId}' and u.status = 6 and f.status = 6`;
    expect(await bench.column(units)).toEqual([1]);
  });

  test('joins properties, grounds, buildings, units, parcels and faces', async () => {
    const three = `select count(*)::integer from bbr_ground g join bbr_building b on b.ground_id = g.id
      where g.id = any('{${groundIds.join()}}') and b.status = 6 group by g.property_id`;
    expect(await bench.column(three)).toEqual([expect.any(Number)]);
    const ofBlock = `select concat_ws(' ', p.bfe, d.code, j.number, ST_GeometryType(f.geom))
      from bbr_property p join bbr_ground g on g.property_id = p.id
      join bbr_ground_parcel r on r.ground_id = g.id join cadastre_parcel j on j.id = r.parcel_id
      join cadastre_district d on d.id = j.district_id join cadastre_face f on f.parcel_id = j.id
      where p.bfe = ${bfe}`;
    expect(await bench.column(ofBlock)).toEqual(['9100001 9900093 1a ST_MultiPolygon']);
    const flat = `select count(*)::integer from bbr_property p
      join bbr_unit_property r on r.property_id = p.id join bbr_unit u on u.id = r.unit_id
      join cadastre_flat f on f.id = p.cadastre_flat_id and f.bfe = p.bfe
      where p.bfe = ${KNOWN_PROPERTY.flatBfe}`;
    expect(await bench.column(flat)).toEqual([1]);
    const foreign = `select r.building_id::text from bbr_property p
      join bbr_building_property r on r.property_id = p.id
      join cadastre_foreign_building c on c.bfe = p.bfe
      where p.bfe = ${KNOWN_PROPERTY.foreignBfe}`;
    expect(await bench.column(foreign)).toEqual([KNOWN_PROPERTY.foreignBuildingId]);
  });
});

describe('a day', () => {
  const AT = '2026-11-02T06:30:00.000000Z';

  test('ends, opens and keeps rows, and is taken back', async () => {
    const before = await content('bbr');
    const [extended, gone] = [
      rowOf('Bygning', KNOWN_PROPERTY.foreignBuildingId),
      rowOf('TekniskAnlaeg', tankId),
    ];
    bench.shelf.change('Bygning', {
      at: AT,
      close: [extended],
      open: [{ ...extended, virkningFra: AT, byg038SamletBygningsareal: '333' }],
    });
    bench.shelf.change('TekniskAnlaeg', { at: AT, close: [gone] });
    expect(await sync('bbr')).toMatchObject({
      state: 'published',
      counts: { inserted: 0, changed: 1, removed: 1 },
    });
    const { foreignBuildingId: id } = KNOWN_PROPERTY;
    expect(await count('bbr_building', `id = '${id}' and total_area = 333`)).toEqual([1]);
    const past = `select concat_ws(' ', total_area, valid_to at time zone 'utc')
      from bbr_building_former where id = '${id}'`;
    const area = extended['byg038SamletBygningsareal'] ?? '';
    expect(await bench.column(past)).toEqual([`${area} 2026-11-02 06:30:00`]);
    expect(await count('bbr_facility', `id = '${tankId}'`)).toEqual([0]);
    expect(await count('bbr_facility_former', `id = '${tankId}'`)).toEqual([1]);
    const after = await content('bbr');
    expect((await revertLayer(bench.deps, 'bbr', { by: 'Ida' })).state).toBe('published');
    expect(await content('bbr')).toBe(before);
    expect(told(await sync('bbr'))).toBe('published');
    expect((await content('bbr')).length).toBe(after.length);
  });

  describe('of few rows', () => {
    const AREA = 'byg041BebyggetAreal';
    const withUnit = (row: TableRow): TableRow => ({ ...row, [AREA]: `${row[AREA]} m2` });
    const renumbered = (row: TableRow, n: number): TableRow => ({
      ...row,
      id_lokalId: `0a3f50d5-0000-32b8-e044-00037a00000${n}`,
    });
    let minute = 30;
    /** Buildings registered anew, and others that nobody knew. */
    const change = (known: readonly TableRow[], unknown: readonly TableRow[] = []) => {
      const ids = known.map((row) => row['id_lokalId'] ?? '');
      const before = ids.map((id) => rowOf('Bygning', id));
      minute += 1;
      const at = `2026-11-02T06:${minute}:00.000000Z`;
      bench.shelf.change('Bygning', {
        at,
        close: before,
        open: [...known, ...unknown].map((row) => ({ ...row, virkningFra: at })),
      });
    };
    const ofRow = (row: TableRow | undefined) =>
      bench.column(`select footprint_area from bbr_building where id = '${row?.['id_lokalId']}'`);
    const inDelta = (rows: readonly TableRow[]) => rows.length < 20;

    test('three new rows and not one value of a column is refused, one such row is data', async () => {
      const like = rowOf('Bygning', blockId);
      change([], [withUnit(renumbered(like, 1))]);
      expect(told(await sync('bbr'))).toBe('published');
      expect(await ofRow(renumbered(like, 1))).toEqual([null]);
      const before = await content('bbr');
      change(
        [],
        [2, 3, 4].map((n) => renumbered(like, n)),
      );
      bench.shelf.spoil({
        rows: (entity, rows) =>
          entity === 'Bygning' && inDelta(rows) && rows.length > 1 ? rows.map(withUnit) : rows,
      });
      expect(told(await sync('bbr'))).toBe('refused: schema');
      expect(await content('bbr')).toBe(before);
      bench.shelf.spoil();
      expect(told(await sync('bbr'))).toBe('published');
      expect(await ofRow(renumbered(like, 4))).toEqual([Number(like[AREA])]);
    });

    test('a broken value beside sound ones is data, and holds no day back', async () => {
      const broken = rowOf('Bygning', blockId);
      const sound = [2, 3].map((n) => rowOf('Bygning', renumbered(broken, n)['id_lokalId'] ?? ''));
      change([{ ...broken, [AREA]: 'ukendt' }, ...sound]);
      expect(told(await sync('bbr'))).toBe('published');
      expect(await ofRow(broken)).toEqual([null]);
      expect(await ofRow(sound[0])).toEqual([Number(broken[AREA])]);
    });
  });
});

const HOUR_MS = 3_600_000;

describe('a number that EBR alone holds', () => {
  const [ALONE, NEVER] = [9_555_001, 9_555_002];
  let beganMs: number;
  let known: TableRow;
  beforeAll(async () => {
    known = bench.shelf.rows('Ejendomsbeliggenhed')[0]!;
    holds({ ...known, [numberOf(known)]: String(ALONE), status: '3' });
    bench.advance(HOUR_MS);
    await publish();
    beganMs = bench.deps.clock.nowMs();
  });

  async function publish(): Promise<void> {
    const liftedGuards = ['change-share', 'row-drop', 'min-rows'] as const;
    const outcome = await syncLayer(bench.deps, 'adresser', { trigger: 'command', liftedGuards });
    expect(told(outcome)).toBe('published');
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
    const { catalogue, clock } = bench.deps;
    const { properties } = storeLookups(bench.store, { catalogue, clock });
    const [answer] = (await properties.find([bfe], asOfMs)).value;
    return answer instanceof Failure ? answer.status : 200;
  }

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
    await publish();
    const endedMs = bench.deps.clock.nowMs();
    bench.advance(HOUR_MS);
    expect([await property(ALONE, null), await property(ALONE, endedMs + 1)]).toEqual([404, 404]);
    expect([await property(ALONE, endedMs - 60_000), await property(ALONE, beganMs)]).toEqual([
      200, 200,
    ]);
    expect(await property(NEVER, beganMs)).toBe(404);
  });

  test('is one again after a step back', async () => {
    expect((await revertLayer(bench.deps, 'adresser', { by: 'test' })).state).toBe('published');
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
    await publish();
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
