/**
 * Rows of registers that cannot be read (D143): of every table what they make unanswered, that nothing on or around them
 * is answered short while the rest is, and that it is all answered again once they come whole. By night
 * `row-case.ts` breaks rows in every way; here is also what a row makes of which nothing tells whose it is.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { compareTexts } from '../../src/kernel/compare.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { meetsUnread } from '../../src/geo/unanswered.ts';
import { REGISTER_IDS } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { UNREAD_POSTCODE } from '../../src/layers/unread-postcodes.ts';
import { NAMES } from '../../src/registers/places/tables.ts';
import { PLACE_TYPES } from '../../src/registers/places/types.ts';
import type { Box } from '../../src/geo/box.ts';
import type { Bounds } from '../../src/geo/bounds.ts';
import { readParcelsWithin } from '../../src/registers/cadastre/tiles.ts';
import { readRuns } from '../../src/ops/run-log.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { LiftableGuard } from '../../sync/check.ts';
import { isPlaced } from '../../sync/mirrors/tables/unread-objects.ts';
import { revertLayer } from '../../sync/revert.ts';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { CENTRE } from '../../sample/data/island.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { isOfFiles, rowsOf, runRowCase } from '../faults/row-case.ts';
import { openRowWorld } from '../faults/row-world.ts';
import { breakRows, openAddressBench } from '../sync/addresses-bench.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { TEST_SEED, isHeavy, oneIn } from '../support/run-settings.ts';
import { KNOWN_ASSESSMENT, KNOWN_PLACE } from '../support/known-island.ts';
import { opened } from '../support/opened.ts';
import { isCurrent } from '../support/whole-registers.ts';

const bench = await opened(openMirroredStore('served').then(openAddressBench));
const world = await opened(openRowWorld(bench));

/** The sample is small: a row is a large share of it. */
const SMALL = LIFTABLE_GUARDS.filter((guard) => guard !== 'unplaced');
const sync = async (id: RegisterId, lifted: readonly LiftableGuard[] = SMALL) =>
  told(await world.sync(id, lifted));
const isRow = (id: unknown) => (row: TableRow) => row['id_lokalId'] === String(id);

/** A new total, in which rows of an entity have these cells in place of their own. */
function breaks(entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow): void {
  broken = entity;
  breakRows(bench, entity, { fits, cells });
}

let broken: SampleEntity | null = null;
afterEach(async () => {
  if (broken === null) return;
  bench.shelf.spoil();
  bench.shelf.renew(broken);
  const { register } = TABLES.find(({ table }) => table.entity === broken)!;
  broken = null;
  expect(await sync(register)).toBe('published');
});

/** The statuses by memory; the store alone says the same or nothing. */
async function statusesOf(paths: readonly string[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const path of paths) {
    const [memory, store] = [await world.ask.memory(path), await world.ask.store(path)];
    expect([memory.status, 502, 503], path).toContain(store.status);
    statuses.push(memory.status);
  }
  return statuses;
}

/** Things that are asked of by a number or an id, a text that may name one, and a point that may be near one. */
type Made = 'property' | 'address' | 'postcode' | 'company' | 'place' | 'building' | 'name' | 'box';

const made = (kinds: readonly Made[], ...tables: readonly string[]) =>
  Object.fromEntries(tables.map((table) => [table, kinds]));

const PLACE_TABLES = PLACE_TYPES.map(({ entity }) => `place_${entity.toLowerCase()}`);
const MADE: Readonly<Record<string, readonly Made[]>> = {
  ...made(['postcode'], 'address_postcode'),
  ...made(['address'], 'address_town', 'address_road_part'),
  ...made(['address', 'box'], 'address_point'),
  ...made(['address', 'box', 'name'], 'address_road', 'address_access'),
  ...made(['address', 'name'], 'address_unit'),
  ...made(['address', 'property'], 'address_property'),
  ...made(['name', 'property'], 'cadastre_district'),
  ...made(['box', 'name', 'property'], 'cadastre_parcel'),
  ...made(['box', 'property'], 'cadastre_face'),
  ...made(['property'], 'cadastre_property', 'cadastre_flat', 'cadastre_foreign_building'),
  ...made(['property'], 'bbr_property', 'bbr_ground', 'bbr_ground_parcel', 'bbr_building'),
  ...made(['property'], 'bbr_building_property', 'bbr_floor', 'bbr_entrance', 'bbr_unit'),
  ...made(['property'], 'bbr_unit_property', 'bbr_facility'),
  ...made(['property'], 'assessment_reference', 'assessment_row', 'assessment_property'),
  ...made(['building'], 'protection_listed', 'protection_case', 'protection_survey'),
  ...made(['company'], 'company_row', 'company_name', 'company_address', 'company_branch'),
  ...made(['company'], 'company_form', 'company_protection'),
  ...made(['box', 'name', 'place'], 'place_name', ...PLACE_TABLES),
};

/** Of a register that states its rows' owner: test/unit/unread-owners.test.ts. */
const TABLES = REGISTER_IDS.flatMap((register) => {
  const { owner, tables } = REGISTERS_CATALOGUE.registers[register].schema;
  const own = tables.filter(({ table }) => owner === undefined || table in MADE);
  return own.map((table) => ({ table, register }));
});

describe('of every table', () => {
  test('it is stated what its rows make unanswered, and of nothing else', () => {
    expect(Object.keys(MADE).toSorted(compareTexts)).toEqual(
      TABLES.map(({ table }) => table.table).toSorted(compareTexts),
    );
  });

  test.each(TABLES)(
    'a row of $table.table of which nothing is known, or ids of another type, is of nobody knows whom',
    ({ table: { table, columns } }) => {
      const box: Bounds = [0, 0, 1, 1];
      const cells: Record<string, string> = {};
      expect(isPlaced({ table, cells, box })).toBe(false);
      for (const { name, kind } of columns) {
        if (kind === 'uuid' || kind === 'bigint') cells[name] = kind === 'uuid' ? '7' : accessId;
      }
      expect(isPlaced({ table, cells, box })).toBe(false);
    },
  );

  test('kinds of places without rows in the sample are read as the others are', () => {
    const kinds = REGISTERS_CATALOGUE.registers.stednavne.schema.tables.filter(
      ({ entity }) => entity !== NAMES,
    );
    const shapes = kinds.map(({ key, columns }) => ({
      key,
      columns: columns.map(({ name, kind, required }) => ({ name, kind, required })),
    }));
    expect(shapes).toEqual(shapes.map(() => shapes[0]));
  });
});

/** By day one of each kind of what they make: a house, a property, a building, a company; by night of every table. */
const BY_DAY = ['address_access', 'bbr_building', 'protection_listed', 'company_name'];

/** Rows of the others may lead to nothing that is asked. */
const LEADING: ReadonlySet<string> = new Set([
  ...BY_DAY,
  ...['address_road', 'address_point', 'address_property', 'cadastre_parcel', 'company_row'],
  ...['assessment_reference', 'assessment_property', 'place_standsningssted'],
]);

const UNREAD_TIME = { registreringFra: 'i går' };
/** What else of a row may be broken, its place above all. */
const MORE: Readonly<Record<string, readonly TableRow[]>> = {
  address_access: [{ adgangspunkt: 'ukendt' }, { navngivenVej: 'ukendt' }],
  address_point: [{ position: 'ukendt' }, { position: 'POINT (650040.50 63140' }],
  address_road: [{ virkningFra: 'ukendt' }],
};
const CASES = TABLES.flatMap(({ table, register }) =>
  (register === 'fbb'
    ? [{ fredningsstatus: 'ja' }]
    : [UNREAD_TIME, ...(MORE[table.table] ?? [])].slice(isHeavy ? 0 : -1)
  ).map((cells) => ({ table, register, cells, name: table.table })),
).filter(({ name }) => isHeavy || BY_DAY.includes(name));

/** Of the first rows of a table some may be nobody's; half of them stay whole. */
const BROKEN = 40;

test.each(CASES)('rows of $name with $cells', async ({ table, register, cells, name }) => {
  if (register === 'stednavne' && !isOfFiles(register, table.entity)) return;
  const all = rowsOf(bench, table.entity).filter((row) => register === 'fbb' || isCurrent(row));
  if (all.length === 0) return;
  const rows = all.slice(0, Math.min(BROKEN, Math.ceil(all.length / 2)));
  const asked = [...rows.slice(0, 1), ...all.slice(rows.length).slice(-1)];
  const { findings, outcome, unanswered, isTold } = await runRowCase(world, {
    ...{ table, register, row: 'row-time', way: 'total', seed: TEST_SEED, number: 1 },
    chosen: { rows, cells, asked },
  });
  expect(outcome).toMatch(/^published/);
  expect(findings).toEqual([]);
  expect(madeBy(register, unanswered)).toEqual(MADE[name]);
  if (!LEADING.has(name)) return;
  const answered = [true, false].map((wanted) =>
    [...isTold].flatMap(([path, isIt]) => (isIt === wanted ? path.split(/[/?]/)[2] : [])),
  );
  expect(answered[0]?.filter((question) => answered[1]?.includes(question))).not.toEqual([]);
});

function madeBy(register: RegisterId, unanswered: UnansweredPlaces | null): readonly Made[] {
  const { unreadable = [], objects = [], names = [] } = unanswered ?? {};
  const kinds = new Set<Made>(objects.map((object) => kindOf(register, object)));
  if (unreadable.length > 0) kinds.add('box');
  if (names.some((name) => name !== null)) kinds.add('name');
  return [...kinds].toSorted(compareTexts);
}

const OF_REGISTER: Readonly<Partial<Record<RegisterId, Made>>> = {
  ...{ cvr: 'company', stednavne: 'place', fbb: 'building' },
};

function kindOf(register: RegisterId, object: string | null): Made {
  // Whose a row is that came whole but for its time is known.
  if (object === null) throw new Error(`${register} has rows of nobody knows whom`);
  if (object.startsWith(UNREAD_POSTCODE)) return 'postcode';
  return OF_REGISTER[register] ?? (/^\d+$/.test(object) ? 'property' : 'address');
}

const { bfe, blockId } = KNOWN_PROPERTY;
const { accessId, unitId, retiredAccessId, postcode, place } = KNOWN_ADDRESS;
const { station, lake } = KNOWN_PLACE;
const building = `/v1/bbr/ejendom/${bfe}`;
const address = (id: unknown) => `/v1/adresser/${String(id)}`;
const addressesLike = (text: string) => `/v1/adresser?per_side=50&q=${encodeURIComponent(text)}`;
const washed = (text: string) => `/v1/datavask?betegnelse=${encodeURIComponent(text)}`;
const nearest = `/v1/adresser/reverse?x=${place.x}&y=${place.y}&srid=25832`;
const named = (text: string) => `/v1/stednavne?q=${encodeURIComponent(text)}`;
const misspelt = (name: string) => `${name.slice(0, 2)}${name[3]}${name[2]}${name.slice(4)}`;

const houses = bench.shelf.rows('Husnummer');
const soundText = String(
  houses.find(
    ({ id_lokalId: id, navngivenVej, status }) =>
      id !== accessId && navngivenVej !== KNOWN_ADDRESS.roadId && status === '3',
  )?.['adgangsadressebetegnelse'],
);
const [withoutParcel] = await bench.column(
  'select id from address_access where status = 3 and parcel_id is null order by id limit 1',
);

function referring(entity: SampleEntity, reference: string): TableRow {
  const ids = new Set(bench.shelf.rows(entity).map((row) => row['id_lokalId']));
  return houses.find((row) => row['status'] === '3' && ids.has(row[reference] ?? null))!;
}
const [atPoint, inTown] = [
  referring('Adressepunkt', 'adgangspunkt'),
  referring('SupplerendeBynavn', 'supplerendeBynavn'),
];

async function succeeded(): Promise<{ readonly gone: string; readonly next: string }> {
  for (const { id_lokalId: id } of houses.filter((row) => row['status'] === '4')) {
    const { body } = await world.ask.memory(address(id));
    const [next] = (body as { efterfoelgere?: { readonly id: string }[] }).efterfoelgere ?? [];
    if (next !== undefined) return { gone: address(id), next: next.id };
  }
  throw new Error('Nothing is in the place of another.');
}
const { gone, next } = await succeeded();

interface Unread {
  readonly what: string;
  readonly entity: SampleEntity;
  readonly fits: (row: TableRow) => boolean;
  readonly cells: TableRow;
  /** What is answered still, and what is not: it may be what the row is of. */
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  readonly status?: 502;
}

const ANSWERED_APART: readonly Unread[] = [
  {
    ...{ what: 'a house', entity: 'Husnummer', fits: isRow(accessId) },
    cells: { adgangspunkt: 'ukendt' },
    known: [addressesLike(soundText), washed(soundText), addressesLike('Findesikkevej 12')],
    // A text that finds nothing may be of the road, misspelt or begun.
    unknown: [
      ...['Ny Prøvegade 12A', 'Ny Prøvegdae 12A', 'Ny Prøveg'].map(addressesLike),
      ...[addressesLike('Ny Prøvegade 12A qqxz'), nearest],
    ],
  },
  {
    ...{ what: 'a house that is gone', entity: 'Husnummer', fits: isRow(retiredAccessId) },
    ...{ cells: UNREAD_TIME, known: [nearest], unknown: [address(retiredAccessId)] },
  },
  {
    ...{ what: 'a house in the place of one that is gone', entity: 'Husnummer' },
    ...{ fits: isRow(next), cells: UNREAD_TIME, known: [nearest], unknown: [gone] },
  },
  {
    ...{ what: 'a postcode', entity: 'Postnummer', cells: UNREAD_TIME },
    fits: (row) => row['postnr'] === postcode,
    known: ['/v1/postnumre/0098', '/v1/postnumre?nr=0098'],
    // An address of it has a postcode, which is not known.
    unknown: ['/v1/postnumre', `/v1/postnumre/${postcode}`, address(accessId), nearest],
  },
  {
    ...{ what: 'a place', entity: 'Standsningssted', cells: { geometri: 'POINT (' } },
    fits: (row) => Number(row['objectid']) === station.object,
    known: [named(lake.name), '/v1/stednavne/5e1c0de0-0091-4a00-8000-00000000ffff'],
    unknown: [`/v1/stednavne/${station.id}`, named(station.name), named(misspelt(station.name))],
  },
];

/** A first copy or a later one of these waits for a person; by day every other one. */
const OF_NOBODY: readonly Unread[] = [
  {
    ...{ what: 'a building', entity: 'Bygning', fits: isRow(blockId) },
    cells: { ...UNREAD_TIME, grund: null, id_lokalId: 'ukendt' },
    ...{ known: ['/v1/bbr/ejendom/9200001'], unknown: ['/v1/bbr/ejendom/7'] },
  },
  {
    ...{ what: 'a property', entity: 'Ejendomsrelation', cells: { bfeNummer: '91 mio.' } },
    fits: (row) => Number(row['bfeNummer']) === bfe && row['status'] === '7',
    ...{ known: ['/v1/bbr/ejendom/9200001'], unknown: ['/v1/bbr/ejendom/7'] },
  },
  {
    ...{ what: 'an assessment', entity: 'BFEKrydsreference', cells: { BFEnummer: 'ukendt' } },
    fits: (row) => Number(row['BFEnummer']) === KNOWN_ASSESSMENT.bfe,
    known: [`/v1/vurdering/${KNOWN_ASSESSMENT.splitBfe}`],
    ...{ unknown: [`/v1/vurdering/${KNOWN_ASSESSMENT.noneBfe}`], status: 502 },
  },
  {
    ...{ what: 'a point', entity: 'Adressepunkt', cells: { id_lokalId: 'ukendt' } },
    fits: isRow(atPoint['adgangspunkt']),
    ...{ known: [address(KNOWN_ADDRESS.stackedIds[0])], unknown: [address(atPoint['id_lokalId'])] },
  },
  {
    ...{ what: 'a house', entity: 'Husnummer', fits: isRow(accessId) },
    cells: {
      ...{ id_lokalId: crypto.randomUUID(), adgangspunkt: 'ukendt', navngivenVej: 'ukendt' },
      adgangsadressebetegnelse: null,
    },
    known: [address(KNOWN_ADDRESS.stackedIds[0])],
    // Its road cannot be named either.
    unknown: [nearest, addressesLike('Findesikkevej 12'), washed('Findesikkevej 12')],
  },
  {
    ...{ what: 'a town', entity: 'SupplerendeBynavn', cells: { id_lokalId: '7' } },
    fits: isRow(inTown['supplerendeBynavn']),
    ...{ known: [address(accessId)], unknown: [address(inTown['id_lokalId'])] },
  },
  {
    ...{ what: 'a place', entity: 'Standsningssted' },
    fits: (row) => Number(row['objectid']) === station.object,
    ...{ cells: { objectid: crypto.randomUUID(), geometri: 'POINT (' }, known: [named(lake.name)] },
    // What is like a text may not be what is meant.
    unknown: [
      ...[`/v1/stednavne/${station.id}`, named('Findes Slet Ikke'), named(misspelt(lake.name))],
      `/v1/stednavne/reverse?x=${CENTRE.x}&y=${CENTRE.y}&srid=25832`,
    ],
  },
  {
    ...{ what: 'a name of a place', entity: 'Stednavn', cells: { skrivemaade: null } },
    fits: (row) => Number(row['navngivetSted_objectid']) === station.object,
    known: [`/v1/stednavne/${lake.id}`, named(lake.name)],
    unknown: [`/v1/stednavne/${station.id}`, named(station.name)],
  },
  {
    ...{ what: 'a property of EBR', entity: 'Ejendomsbeliggenhed' },
    fits: (row) => row['adresseLokalId'] === unitId,
    cells: { adresseLokalId: null, husnummerLokalId: '?' },
    ...{ known: [address(accessId)], unknown: [address(withoutParcel)] },
  },
];

/** Where nobody can be told from, what the run says of a release. */
const NOTES: Readonly<Partial<Record<SampleEntity, string>>> = {
  Husnummer: 'is not answered, nor the nearest address to any point',
  Standsningssted: 'is not answered, nor the places around any point',
};

describe.each([
  { whose: 'whose place is known', rows: ANSWERED_APART, waits: false },
  { whose: 'of which nothing tells whose they are', rows: oneIn(2, OF_NOBODY), waits: true },
])('rows $whose', ({ rows, waits }) => {
  test.each(rows)('$what', async ({ entity, fits, cells, known, unknown, status = 503 }) => {
    const { register } = TABLES.find(({ table }) => table.entity === entity)!;
    const statuses = async () => [await statusesOf(known), await statusesOf(unknown)] as const;
    const whole = await statuses();
    expect(whole.flat().filter((each) => each >= 500)).toEqual([]);
    breaks(entity, fits, cells);
    if (waits) {
      expect(await sync(register)).toMatch(/^refused: .*unplaced/);
      expect(await statuses()).toEqual(whole);
    }
    expect(await sync(register, waits ? LIFTABLE_GUARDS : SMALL)).toBe('published');
    const left = [whole[0], unknown.map(() => status)];
    expect(await statuses()).toEqual(left);
    const [notes] = await bench.column(
      `select counts ->> 'notes' from sync_run where layer = '${register}' order by id desc limit 1`,
    );
    if (waits) expect(notes).toContain(NOTES[entity] ?? 'whatever is not known is not answered');
    // A person is not asked again, and what the version before knew of its place stays known.
    bench.shelf.renew(entity);
    expect(await sync(register)).toMatch(/^(published|unchanged)$/);
    expect(await statuses()).toEqual(left);
  });
});

test('what was not answered is not answered again with the version that is put back', async () => {
  breaks('Bygning', isRow(blockId), UNREAD_TIME);
  expect(await sync('bbr')).toBe('published');
  expect(await statusesOf([building])).toEqual([503]);
  bench.shelf.spoil();
  bench.shelf.renew('Bygning');
  expect(await sync('bbr')).toBe('published');
  expect(await statusesOf([building])).toEqual([200]);
  expect((await revertLayer(bench.deps, 'bbr', { by: 'test' })).state).toBe('published');
  expect((await world.ask.store(building)).status).toBe(503);
});

test('a face of a parcel that cannot be read leaves no tile it may lie in drawn without it, and others are', async () => {
  const [face] = bench.shelf
    .rows('Lodflade')
    .filter(({ geometri }) => String(geometri).length > 100)
    .slice(-1);
  const [box] = (await bench.column(
    `select array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)]
     from cadastre_face where id = '${String(face?.['id_lokalId'])}'`,
  )) as Bounds[];
  const [west, south, east, north] = box!;
  const around = { minX: west + 0.1, minY: south + 0.1, maxX: east - 0.1, maxY: north - 0.1 };
  const meets = async ({ minX, minY, maxX, maxY }: Box) => {
    const { copy } = await readParcelsWithin(bench.store, { minX, minY, maxX, maxY }, 10_000);
    return meetsUnread(copy?.unanswered, [minX, minY, maxX, maxY]);
  };
  expect(await meets(around)).toBe(false);
  breaks('Lodflade', isRow(face?.['id_lokalId']), UNREAD_TIME);
  // As on a first copy: nothing before tells where it was.
  await bench.column('truncate cadastre_face');
  await bench.column(`delete from cadastre_source where entity = 'Lodflade'`);
  expect(await sync('matrikel')).toBe('published');
  // Every corner of it, of a shape longer than what is shown of a value.
  for (const minX of [west, east - 1]) {
    for (const minY of [south, north - 1]) {
      expect(await meets({ minX, minY, maxX: minX + 1, maxY: minY + 1 })).toBe(true);
    }
  }
  expect(await meets({ ...around, minX: west - 9_000, maxX: west - 8_000 })).toBe(false);
});

test('a company is not named where it is told what could not be read', async () => {
  const [first] = bench.shelf.rows('Navn').filter(isCurrent);
  breaks('Navn', (row) => row === first, UNREAD_TIME);
  expect(await sync('cvr')).toBe('published');
  const { unread } = await readRuns(bench.store, 'cvr', { limit: 1, before: null, issues: 1 });
  expect(unread.map(({ key, raw }) => [key, raw])).toEqual([['Navn', null]]);
  const issues = await bench.column(
    `select coalesce(feature_key, 'none') || ' ' || detail from sync_issue i
     join sync_run r on r.id = i.run_id where r.layer = 'cvr'`,
  );
  expect(issues).not.toEqual([]);
  for (const issue of issues) expect(issue).toMatch(/^none \w+: /);
});
