/** A day of changes in the mirrors that replication reads, drawn by chance: statements for `publish`, by layer. */
import type { Random } from '../../sample/data/random.ts';
import type { MirrorId } from '../../src/layers/keys.ts';

export type Day = readonly (readonly [layer: MirrorId, statements: readonly string[]])[];

const one = (table: string, random: Random, where = 'true'): string =>
  `(select id from ${table} where ${where} order by md5(id::text || '${random.integer(0, 1e9)}') limit 1)`;

const set = (table: string, random: Random, change: string, where?: string): string =>
  `update ${table} set ${change}, valid_from = valid_from + interval '1 hour'
  where id = ${one(table, random, where)}`;

/** Rows that left, so that some come back under their key. */
function remove(table: string, random: Random): readonly string[] {
  const left = `left_${table}`;
  return [
    `create table if not exists ${left} as select * from ${table} where false`,
    `with gone as (delete from ${table} where id = ${one(table, random)} returning *)
    insert into ${left} select * from gone`,
  ];
}

function comeBack(table: string, random: Random): readonly string[] {
  const left = `left_${table}`;
  return [
    `create table if not exists ${left} as select * from ${table} where false`,
    `with back as (delete from ${left} where id = ${one(left, random)} returning *)
    insert into ${table} select * from back on conflict do nothing`,
  ];
}

/** A row that can no longer be read leaves its table, and has not ended (D143). */
function lose(layer: MirrorId, entity: string, table: string): readonly string[] {
  const lost = `lost_${table}`;
  return [
    `drop table if exists ${lost}`,
    `create table ${lost} as select * from ${table} order by md5(id::text) limit 1`,
    `delete from ${table} where id in (select id from ${lost})`,
    `update layer_state set unread = (select jsonb_agg(jsonb_build_object('key', '${entity} ' || id, 'entity', '${entity}'))
    from ${lost}) where layer = '${layer}'`,
  ];
}

const find = (layer: MirrorId, table: string): readonly string[] => [
  `create table if not exists lost_${table} as select * from ${table} where false`,
  `insert into ${table} select * from lost_${table} on conflict do nothing`,
  `update layer_state set unread = null where layer = '${layer}'`,
];

type Change = (random: Random) => readonly string[];

const ADDRESSES: readonly Change[] = [
  (r) => [
    set('address_access', r, `house_number = '${r.integer(1, 99)}${r.pick(['', 'A', 'B'])}'`),
  ],
  (r) => [set('address_access', r, `road_id = ${one('address_road', r)}`)],
  (r) => [set('address_access', r, `postcode_id = ${one('address_postcode', r)}`)],
  (r) => [set('address_access', r, `parcel_id = ${one('cadastre_parcel', r)}`)],
  (r) => [set('address_access', r, `status = ${r.integer(2, 5)}`)],
  (r) => [set('address_access', r, `status = 9`)],
  (r) => [set('address_unit', r, `floor = '${r.integer(1, 9)}', door = 'tv'`)],
  (r) => [set('address_point', r, `geom = ST_Translate(geom, 1.25, -2)`, 'geom is not null')],
  (r) => [set('address_point', r, `surveyed = 'nogen tid'`)],
  (r) => [set('address_postcode', r, `name = name || ' ${r.pick(['C', 'K'])}'`)],
  (r) => [set('address_postcode', r, `status = ${r.integer(2, 4)}`)],
  (r) => [set('address_postcode', r, `code = '${r.integer(2_000, 9_999)}'`)],
  // A road and its addresses get another postcode.
  (r) => [
    `update address_access set postcode_id = ${one('address_postcode', r)}
    where road_id = ${one('address_road', r)}`,
  ],
  (r) => [set('address_town', r, `name = 'Ny ' || name`)],
  (r) => [set('address_road', r, `name = 'Ny ' || left(name, 30)`)],
  (r) => [
    set('address_road_part', r, `road_code = '${String(r.integer(1, 9_999)).padStart(4, '0')}'`),
  ],
  // Two parts of one key, and one that changes places with another.
  (r) => [
    set(
      'address_road_part',
      r,
      `road_code = (select road_code from address_road_part order by md5(id::text || '${r.integer(0, 1e9)}') limit 1), municipality_code = '0093'`,
    ),
  ],
  (r) => [set('address_road_part', r, `status = ${r.integer(2, 4)}`)],
  ...['address_access', 'address_unit', 'address_point', 'address_road_part'].flatMap(
    (table): Change[] => [(r) => remove(table, r), (r) => comeBack(table, r)],
  ),
  () => lose('adresser', 'Husnummer', 'address_access'),
  () => lose('adresser', 'Postnummer', 'address_postcode'),
  () => find('adresser', 'address_access'),
  () => find('adresser', 'address_postcode'),
  (r) => [`update address_access set designation = 'samme' where id = ${one('address_access', r)}`],
];

const CADASTRE: readonly Change[] = [
  (r) => [set('cadastre_parcel', r, `number = '${r.integer(1, 30)}${r.pick(['a', 'b', 'c'])}'`)],
  (r) => [set('cadastre_parcel', r, `status = ${r.integer(3, 4)}`)],
  (r) => [set('cadastre_parcel', r, 'bfe = bfe + 1000')],
  (r) => [set('cadastre_district', r, `name = name || ' By'`)],
  (r) => [set('cadastre_face', r, 'geom = ST_Translate(geom, 0.5, 0.5)')],
  // Two parcels change their numbers.
  (r) => [
    `drop table if exists pair`,
    `create table pair as select id, number from cadastre_parcel order by md5(id::text || '${r.integer(0, 1e9)}') limit 2`,
    `update cadastre_parcel p set number = o.number from pair s, pair o where s.id = p.id and o.id <> s.id`,
  ],
  ...['cadastre_face', 'cadastre_parcel'].flatMap((table): Change[] => [
    (r) => remove(table, r),
    (r) => comeBack(table, r),
  ]),
  () => lose('matrikel', 'Jordstykke', 'cadastre_parcel'),
  () => find('matrikel', 'cadastre_parcel'),
];

const BUILDINGS: readonly Change[] = [
  (r) => [set('bbr_building', r, `use = '${r.integer(110, 999)}', sewer_order_due = '2027-03-01'`)],
  (r) => [set('bbr_building', r, 'geom = ST_Translate(geom, 1, 1)', 'geom is not null')],
  (r) => [set('bbr_unit', r, `rooms = ${r.integer(1, 9)}`)],
  (r) => [set('bbr_floor', r, `area = ${r.integer(1, 900)}`)],
  (r) => [set('bbr_ground', r, `drainage = '${r.integer(1, 9)}'`)],
  (r) => [set('bbr_entrance', r, `access_id = ${one('address_access', r)}`)],
  ...['bbr_building', 'bbr_unit', 'bbr_entrance', 'bbr_ground'].flatMap((table): Change[] => [
    (r) => remove(table, r),
    (r) => comeBack(table, r),
  ]),
  () => lose('bbr', 'Bygning', 'bbr_building'),
  () => find('bbr', 'bbr_building'),
];

const merge = (theme: MirrorId, key: string): readonly string[] => [
  `drop table if exists merged`,
  `create table merged as select key, geom from area where theme = '${theme}' and key = ${key}
    and (select count(*) from area where theme = '${theme}') > 2`,
  `delete from area a using merged m where a.theme = '${theme}' and a.key = m.key`,
  `update area a set geom = ST_Multi(ST_Union(a.geom, m.geom)) from merged m
    where a.theme = '${theme}' and a.key = (select min(key) from area where theme = '${theme}')`,
];

const areas = (theme: MirrorId): readonly Change[] => {
  const of = (r: Random) =>
    `(select key from area where theme = '${theme}' order by md5(key || '${r.integer(0, 1e9)}') limit 1)`;
  return [
    (r) => [
      `update area set name = name || ' ny', attributes = jsonb_set(attributes, '{name}', to_jsonb(name || ' ny'))
      where theme = '${theme}' and key = ${of(r)}`,
    ],
    (r) => [
      `update area set code = '${r.integer(2_000, 9_999)}', attributes = jsonb_set(attributes, '{code}', '"${r.integer(2_000, 9_999)}"')
      where theme = '${theme}' and key = ${of(r)}`,
      `update area set code = attributes->>'code' where theme = '${theme}'`,
    ],
    (r) => [
      `update area set geom = ST_Translate(geom, 1, 1) where theme = '${theme}' and key = ${of(r)}`,
    ],
    (r) => merge(theme, of(r)),
    (r) => [
      `delete from area where theme = '${theme}' and key = ${of(r)} and (select count(*) from area where theme = '${theme}') > 2`,
    ],
  ];
};

const PLACES: readonly Change[] = [
  (r) => [set('place', r, `inhabitants = ${r.integer(1, 9_999)}`)],
  (r) => [set('place', r, `main_type = null`)],
  (r) => [set('place', r, `names = '[["Ny ${r.integer(1, 99)}","officielt","primær"]]'`)],
  (r) => [
    set(
      'place',
      r,
      `names = (names::jsonb || '[["Også ${r.integer(1, 9)}","suspenderet",null]]')::text`,
    ),
  ],
  (r) => remove('place', r),
  (r) => comeBack('place', r),
];

const DRAWN: readonly (readonly [MirrorId, readonly Change[]])[] = [
  ['adresser', ADDRESSES],
  ['adresser', ADDRESSES],
  ['adresser', ADDRESSES],
  ['matrikel', CADASTRE],
  ['kommune', areas('kommune')],
  ['sogn', areas('sogn')],
  ['region', areas('region')],
  ['bbr', BUILDINGS],
  ['stednavne', PLACES],
];

const REVERTED = [
  ['Husnummer', 'address_access'],
  ['Adresse', 'address_unit'],
  ['Adressepunkt', 'address_point'],
  ['NavngivenVejKommunedel', 'address_road_part'],
  ['NavngivenVej', 'address_road'],
  ['Postnummer', 'address_postcode'],
] as const;

/** Of what the last publication of addresses replaced, all is put back. */
function revert(): readonly string[] {
  const of = (entity: string) =>
    `address_history h where h.entity = '${entity}' and h.version = (select max(version) - 1 from layer_history where layer = 'adresser')`;
  return REVERTED.flatMap(([entity, table]) => [
    `delete from ${table} where id::text in (select h.id from ${of(entity)})`,
    `insert into ${table} select w.* from (select h.was from ${of(entity)} and h.was is not null) h cross join lateral (select (h.was::${table}).*) w`,
  ]);
}

/** What must be told whatever chance draws, a day each, with one of the entities that it changes. */
export function namedDays(random: Random): readonly (readonly [day: Day, told: object])[] {
  const house = `(select access_id from address_unit where status = 3 order by id limit 1)`;
  const adresser = (...statements: readonly string[]): Day => [['adresser', statements]];
  const merged = merge('kommune', `(select max(key) from area where theme = 'kommune')`);
  return [
    // A road is renumbered.
    [
      adresser(set('address_road_part', random, `road_code = '9876'`, 'status = 3')),
      { entitet: 'vejstykke', inserts: 1, deletes: 1 },
    ],
    // A house number and its addresses end, and come back under their ids.
    [
      adresser(
        `create table ended as select * from address_unit where access_id = ${house}`,
        `create table ended_house as select * from address_access where id = ${house}`,
        `delete from address_unit u using ended e where e.id = u.id`,
        `delete from address_access a using ended_house e where e.id = a.id`,
      ),
      { entitet: 'adgangsadresse', deletes: 1 },
    ],
    [
      adresser(
        `insert into address_access select * from ended_house`,
        `insert into address_unit select * from ended`,
      ),
      { entitet: 'adgangsadresse', inserts: 1 },
    ],
    [[['kommune', merged]], { entitet: 'kommune', updates: 1, deletes: 1 }],
    [
      adresser(set('address_road', random, `name = 'Dagvejen'`, 'status = 3')),
      { entitet: 'navngivenvej', updates: 1 },
    ],
    [adresser(...revert()), { entitet: 'navngivenvej', updates: 1 }],
    // A road of another postcode takes a code, which is read from it from then on.
    [
      adresser(`update address_road_part p set road_code = o.code from (
        select b.id, a.road_code as code from address_road_part b join address_road_part a using (municipality_code)
        join address_access x on x.road_id = b.road_id join address_access y on y.road_id = a.road_id
        where a.id > b.id and 3 = all(array[a.status, b.status, x.status, y.status]) and x.postcode_id <> y.postcode_id
        order by b.id, a.id limit 1) o where p.id = o.id`),
      { entitet: 'vejstykkepostnummerrelation', inserts: 1, deletes: 2 },
    ],
  ];
}

export function randomDay(random: Random): Day {
  const publications = random.integer(0, 3);
  return Array.from({ length: publications }, () => {
    if (random.chance(0.1)) return ['adresser', revert()] as const;
    const [layer, changes] = random.pick(DRAWN);
    const count = random.integer(1, 6);
    const statements = Array.from({ length: count }, () => random.pick(changes)(random));
    return [layer, statements.flat()] as const;
  });
}
