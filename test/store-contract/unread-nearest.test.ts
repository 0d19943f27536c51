/**
 * Addresses with rows that cannot be read (D143), asked by point, text and number, from memory and from the store:
 * nobody is told a nearest address, a list or a property as if all had been read.
 */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDLE_KINDS } from '../support/registers.ts';
import { createAddressCleansing } from '../../src/registers/addresses/lookup.ts';
import { accessMemory } from '../../src/registers/addresses/find-access.ts';
import { JobData } from '../../src/jobs/data.ts';
import { RowReader } from '../../src/core/rows/row-reader.ts';
import { ADDRESSES, CADASTRE } from '../../src/layers/keys.ts';
import type { Guard } from '../../sync/check.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { openAddressService } from '../support/address-service.ts';
import { syncLayer } from '../../sync/run.ts';
import { told } from '../support/run-outcome.ts';
import { breakRows } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';

const { accessId, roadId, roadName, place, postcode, unitId } = KNOWN_ADDRESS;

const service = await opened(openAddressService());
let accesses: readonly Access[];
beforeAll(async () => {
  const { rows } = await service.store.pool.query<Access>(`
    select a.id::text, a.road_id::text as road, ST_X(p.geom) as x, ST_Y(p.geom) as y
    from address_access a join address_point p on p.id = a.point_id
    join address_road r on r.id = a.road_id where a.status = 3 and p.geom is not null order by a.id`);
  accesses = rows;
});
const broken = new Set<SampleEntity>();
beforeEach(async () => {
  service.shelf.spoil();
  for (const entity of broken) service.shelf.renew(entity);
  broken.clear();
  expect(await sync()).toMatch(/published|unchanged/);
});

interface Access {
  readonly id: string;
  readonly road: string;
  readonly x: number;
  readonly y: number;
}

/** The sample is small, and a row of the copy that comes unreadable waits for a release. */
const LIFTED: readonly Guard[] = ['change-share', 'issues', 'lost-features', 'references'];

async function sync(more: readonly Guard[] = []): Promise<string> {
  const outcome = await service.sync({ liftedGuards: [...LIFTED, ...more] });
  await service.loader.refresh();
  return told(outcome);
}

function breaks(entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow): void {
  broken.add(entity);
  breakRows(service, entity, { fits, cells });
}

const isIts = (row: TableRow) => row['id_lokalId'] === accessId;

/** By memory and by the store; both say the same. */
async function status(path: string): Promise<number> {
  const [fast, slow] = await Promise.all([service.app.inject(path), service.slow.inject(path)]);
  expect(slow.statusCode, slow.body).toBe(fast.statusCode);
  return fast.statusCode;
}

const nearest = (x: number, y: number, radius = 500) =>
  status(`/v1/adresser/reverse?x=${x}&y=${y}&srid=25832&radius=${radius}`);
const inMemory = async (path: string) => (await service.app.inject(path)).statusCode;

const SQUARE = (a: Pick<Access, 'x' | 'y'>, b: Pick<Access, 'x' | 'y'>) =>
  Math.hypot(a.x - b.x, a.y - b.y);

/** Points of which the nearest is another's by a hair more, or by a hair less, and some far away. */
async function agrees(missing: (access: Access) => boolean, radius = 500): Promise<void> {
  const gone = accesses.filter(missing);
  const left = accesses.filter((access) => !missing(access));
  const near = accesses.filter((access) => SQUARE(access, place) < 300).slice(0, 40);
  const spread = accesses.filter((_, i) => i % 97 === 0);
  const points = [...near, ...spread].flatMap(({ x, y }, i) => [
    { x: x + 3 * (i % 5) - 6, y: y + 2 * (i % 7) - 6 },
    { x: (x + place.x) / 2, y: (y + place.y) / 2 },
  ]);
  const punkter = points.map((point, i) => ({ id: `${i}`, ...point, srid: 25832 }));
  for (const app of [service.app, service.slow]) {
    const body = (
      await app.inject({
        method: 'POST',
        url: '/v1/adresser/reverse:batch',
        payload: { punkter, radius },
      })
    ).json<{
      readonly results: readonly { readonly id: string; readonly adgangsadresse: { id: string } }[];
      readonly errors: readonly { readonly id: string; readonly status: number }[];
    }>();
    const answers = new Map<string, string | number>([
      ...body.results.map((each) => [each.id, 'found'] as const),
      ...body.errors.map((each) => [each.id, each.status] as const),
    ]);
    for (const [i, point] of points.entries()) {
      const best = Math.min(radius, ...left.map((access) => SQUARE(access, point)));
      const displaced = Math.min(...gone.map((access) => SQUARE(access, point)));
      const isNone = best === radius;
      const expected = displaced <= best + 0.01 ? 503 : isNone ? 404 : 'found';
      expect(answers.get(`${i}`), JSON.stringify(point)).toBe(expected);
    }
    expect([...answers.values()].filter((each) => each === 'found').length).toBeGreaterThan(5);
    expect([...answers.values()]).toContain(503);
  }
}

describe('the nearest address', () => {
  test('is told while every row can be read', async () => {
    expect(await nearest(place.x, place.y)).toBe(200);
    await expect(agrees(() => false)).rejects.toThrow();
  });

  test.each([
    ['a time that cannot be read', { registreringFra: 'i går' }],
    ['a point that cannot be read', { adgangspunkt: 'ukendt' }],
    ['a road that cannot be read', { navngivenVej: 'ukendt' }],
  ])('is not told where one with %s may be nearer, and else is', async (_what, cells) => {
    breaks('Husnummer', isIts, cells);
    expect(await sync()).toBe('published');
    await agrees(({ id }) => id === accessId);
    // Read again as it came: what the version before knew of its place stays known.
    service.shelf.renew('Husnummer');
    expect(await sync()).toMatch(/published|unchanged/);
    await agrees(({ id }) => id === accessId);
  });

  test.each([
    ['a geometry that is no point', { position: 'ukendt' }],
    ['a geometry that was cut', { position: 'POINT (650040.50 63140' }],
    ['a time that cannot be read', { registreringFra: 'i går' }],
  ])('nor where its own point has %s', async (_what, cells) => {
    const house = service.shelf.rows('Husnummer').find(isIts);
    breaks('Adressepunkt', (row) => row['id_lokalId'] === house?.['adgangspunkt'], cells);
    expect(await sync()).toBe('published');
    await agrees(({ id }) => id === accessId);
    // It has a place, which is not known: it is not told to have none.
    expect(await inMemory(`/v1/adresser/${accessId}`)).toBe(503);
  });

  test('nor where numbers of a road that cannot be read may be', async () => {
    breaks('NavngivenVej', (row) => row['id_lokalId'] === roadId, { virkningFra: 'ukendt' });
    expect(await sync()).toBe('published');
    await agrees(({ road }) => road === roadId);
    expect(await inMemory(`/v1/adresser/${accessId}`)).toBe(503);
  });

  test('is nowhere told once a row without any place was released, and was refused before', async () => {
    breaks('Husnummer', isIts, { id_lokalId: crypto.randomUUID(), adgangspunkt: 'ukendt' });
    expect(await sync()).toMatch(/^refused: .*unplaced/);
    expect(await sync(['unplaced'])).toBe('published');
    for (const { x, y } of [place, ...accesses.slice(0, 3)]) expect(await nearest(x, y)).toBe(503);
    const [notes] = await service.column(
      `select counts ->> 'notes' from sync_run where layer = 'adresser' order by id desc limit 1`,
    );
    expect(String(notes)).toContain('nor the nearest address to any point');
  });

  test('is not touched by a row that is not in force, nor by a unit', async () => {
    const retired = (row: TableRow) => row['id_lokalId'] === KNOWN_ADDRESS.retiredAccessId;
    breaks('Husnummer', retired, { registreringFra: 'i går' });
    expect(await sync()).toBe('published');
    expect(await nearest(place.x, place.y)).toBe(200);
  });
});

describe('a job', () => {
  test('is answered by the lookups, not from the index alone, and finds no such address', async () => {
    const { catalogue, clock } = service.deps;
    const current = () => service.loader.current;
    const register = catalogue.registers[ADDRESSES];
    const cleansing = createAddressCleansing({ clock, register, memory: current });
    const row = new RowReader({
      ...{ columns: { adresse: 'a' }, inputColumns: ['a'], srid: 4326 },
    });
    row.row = [`${roadName} ${KNOWN_ADDRESS.houseNumber}, ${postcode}`];
    const data = new JobData({
      ...{ catalogue, clock, layers: () => null },
      addresses: accessMemory({ catalogue, clock, current, addresses: { cleansing } }),
      kinds: IDLE_KINDS,
    });
    expect(data.of({ kind: 'reverse', columns: {} }, null)).not.toBeNull();
    expect(data.findAccess.byId(accessId)).toMatchObject({ id: accessId });
    expect(data.findAccess.written(row).position).toEqual({ xUtm32: place.x, yUtm32: place.y });
    const house = service.shelf.rows('Husnummer').find(isIts);
    breaks('Adressepunkt', (row) => row['id_lokalId'] === house?.['adgangspunkt'], {
      registreringFra: 'i går',
    });
    expect(await sync()).toBe('published');
    expect(data.of({ kind: 'reverse', columns: {} }, null)).toBeNull();
    // It was told as an address without a place.
    expect(() => data.findAccess.byId(accessId)).toThrow('cannot be read');
    expect(() => data.findAccess.written(row)).toThrow('cannot be read');
  });
});

describe('lists', () => {
  const search = (text: string, more = '') =>
    inMemory(`/v1/adresser?q=${encodeURIComponent(text)}${more}`);

  test('of a road with a number that cannot be read are not told short, misspelt or not', async () => {
    const own = `${roadName} ${KNOWN_ADDRESS.houseNumber}`;
    const other = accesses.find(({ road }) => road !== roadId)?.id ?? '';
    const sound = service.shelf.rows('Husnummer').find((row) => row['id_lokalId'] === other);
    const soundText = String(sound?.['adgangsadressebetegnelse']);
    breaks('Husnummer', isIts, { registreringFra: 'i går' });
    expect(await sync()).toBe('published');
    expect([await search(own, '&per_side=50'), await search('Ny Prøvegdae 12A')]).toEqual([
      503, 503,
    ]);
    expect(await search(soundText)).toBe(200);
    expect(await inMemory(`/v1/datavask?betegnelse=${encodeURIComponent(soundText)}`)).toBe(200);
  });

  test('of postcodes are not told without one that cannot be read', async () => {
    const postcodes = (query: string) => inMemory(`/v1/postnumre${query}`);
    expect([await postcodes(''), await postcodes(`/${postcode}`)]).toEqual([200, 200]);
    breaks('Postnummer', (row) => row['postnr'] === postcode, { registreringFra: 'i går' });
    expect(await sync()).toBe('published');
    expect([await postcodes(''), await postcodes(`/${postcode}`)]).toEqual([503, 503]);
    expect([await postcodes('/0098'), await postcodes('?nr=0098')]).toEqual([200, 200]);
    // An address of it has a postcode, which is not known.
    expect(await inMemory(`/v1/adresser/${accessId}`)).toBe(503);
    expect(await nearest(place.x, place.y)).toBe(503);
  });
});

describe('an address', () => {
  test('is not told a property while EBR has a row of it that cannot be read', async () => {
    expect(await inMemory(`/v1/adresser/${unitId}`)).toBe(200);
    const isOf = (row: TableRow) => row['adresseLokalId'] === unitId || row['adresse'] === unitId;
    const of = service.shelf
      .rows('Ejendomsbeliggenhed')
      .filter((row) => Object.values(row).includes(unitId));
    expect(of.length).toBeGreaterThan(0);
    breaks('Ejendomsbeliggenhed', (row) => isOf(row) || Object.values(row).includes(unitId), {
      registreringFra: 'i går',
    });
    expect(await sync()).toBe('published');
    expect(await inMemory(`/v1/adresser/${unitId}`)).toBe(503);
  });

  test('nor once one was released that may be of any address', async () => {
    const isAnother = (row: TableRow) => row['adresseLokalId'] === unitId;
    breaks('Ejendomsbeliggenhed', isAnother, { adresseLokalId: null, husnummerLokalId: '?' });
    expect(await sync(['unplaced'])).toBe('published');
    const [without = ''] = await service.column(
      `select id::text from address_access where status = 3 and parcel_id is null order by id`,
    );
    expect(await inMemory(`/v1/adresser/${String(without)}`)).toBe(503);
    expect(await inMemory(`/v1/adresser/${accessId}`)).toBe(200);
  });
});

describe('an address whose row refers to one that came without its id', () => {
  test.each([
    ['Adressepunkt', 'adgangspunkt'],
    ['SupplerendeBynavn', 'supplerendeBynavn'],
  ] as const)('of %s is not told without it', async (entity, reference) => {
    const ids = new Set(service.shelf.rows(entity).map((row) => row['id_lokalId']));
    const of = service.shelf
      .rows('Husnummer')
      .find((row) => row['status'] === '3' && ids.has(row[reference] ?? null));
    const path = `/v1/adresser/${String(of?.['id_lokalId'])}`;
    expect(await inMemory(path)).toBe(200);
    const isReferred = (row: TableRow) => row['id_lokalId'] === of?.[reference];
    breaks(entity, isReferred, { id_lokalId: 'ukendt' });
    expect(await sync(['unplaced', 'min-rows'])).toBe('published');
    expect(await inMemory(path)).toBe(503);
  });
});

describe('an address that is gone', () => {
  test('is not told without the one in its place that cannot be read', async () => {
    const retired = service.shelf.rows('Husnummer').filter((row) => row['status'] === '4');
    let [gone, next]: (string | undefined)[] = [];
    for (const { id_lokalId: id } of retired) {
      gone = `/v1/adresser/${String(id)}`;
      const { efterfoelgere = [] } = (await service.app.inject(gone)).json<{
        efterfoelgere?: readonly { readonly id: string }[];
      }>();
      next = efterfoelgere[0]?.id;
      if (next !== undefined) break;
    }
    expect(next).toBeDefined();
    breaks('Husnummer', (row) => row['id_lokalId'] === next, { registreringFra: 'i går' });
    expect(await sync()).toBe('published');
    expect(await inMemory(String(gone))).toBe(503);
  });
});

describe('the property of an address whose parcel cannot be read', () => {
  const parcelOf = () =>
    service.shelf.rows('Jordstykke').find((row) => row['id_lokalId'] === PARCEL);
  const PARCEL = '9600001';
  const text = encodeURIComponent('Ny Prøvegade 12A, 0093 Midtprøve');
  const asked = async () => {
    const batch = await service.slow.inject({
      ...{ method: 'POST', url: '/v1/adresser/reverse:batch' },
      payload: { punkter: [{ id: 'a', x: place.x, y: place.y, srid: 25832 }], radius: 500 },
    });
    const { errors } = batch.json<{ errors: readonly { readonly status: number }[] }>();
    return [
      await inMemory(`/v1/adresser/${accessId}`),
      await inMemory(`/v1/adresser?q=${text}`),
      await inMemory(`/v1/datavask?betegnelse=${text}`),
      await nearest(place.x, place.y),
      errors[0]?.status ?? 200,
    ];
  };
  const TOLD = [200, 200, 200, 200, 200];
  const UNTOLD = TOLD.map(() => 503);

  async function syncParcels(): Promise<string> {
    const outcome = await syncLayer(service.deps, CADASTRE, {
      ...{ trigger: 'command', liftedGuards: LIFTED },
    });
    await service.loader.refresh();
    return told(outcome);
  }

  test('is neither that of its earlier row nor the one EBR has, in any question', async () => {
    // EBR has another at the house number: a building on foreign land.
    service.shelf.renew('Ejendomsbeliggenhed');
    service.shelf.spoil({
      rows: (entity, rows) =>
        entity === 'Ejendomsbeliggenhed'
          ? [...rows, { ...rows.at(-1), ...AT_HOUSE, husnummerLokalId: accessId }]
          : rows,
    });
    expect(await sync()).toBe('published');
    expect(await asked()).toEqual(TOLD);
    // A day's file closes no row, and brings one that cannot be read: the copy has the earlier one.
    const row = parcelOf()!;
    const at = '2026-11-02T00:00:00.000Z';
    service.shelf.change('Jordstykke', { at, close: [row], open: [row] });
    service.shelf.spoil({
      rows: (entity, rows) =>
        entity === 'Jordstykke'
          ? rows
              .filter((each) => each['registreringTil'] !== at)
              .map((each) =>
                each['registreringFra'] === at ? { ...each, virkningFra: 'i går' } : each,
              )
          : rows,
    });
    expect(await syncParcels()).toBe('published');
    expect(
      await service.column(`select id::text from cadastre_parcel where id = ${PARCEL}`),
    ).toEqual([PARCEL]);
    expect(await asked()).toEqual(UNTOLD);
    service.shelf.renew('Jordstykke');
    expect(await syncParcels()).toBe('published');
    expect(await asked()).toEqual(UNTOLD);
    service.shelf.spoil();
    service.shelf.renew('Jordstykke');
    expect(await syncParcels()).toBe('published');
    expect(await asked()).toEqual(TOLD);
  });
});

/** Of the house itself, and in force. */
const AT_HOUSE = {
  id_lokalId: '00000000-0000-4000-8000-00000000ebb1',
  adresseLokalId: null,
  bestemtFastEjendomBFENr: '9300009',
  status: 'gældende',
  registreringTil: null,
  virkningTil: null,
};
