/** Postal districts over the mirrored sample: where they lie, and that addresses say the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/kernel/limits.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { valueText } from '../../sample/data/feature.ts';
import { envelopeOf } from '../../sample/data/geometry.ts';
import { openAddressService } from '../support/address-service.ts';
import { opened } from '../support/opened.ts';

const service = await opened(openAddressService());

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

  upstream.holdings.assign('kommune', keyOf('kommune', 'kommunekode', '96'), { kommunekode: '89' });
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
