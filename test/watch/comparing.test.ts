/** Lists compared with real publications: what concerns an object, and that it is sent once. */
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/account/ids.ts';
import { ADDRESSES, BBR, CADASTRE } from '../../src/layers/keys.ts';
import { WATCH_LIMITS } from '../../src/watch/limits.ts';
import { revertLayer } from '../../sync/revert.ts';
import { isHeavy } from '../support/run-settings.ts';
import { openWatchBench } from './watch-bench.ts';
import { opened } from '../support/opened.ts';

const ACCOUNTS = isHeavy ? 100 : 3;
const uuid = (n: number) => `00000000-0000-4000-9000-${n.toString(16).padStart(12, '0')}`;

const bench = await opened(openWatchBench());

type Address = Readonly<Record<'unit' | 'access' | 'point' | 'road', string>>;

/** Addresses on roads with few of them, each on another. */
const addresses = async (count: number): Promise<readonly Address[]> =>
  (
    await bench.store.pool.query<Address>(
      `select distinct on (a.road_id) u.id as unit, a.id as access, a.point_id as point, a.road_id as road
       from address_unit u join address_access a on a.id = u.access_id join address_point p on p.id = a.point_id
         join address_road r on r.id = a.road_id
       where u.status = 3 and a.status = 3 order by a.road_id, u.id limit $1`,
      [count],
    )
  ).rows;

const OF_ONE = 'where p.bfe is not null';
const ON_GROUND = `join bbr_property p on p.id = g.property_id ${OF_ONE}`;
const IN_BUILDING = `join bbr_ground g on g.id = b.ground_id ${ON_GROUND}`;
const ON_FLOOR = `join bbr_building b on b.id = f.building_id ${IN_BUILDING}`;

/** A row of each entity with the property that it belongs to. */
const OF_PROPERTY: Readonly<Record<string, string>> = {
  Ejendomsrelation: `select id, bfe from bbr_property p ${OF_ONE}`,
  Grund: `select g.id, p.bfe from bbr_ground g ${ON_GROUND}`,
  GrundJordstykke: `select x.id, p.bfe from bbr_ground_parcel x join bbr_ground g on g.id = x.ground_id ${ON_GROUND}`,
  Bygning: `select b.id, p.bfe from bbr_building b ${IN_BUILDING}`,
  Etage: `select f.id, p.bfe from bbr_floor f ${ON_FLOOR}`,
  Opgang: `select f.id, p.bfe from bbr_entrance f ${ON_FLOOR}`,
  Enhed: `select u.id, p.bfe from bbr_unit u join bbr_floor f on f.id = u.floor_id ${ON_FLOOR}`,
  EnhedEjendomsrelation: `select x.id, p.bfe from bbr_unit_property x join bbr_property p on p.id = x.property_id ${OF_ONE}`,
  TekniskAnlaeg: `select t.id, p.bfe from bbr_facility t join bbr_ground g on g.id = t.ground_id ${ON_GROUND}`,
};
const OF_CADASTRE: Readonly<Record<string, string>> = {
  Jordstykke: 'select id, bfe from cadastre_parcel where bfe is not null',
  Lodflade:
    'select f.id, p.bfe from cadastre_face f join cadastre_parcel p on p.id = f.parcel_id where p.bfe is not null',
  SamletFastEjendom: 'select id, bfe from cadastre_property where bfe is not null',
  Ejerlejlighed: 'select id, bfe from cadastre_flat where bfe is not null',
};

/** How many finds the last publication had, of each list. */
const foundBy = async (account: string) =>
  (await bench.lists.list(account)).map(({ found }) => found?.events);

describe('what concerns an object', () => {
  test('an address: its own row, its house number, access point and road, and no other', async () => {
    const [own, house, point, road, none] = await addresses(5);
    const account = await bench.customer();
    const four = [own!, house!, point!, road!].map(({ unit }) => unit);
    const [units, access, other] = await Promise.all([
      bench.watch(account, 'adresse', four),
      bench.watch(account, 'adresse', [road!.access]),
      bench.watch(account, 'adresse', [none!.unit, none!.access]),
    ]);
    await bench.change(ADDRESSES, [
      { entity: 'Adresse', ids: [own!.unit], cells: {} },
      { entity: 'Husnummer', ids: [house!.access], cells: {} },
      { entity: 'Adressepunkt', ids: [point!.point], cells: {} },
      { entity: 'NavngivenVej', ids: [road!.road], cells: { vejnavn: 'Nynavnsvej' } },
    ]);
    await bench.compare();
    const [sent, ...more] = await bench.sent(units);
    expect(more).toEqual([]);
    expect(sent).toMatchObject({ register: 'adresser', antal: 4 });
    const found = sent!.haendelser.map((each) => [each.entitet, each.noegle, each.objekter]);
    expect(found.sort()).toEqual([
      ['Adresse', own!.unit, [own!.unit]],
      ['Adressepunkt', point!.point, [point!.unit]],
      ['Husnummer', house!.access, [house!.unit]],
      ['NavngivenVej', road!.road, [road!.unit]],
    ]);
    const renamed = sent!.haendelser.find(({ entitet }) => entitet === 'NavngivenVej');
    expect([renamed?.operation, renamed?.efter?.['vejnavn']]).toEqual(['aendret', 'Nynavnsvej']);
    expect(renamed?.foer?.['vejnavn']).not.toBe('Nynavnsvej');
    expect((await bench.sent(access)).map(({ antal }) => antal)).toEqual([1]);
    expect(await bench.sent(other)).toEqual([]);
    expect((await foundBy(account)).map((events) => events ?? 0).sort()).toEqual([0, 1, 4]);
  });

  test.each([
    [BBR, OF_PROPERTY],
    [CADASTRE, OF_CADASTRE],
  ] as const)('a property: each table of %s that belongs to it', async (register, statements) => {
    const account = await bench.customer();
    const rows = new Map<string, { id: string; bfe: number }>();
    for (const [entity, statement] of Object.entries(statements)) {
      const taken = [0, ...[...rows.values()].map(({ bfe }) => bfe)];
      rows.set(
        entity,
        await bench.one(
          `select id::text, bfe from (${statement}) r where bfe not in (${taken.join()}) order by id limit 1`,
        ),
      );
    }
    const bfes = [...rows.values()].map(({ bfe }) => bfe);
    const list = await bench.watch(account, 'bfe', bfes);
    const other = await bench.one<{ bfe: number }>(
      `select bfe from cadastre_parcel where bfe not in (${bfes.join()}) and bfe is not null limit 1`,
    );
    const apart = await bench.watch(account, 'bfe', [other.bfe]);
    await bench.change(
      register,
      [...rows].map(([entity, { id }]) => ({ entity, ids: [id], cells: {} })),
    );
    await bench.compare();
    const [sent] = await bench.sent(list);
    for (const [entity, { id, bfe }] of rows) {
      const event = sent!.haendelser.find((each) => each.entitet === entity && each.noegle === id);
      expect(event?.objekter, entity).toContain(bfe);
    }
    expect(sent!.antal).toBe(rows.size);
    expect(await bench.sent(apart)).toEqual([]);
  });

  test('a building that is gone with its ground and property is found all the same', async () => {
    type Row = Record<'floor' | 'building' | 'ground' | 'property', string> & { bfe: number };
    const row = await bench.one<Row>(
      `select f.id as floor, b.id as building, g.id as ground, p.id as property, p.bfe
       from bbr_floor f ${ON_FLOOR} order by f.id desc limit 1`,
    );
    const list = await bench.watch(await bench.customer(), 'bfe', [row.bfe]);
    const { floor, building: bygning, ground, property } = row;
    const gone = { Etage: floor, Bygning: bygning, Grund: ground, Ejendomsrelation: property };
    await bench.change(
      BBR,
      Object.entries(gone).map(([entity, id]) => ({ entity, ids: [id], cells: null })),
    );
    await bench.compare();
    const [sent] = await bench.sent(list);
    expect(
      sent!.haendelser.map(({ entitet, operation }) => `${entitet} ${operation}`).sort(),
    ).toEqual(['Bygning ophoert', 'Ejendomsrelation ophoert', 'Etage ophoert', 'Grund ophoert']);
  });

  test('a parcel: its row and its faces; a polygon: what lies in it before or after', async () => {
    const parcel = await bench.one<
      Record<'id' | 'face' | 'name', string> & Record<'x' | 'y', number>
    >(
      `select p.id::text, f.id as face, d.code || '-' || p.number as name, ST_X(ST_PointOnSurface(f.geom)) as x,
         ST_Y(ST_PointOnSurface(f.geom)) as y
       from cadastre_face f join cadastre_parcel p on p.id = f.parcel_id
       join cadastre_district d on d.id = p.district_id order by f.id limit 1`,
    );
    const box = (x: number, y: number) => {
      const [w, s, e, n] = [x - 0.5, y - 0.5, x + 0.5, y + 0.5];
      return `SRID=25832;POLYGON((${w} ${s},${e} ${s},${e} ${n},${w} ${n},${w} ${s}))`;
    };
    const account = await bench.customer();
    const [{ x, y }, moved] = [parcel, { x: parcel.x + 5_000, y: parcel.y + 5_000 }];
    const lists = await Promise.all([
      bench.watch(account, 'jordstykke', [parcel.name]),
      bench.watch(account, 'polygon', [box(x + 2_000, y), box(x, y)]),
      bench.watch(account, 'polygon', [box(moved.x, moved.y)]),
      bench.watch(account, 'polygon', [box(x + 2_000, y)]),
    ]);
    const ring = `${moved.x - 9} ${moved.y - 9}, ${moved.x + 9} ${moved.y - 9}, ${moved.x} ${moved.y + 9}, ${moved.x - 9} ${moved.y - 9}`;
    await bench.change(CADASTRE, [
      { entity: 'Lodflade', ids: [parcel.face], cells: { geometri: `POLYGON ((${ring}))` } },
    ]);
    await bench.change(CADASTRE, [{ entity: 'Jordstykke', ids: [parcel.id], cells: {} }]);
    await bench.compare();
    const sent = await Promise.all(lists.map((list) => bench.sent(list)));
    const found = sent.map((each) =>
      each.map(({ haendelser }) => haendelser.map((event) => [event.entitet, event.objekter])),
    );
    expect(found).toEqual([
      [[['Lodflade', [parcel.name]]], [['Jordstykke', [parcel.name]]]],
      ...[[[['Lodflade', [1]]]], [[['Lodflade', [0]]]], []],
    ]);
  });
});

describe('what is sent', () => {
  let address: Address;
  beforeAll(async () => {
    address = (await addresses(8)).at(-1)!;
  });
  const changeIt = () =>
    bench.change(ADDRESSES, [{ entity: 'Adresse', ids: [address.unit], cells: {} }]);

  test('once, of each of three publications, by two that compare at the same time', async () => {
    const list = await bench.watch(await bench.customer(), 'adresse', [address.unit]);
    for (let n = 0; n < 3; n++) await changeIt();
    const both = [bench.comparer(), bench.comparer()];
    for (let n = 0; n < 8; n++) await Promise.all(both.map((each) => each.step()));
    for (const each of both) await each.stop();
    await bench.compare();
    const sent = await bench.sent(list);
    expect(sent.map(({ antal }) => antal)).toEqual([1, 1, 1]);
    expect(new Set(sent.map(({ transaktion }) => transaktion)).size).toBe(3);
  });

  test('of a reverted publication too', async () => {
    const list = await bench.watch(await bench.customer(), 'adresse', [address.unit]);
    await changeIt();
    await revertLayer(bench.deps, ADDRESSES, { by: 'Prøve' });
    await bench.compare();
    const [forth, back] = await bench.sent(list);
    expect(back!.haendelser[0]!.efter).toEqual(forth!.haendelser[0]!.foer);
  });

  test('nothing of a pause, and what follows it', async () => {
    const account = await bench.customer();
    const list = await bench.watch(account, 'adresse', [address.unit]);
    const name = { accountId: account, listId: list };
    await bench.lists.change(name, { paused: true });
    await changeIt();
    await bench.compare();
    await bench.lists.change(name, { paused: false });
    await bench.compare();
    expect(await bench.sent(list)).toEqual([]);
    await changeIt();
    await bench.compare();
    expect((await bench.sent(list)).length).toBe(1);
  });

  type Act = (accountId: string, listId: string) => Promise<unknown>;
  const changed =
    (change: Parameters<typeof bench.lists.change>[1]): Act =>
    (accountId, listId) =>
      bench.lists.change({ accountId, listId }, change);
  const revoke = 'update api_key set revoked_at = now() where account_id = $1';
  test.each<[string, Act, number]>([
    ['removed', (accountId, listId) => bench.lists.remove({ accountId, listId }), 0],
    ['paused', changed({ paused: true }), 0],
    ['given other objects', changed({ objects: [uuid(0xffff)] }), 0],
    ['renamed', changed({ name: 'Ny' }), 1],
    ['of an account that lost its key', (account) => bench.store.pool.query(revoke, [account]), 0],
  ])('of a list that is %s while it is compared', async (_name, act, times) => {
    const account = await bench.customer();
    const list = await bench.watch(account, 'adresse', [address.unit]);
    await changeIt();
    let isDone = false;
    await bench.compare(
      bench.comparer(async () => {
        if (isDone) return;
        isDone = true;
        await act(account, list);
      }),
    );
    expect(isDone).toBe(true);
    await bench.compare();
    expect((await bench.sent(list)).length).toBe(times);
  });

  test(`once to each of ${ACCOUNTS} accounts with a full list`, async () => {
    const objects = Array.from({ length: WATCH_LIMITS.objects - 1 }, (_, n) => uuid(n));
    const first = await bench.watch(await bench.customer(), 'adresse', [address.unit, ...objects]);
    const others = Array.from({ length: ACCOUNTS - 1 }, () => newId('watch'));
    for (const id of others) {
      await bench.store.pool.query(
        `insert into watch_list (id, account_id, name, kind, objects, keys, compared, created_at, changed_at)
         select $2, $3, name, kind, objects, keys, compared, created_at, changed_at from watch_list where id = $1`,
        [first, id, await bench.customer()],
      );
    }
    await changeIt();
    await changeIt();
    await bench.compare();
    for (const list of [first, ...others]) {
      expect((await bench.sent(list)).map(({ antal }) => antal)).toEqual([1, 1]);
    }
    await bench.store.pool.query('delete from watch_list where id = any($1)', [[first, ...others]]);
  });

  test('nothing of a register that no key of the account may read', async () => {
    const account = await bench.customer('restricted:vurdering');
    const bfe = await bench.one<{ id: string; bfe: number }>(
      'select id, bfe from bbr_property where bfe is not null limit 1',
    );
    const list = await bench.watch(account, 'bfe', [bfe.bfe]);
    await bench.change(BBR, [{ entity: 'Ejendomsrelation', ids: [bfe.id], cells: {} }]);
    await bench.compare();
    expect(await bench.sent(list)).toEqual([]);
    const [shown] = await bench.lists.list(account);
    expect([shown!.registers, shown!.found]).toEqual([['vurdering'], null]);
    await bench.hooks.accounts.key(account, { permission: 'read' });
    await bench.compare();
    expect(await bench.sent(list)).toEqual([]);
    await bench.change(BBR, [{ entity: 'Ejendomsrelation', ids: [bfe.id], cells: {} }]);
    await bench.compare();
    expect((await bench.sent(list)).length).toBe(1);
  });

  test('the numbers of all, and the first hundred with their rows', async () => {
    const { rows } = await bench.store.pool.query<{ id: string }>(
      `select id from address_unit where status = 3 order by id limit 150`,
    );
    const ids = rows.map(({ id }) => id);
    const others = Array.from({ length: WATCH_LIMITS.objects - ids.length }, (_, n) => uuid(n));
    const list = await bench.watch(await bench.customer(), 'adresse', [...ids, ...others]);
    await bench.change(ADDRESSES, [{ entity: 'Adresse', ids, cells: {} }]);
    await bench.compare();
    const [sent] = await bench.sent(list);
    expect([sent!.antal, sent!.numre.length, sent!.haendelser.length]).toEqual([150, 150, 100]);
    expect(sent!.optalt).toEqual([
      { entitet: 'Adresse', ny: 0, aendret: 150, ophoert: 0, ulaeselig: 0 },
    ]);
    expect(sent!.haendelser.map(({ nr }) => nr)).toEqual(sent!.numre.slice(0, 100));
  });

  test('that it is not known, of a transaction whose rows have left before it was compared', async () => {
    const account = await bench.customer();
    const list = await bench.watch(account, 'adresse', [address.unit]);
    const none = await bench.watch(account, 'jordstykke', ['2000155-1a']);
    await changeIt();
    await bench.store.pool.query(
      'update change_transaction set is_gone = true where nr = (select max(nr) from change_transaction)',
    );
    await bench.compare();
    expect(await bench.sent(list)).toMatchObject([{ antal: null, haendelser: [], numre: [] }]);
    expect(await bench.sent(none)).toEqual([]);
    expect(new Set(await foundBy(account))).toEqual(new Set([null, undefined]));
  });
});
