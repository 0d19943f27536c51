/** BBR at the door of DAWA, over the sample's mirrored buildings: held against the tables. */
import { expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { openAddressService } from '../support/address-service.ts';
import { opened } from '../support/opened.ts';

const service = await opened(openAddressService());
const app = service.app;

type Row = Readonly<Record<string, unknown>>;

const ask = (path: string) => app.inject(`/dawa/bbrlight/${path}`);
const rowsOf = async (path: string): Promise<readonly Row[]> => {
  const answer = await ask(path);
  expect(answer.statusCode, `${path}: ${answer.body.slice(0, 300)}`).toBe(200);
  return answer.json();
};
const stored = async (text: string, values: readonly unknown[] = []) => {
  const { rows } = await service.store.pool.query<{ id: string }>(text, [...values]);
  return rows.map(({ id }) => id).toSorted();
};
const idsOf = (rows: readonly Row[], name: string) => rows.map((row) => row[name] as string);

const IN_FORCE = 'status = 6 and valid_from <= now()';

test('the buildings, entrances and units of an address are those that BBR has at it', async () => {
  const houses = await stored(`select access_id::text as id from bbr_building where ${IN_FORCE}
    and access_id is not null group by access_id`);
  expect(houses.length).toBeGreaterThan(20);
  for (const [path, table, name] of [
    ['bygninger', 'bbr_building', 'Bygning_id'],
    ['opgange', 'bbr_entrance', 'Opgang_id'],
  ] as const) {
    for (const id of houses.slice(0, 40)) {
      const own = await stored(
        `select id::text from ${table} where ${IN_FORCE} and access_id = $1`,
        [id],
      );
      const rows = await rowsOf(`${path}?adgangsadresseid=${id}`);
      expect(idsOf(rows, name).toSorted()).toEqual(own);
    }
  }
  const units = await stored(`select address_id::text as id from bbr_unit where ${IN_FORCE}
    and address_id in (select id from address_unit where status = 3) group by address_id`);
  for (const id of units.slice(0, 20)) {
    const own = await stored(
      `select id::text from bbr_unit where ${IN_FORCE} and address_id = $1`,
      [id],
    );
    expect(idsOf(await rowsOf(`enheder?adresseid=${id}`), 'Enhed_id').toSorted()).toEqual(own);
  }
});

test('a building is told at its address, whatever property that belongs to', async () => {
  const { pool } = service.store;
  const [other] = await stored(`select b.id::text from bbr_building b where ${IN_FORCE} limit 1`);
  const { accessId } = KNOWN_ADDRESS;
  const { rows } = await pool.query<{ was: string }>(
    'select access_id::text as was from bbr_building where id = $1',
    [other],
  );
  const move = (to: string | undefined) =>
    pool.query('update bbr_building set access_id = $2 where id = $1', [other, to]);
  await move(accessId);
  const found = await rowsOf(`bygninger?adgangsadresseid=${accessId}`);
  await move(rows[0]?.was);
  expect(idsOf(found, 'Bygning_id')).toContain(other);
});

test('a unit has its entrance and building, which links and ids find again', async () => {
  const [id] = await stored(`select id::text from bbr_unit u where ${IN_FORCE}
    and u.entrance_id is not null and u.floor_id is not null limit 1`);
  const unit = (await ask(`enheder/${id}`)).json<Row & Record<'bygning' | 'opgang', Row>>();
  expect(unit).toMatchObject({ Enhed_id: id, BEBO_ARL: null });
  expect(typeof unit['ENH_ANVEND_KODE']).toBe('number');
  const building = unit.bygning['Bygning_id'] as string;
  const entrance = unit.opgang['Opgang_id'] as string;
  const path = (unit.bygning['href'] as string).split('/dawa/bbrlight/')[1]!;
  expect((await ask(path)).json<Row>()['Bygning_id']).toBe(building);
  expect(idsOf(await rowsOf(`opgange?id=${entrance}`), 'Opgang_id')).toEqual([entrance]);
  const all = await rowsOf(`enheder?bygningsid=${building}`);
  expect(idsOf(all, 'Enhed_id')).toContain(id);
  const code = String(unit['ENH_ANVEND_KODE']);
  expect(await rowsOf(`enheder?bygningsid=${building}&anvendelseskode=${code}`)).toContainEqual(
    unit,
  );
  expect(await rowsOf(`enheder?bygningsid=${building}&anvendelseskode=8888`)).toEqual([]);
  const [flat] = await rowsOf(`enheder?id=${id}&struktur=flad`);
  expect(flat).toMatchObject({ Enhed_id: id, bygning_Bygning_id: building });
  const shown = (await ask(`bygninger?id=${building}&format=geojson&srid=25832`)).json<{
    readonly features: readonly {
      readonly geometry: { readonly coordinates: readonly number[] };
    }[];
  }>();
  expect(shown.features[0]?.geometry.coordinates[0]).toBeGreaterThan(400_000);
});

test('what would be a scan, or cannot be known, is refused', async () => {
  const { accessId } = KNOWN_ADDRESS;
  for (const query of [
    ...['', 'kommunekode=0093', 'anvendelseskode=120', 'cirkel=11.46,56.94,100', 'id=x'],
    ...[`adgangsadresseid=${accessId}&esrejendomsnr=1`, `adgangsadresseid=${accessId}&x=11&y=56`],
    ...[`adgangsadresseid=${accessId}&medtagophørte=true`, `adgangsadresseid=${accessId}&q=a`],
  ]) {
    expect((await ask(encodeURI(`bygninger?${query}`))).statusCode, query).toBe(400);
  }
  const unknown = '11111111-1111-4111-8111-111111111111';
  expect(await rowsOf(`enheder?adresseid=${unknown}`)).toEqual([]);
  expect((await ask(`opgange/${unknown}`)).statusCode).toBe(404);
  expect((await ask('grunde')).body).toContain('GET /v1/bbr/ejendom');
});

test('while rows of BBR are unread that may be these, nothing is told', async () => {
  const { pool } = service.store;
  const [id] = await stored(`select id::text from bbr_building where ${IN_FORCE} limit 1`);
  const setUnread = (text: string | null) =>
    pool.query(`update layer_state set unanswered = $1 where layer = 'bbr'`, [text]);
  await setUnread(JSON.stringify({ objects: [null] }));
  expect((await ask(`bygninger/${id}`)).statusCode).toBe(503);
  await setUnread(JSON.stringify({ objects: ['1'] }));
  expect((await ask(`bygninger/${id}`)).statusCode).toBe(200);
  // A row of any property may be at the address.
  const { accessId } = KNOWN_ADDRESS;
  expect((await ask(`bygninger?adgangsadresseid=${accessId}`)).statusCode).toBe(503);
  await setUnread(null);
});
