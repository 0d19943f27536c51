/**
 * What is told of addresses, from memory and from the store: postal districts, where they lie and that addresses say the
 * same; and with rows that cannot be read (D143), asked by point, text and number, no nearest address, list or property as
 * if all had been read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
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
import { breakRows } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';

const { accessId, roadName, place, postcode } = KNOWN_ADDRESS;

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
    // Those of postcodes are named by what names a municipality and its region.
    expect(await stale()).toEqual(Object.keys(routes));
    await outdate('kommune');
    expect(await stale()).toEqual(['postcodes', 'postcode', 'municipality', 'point', 'address']);
    await outdate('postnummer');
    expect(await stale()).toEqual(['postcodes', 'postcode']);
    await outdate(null);
    expect(await stale()).toEqual([]);
  });
});

describe('with rows that cannot be read', () => {
  const broken = new Set<SampleEntity>();
  beforeEach(async () => {
    service.shelf.spoil();
    for (const entity of broken) service.shelf.renew(entity);
    broken.clear();
    expect(await sync()).toMatch(/published|unchanged/);
  });

  /** The sample is small, and a row of the copy that comes unreadable waits for a release. */
  const LIFTED: readonly Guard[] = ['change-share', 'issues', 'lost-features', 'references'];

  async function sync(): Promise<string> {
    const outcome = await service.sync({ liftedGuards: LIFTED });
    await service.loader.refresh();
    return told(outcome);
  }

  function breaks(entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow): void {
    broken.add(entity);
    breakRows(service, entity, { fits, cells });
  }

  const isIts = (row: TableRow) => row['id_lokalId'] === accessId;

  const inMemory = async (path: string) => (await service.app.inject(path)).statusCode;

  /** The nearest to each, by memory and by the store, one by one and as a batch: the statuses. */
  async function nearest(
    points: readonly { readonly x: number; readonly y: number }[],
  ): Promise<readonly number[]> {
    const asked = [service.app, service.slow].flatMap((app) => [
      Promise.all(
        points.map(async ({ x, y }) => {
          const path = `/v1/adresser/reverse?x=${x}&y=${y}&srid=25832&radius=500`;
          return (await app.inject(path)).statusCode;
        }),
      ),
      batch(app, points),
    ]);
    const [statuses, ...others] = await Promise.all(asked);
    for (const other of others) expect(other).toEqual(statuses);
    return statuses!;
  }

  async function batch(app: typeof service.app, points: readonly object[]): Promise<number[]> {
    const punkter = points.map((point, i) => ({ id: `${i}`, ...point, srid: 25832 }));
    const url = '/v1/adresser/reverse:batch';
    const answer = await app.inject({ method: 'POST', url, payload: { punkter, radius: 500 } });
    const { errors } = answer.json<{
      readonly errors: readonly { readonly id: string; readonly status: number }[];
    }>();
    return punkter.map(({ id }) => errors.find((each) => each.id === id)?.status ?? 200);
  }

  test('the nearest address is not told where one may be nearer, and else is', async () => {
    const { rows } = await service.store.pool.query<{ x: number; y: number; m: number }>(
      `select ST_X(p.geom) as x, ST_Y(p.geom) as y, ST_Distance(p.geom,
        ST_SetSRID(ST_MakePoint($1, $2), 25832)) as m
       from address_access a join address_point p on p.id = a.point_id
       where a.status = 3 and p.geom is not null order by m`,
      [place.x, place.y],
    );
    const points = [place, rows.find(({ m }) => m > 1)!, rows.at(-1)!].map(({ x, y }) => ({
      x,
      y,
    }));
    expect(await nearest(points)).toEqual([200, 200, 200]);
    breaks('Husnummer', isIts, { registreringFra: 'i går' });
    expect(await sync()).toBe('published');
    expect(await nearest(points)).toEqual([503, 200, 200]);
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
      addresses: accessMemory({
        ...{ catalogue, clock, current, addresses: { cleansing }, isLacking: () => false },
      }),
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

  describe('the property of an address whose parcel cannot be read', () => {
    const parcelOf = () =>
      service.shelf.rows('Jordstykke').find((row) => row['id_lokalId'] === PARCEL);
    const PARCEL = '9600001';
    const text = encodeURIComponent('Ny Prøvegade 12A, 0093 Midtprøve');
    const asked = async () => [
      await inMemory(`/v1/adresser/${accessId}`),
      await inMemory(`/v1/adresser?q=${text}`),
      await inMemory(`/v1/datavask?betegnelse=${text}`),
      ...(await nearest([place])),
    ];
    const TOLD = [200, 200, 200, 200];
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
