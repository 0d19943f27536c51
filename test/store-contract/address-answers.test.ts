/**
 * What is told of addresses, from memory and from the store: postal districts, where they lie and that addresses say the
 * same; and with rows that cannot be read (D143), asked by point, text and number, no nearest address, list or property as
 * if all had been read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { IDLE_KINDS } from '../support/registers.ts';
import { createAddressCleansing } from '../../src/registers/addresses/lookup.ts';
import { accessMemory } from '../../src/registers/addresses/find-access.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { JobData } from '../../src/jobs/data.ts';
import { RowReader } from '../../src/core/rows/row-reader.ts';
import { ADDRESSES, CADASTRE } from '../../src/layers/keys.ts';
import type { Guard } from '../../sync/check.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { valueText } from '../../sample/data/feature.ts';
import { envelopeOf } from '../../sample/data/geometry.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { openAddressService } from '../support/address-service.ts';
import { syncLayer } from '../../sync/run.ts';
import { told } from '../support/run-outcome.ts';
import { oneIn } from '../support/run-settings.ts';
import { breakRows } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';

const { accessId, roadId, roadName, place, postcode, unitId } = KNOWN_ADDRESS;

const service = await opened(openAddressService());
describe('a postal district', () => {
  interface Postcode {
    readonly nr: string;
    readonly navn: string;
    readonly afgraensning: 'distrikt' | 'adresser';
    readonly kommuner: readonly { readonly kode: string; readonly navn: string | null }[];
    readonly epsg25832_bbox: readonly [number, number, number, number];
  }

  async function postcodes(query = ''): Promise<ReadonlyMap<string, Postcode>> {
    const response = await service.app.inject(`/v1/postnumre${query}`);
    const { postnumre } = response.json<{ postnumre: Postcode[] }>();
    return new Map(postnumre.map((each) => [each.nr, each]));
  }

  const codesOf = (postcode: Postcode | undefined) => postcode?.kommuner.map(({ kode }) => kode);

  test('a postcode has the box of its district, out into the sea', async () => {
    const all = await postcodes();
    const drawn = service.upstream.holdings
      .features('postnummer')
      .filter(({ properties }) => properties['skala'] === '1:10.000');
    expect(drawn).toHaveLength(6);
    for (const { properties, geometry } of drawn) {
      const { minX, minY, maxX, maxY } = envelopeOf(geometry!);
      const box = [minX, minY, maxX, maxY].map((metres) => Math.round(metres * 100) / 100);
      const code = valueText(properties['postnummer'])!;
      expect(all.get(code)).toMatchObject({ afgraensning: 'distrikt', epsg25832_bbox: box });
    }
  });

  test('a postcode lies in the municipalities of its district, also where it has no address', async () => {
    const all = await postcodes();
    expect(codesOf(all.get('0092'))).toEqual(['0091', '0092']);
    expect(codesOf(all.get('0095'))).toEqual(['0095', '0096']);
    const { rows } = await service.store.pool.query(`
      select from address_access a join address_postcode p on p.id = a.postcode_id
      where p.code = '0092' and a.municipality_code = '0091'`);
    expect(rows).toEqual([]);
    expect([...(await postcodes('?kommunekode=91')).keys()]).toEqual(['0091', '0092', '0097']);
  });

  test('a postcode without a district is told by its addresses, and says so', async () => {
    const { postcode, name } = KNOWN_ADDRESS.receiver;
    const { x, y } = KNOWN_ADDRESS.place;
    expect((await postcodes()).get(postcode)).toMatchObject({
      navn: name,
      afgraensning: 'adresser',
      kommuner: [{ kode: '0093', navn: 'Midtby Kommune (opdigtet)' }],
      epsg25832_bbox: [x + 60, y, x + 60, y],
    });
  });

  test('what is said of an address agrees with what is said of its postcode', async () => {
    const all = await postcodes();
    const { addressIndex } = service.loader.current!.finder;
    const { rows } = await service.store.pool.query<{ id: string }>(
      `select a.id from address_access a join address_point p on p.id = a.point_id
       where a.status = 3 and p.geom is not null`,
    );
    expect(rows.length).toBeGreaterThan(500);
    for (const { id } of rows) {
      const { postcode, road, position } = addressIndex.access(id)!;
      const told = all.get(postcode!.code)!;
      expect(told.navn).toBe(postcode!.name);
      expect(codesOf(told)).toContain(road.municipalityCode);
      const [west, south, east, north] = told.epsg25832_bbox;
      const { xUtm32: x, yUtm32: y } = position!;
      expect([x >= west && x <= east, y >= south && y <= north]).toEqual([true, true]);
    }
    const found = await service.app.inject(
      `/v1/adresser/reverse?x=${KNOWN_ADDRESS.place.x}&y=${KNOWN_ADDRESS.place.y}&srid=25832`,
    );
    const { postnr, postnrnavn, kommunekode } = found.json<{
      adresse: { postnr: string; postnrnavn: string; kommunekode: string };
    }>().adresse;
    const told = (await service.app.inject(`/v1/postnumre/${postnr}`)).json<Postcode>();
    expect([told.navn, codesOf(told)]).toEqual([postnrnavn, [kommunekode]]);
  });

  test('no point is answered with a postal district', async () => {
    const response = await service.app.inject('/v1/dagi/reverse?x=650000&y=6314000&srid=25832');
    const { omraader } = response.json<{ omraader: { tema: string }[] }>();
    expect(omraader.map(({ tema }) => tema)).toEqual([
      ...['region', 'kommune', 'sogn', 'retskreds', 'politikreds', 'opstillingskreds'],
    ]);
  });

  test('a district that moved and a municipality that changed are told, the others stay', async () => {
    const { deps, upstream, store } = service;
    const read = async () => {
      const { rows } = await store.pool.query<{ code: string; at: string; codes: string }>(
        `select code, xmin::text as at, array_to_string(municipality_codes, ' ') as codes
         from postal_district order by code`,
      );
      return rows;
    };
    const before = await read();
    const keyOf = (layer: 'postnummer' | 'kommune', column: string, code: string): string =>
      valueText(
        upstream.holdings
          .features(layer)
          .find(({ properties }) => Number(properties[column]) === Number(code))!.properties[
          'id.lokalId'
        ],
      )!;
    // Of the districts only the islets' may move without covering its neighbours.
    upstream.holdings.move('postnummer', keyOf('postnummer', 'postnummer', '95'), {
      east: 20,
      north: 0,
    });
    expect(await syncLayer(deps, 'postnummer', { trigger: 'command' })).toMatchObject({
      state: 'published',
      counts: { changed: 1 },
    });
    const moved = await read();
    expect(moved.map(({ codes }) => codes)).toEqual(before.map(({ codes }) => codes));
    const rewritten = moved.filter(({ at }, n) => at !== before[n]!.at).map(({ code }) => code);
    expect(rewritten).toEqual(['0095']);

    upstream.holdings.assign('kommune', keyOf('kommune', 'kommunekode', '96'), {
      kommunekode: '89',
    });
    const liftedGuards = ['canary'];
    expect(await syncLayer(deps, 'kommune', { trigger: 'command', liftedGuards })).toMatchObject({
      state: 'published',
    });
    expect((await read()).find(({ code }) => code === '0095')?.codes).toBe('0089 0095');
    upstream.holdings.restore();
  });

  test('between an instant and its new version, every route that tells of the areas says that they are old', async () => {
    const { pool } = service.store;
    const { rows } = await pool.query<{ id: string }>(
      'select id from address_access where status = 3 and point_id is not null order by id limit 1',
    );
    const routes = {
      postcodes: '/v1/postnumre',
      postcode: '/v1/postnumre/0092',
      district: '/v1/dagi/retskreds/1191',
      municipality: '/v1/dagi/kommune/0091',
      point: '/v1/dagi/reverse?x=651500&y=6313000&srid=25832',
      address: `/v1/adresser/${rows[0]?.id ?? ''}`,
    };
    const stale = async () => {
      const told: string[] = [];
      for (const [name, url] of Object.entries(routes)) {
        const { statusCode, headers } = await service.app.inject(url);
        expect([name, statusCode]).toEqual([name, 200]);
        if (headers['x-service-stale'] === 'true') told.push(name);
      }
      return told;
    };
    const outdate = async (layer: string | null) => {
      await pool.query('update layer_state set outdated_at = null');
      await pool.query(
        "update layer_state set outdated_at = now() - interval '1 minute' where layer = $1",
        [layer],
      );
      // The districts are read once for a moment.
      await sleep(1.2 * LIMITS.postalDistrictsKeptMs);
    };
    expect(await stale()).toEqual([]);
    await outdate('region');
    expect(await stale()).toEqual(['district', 'municipality', 'point', 'address']);
    await outdate('kommune');
    expect(await stale()).toEqual(['postcodes', 'postcode', 'municipality', 'point', 'address']);
    await outdate('postnummer');
    expect(await stale()).toEqual(['postcodes', 'postcode']);
    await outdate(null);
    expect(await stale()).toEqual([]);
  });
});

describe('with rows that cannot be read', () => {
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
        readonly results: readonly {
          readonly id: string;
          readonly adgangsadresse: { id: string };
        }[];
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

    const OF_A_HOUSE: readonly (readonly [string, TableRow])[] = [
      ['a time that cannot be read', { registreringFra: 'i går' }],
      ['a point that cannot be read', { adgangspunkt: 'ukendt' }],
      ['a road that cannot be read', { navngivenVej: 'ukendt' }],
    ];
    test.each(oneIn(3, OF_A_HOUSE))(
      'is not told where one with %s may be nearer, and else is',
      async (_what, cells) => {
        breaks('Husnummer', isIts, cells);
        expect(await sync()).toBe('published');
        await agrees(({ id }) => id === accessId);
        // Read again as it came: what the version before knew of its place stays known.
        service.shelf.renew('Husnummer');
        expect(await sync()).toMatch(/published|unchanged/);
        await agrees(({ id }) => id === accessId);
      },
    );

    const OF_A_POINT: readonly (readonly [string, TableRow])[] = [
      ['a geometry that is no point', { position: 'ukendt' }],
      ['a geometry that was cut', { position: 'POINT (650040.50 63140' }],
      ['a time that cannot be read', { registreringFra: 'i går' }],
    ];
    test.each(oneIn(3, OF_A_POINT, 1))('nor where its own point has %s', async (_what, cells) => {
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
      for (const { x, y } of [place, ...accesses.slice(0, 3)])
        expect(await nearest(x, y)).toBe(503);
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

  test('a job is answered by the lookups, not from the index alone, and finds no such address', async () => {
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
      const isOf = (row: TableRow) => Object.values(row).includes(unitId);
      expect(service.shelf.rows('Ejendomsbeliggenhed').some(isOf)).toBe(true);
      breaks('Ejendomsbeliggenhed', isOf, { registreringFra: 'i går' });
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

  test.each([
    ['Adressepunkt', 'adgangspunkt'],
    ['SupplerendeBynavn', 'supplerendeBynavn'],
  ] as const)(
    'an address whose row refers to one that came without its id of %s is not told without it',
    async (entity, reference) => {
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
    },
  );

  test('an address that is gone is not told without the one in its place that cannot be read', async () => {
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
});
