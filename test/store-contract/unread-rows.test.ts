/**
 * Rows of registers that cannot be read (D143), asked of by a number or joined with records: whose they are is not
 * answered, never told short. And of every table of every register what such a row makes unanswered: each states it here.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import { protection } from '../../src/registers/property/record/protection.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { compareTexts } from '../../src/kernel/compare.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { REGISTER_IDS } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { UNREAD_POSTCODE } from '../../src/layers/unread-postcodes.ts';
import { NAMES } from '../../src/registers/places/tables.ts';
import { PLACE_TYPES } from '../../src/registers/places/types.ts';
import type { Box } from '../../src/geo/box.ts';
import type { Bounds } from '../../src/geo/bounds.ts';
import { meetsUnread } from '../../src/geo/unanswered.ts';
import { readParcelsWithin } from '../../src/registers/cadastre/tiles.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { readRuns } from '../../src/ops/run-log.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import type { Guard } from '../../sync/check.ts';
import { isPlaced } from '../../sync/mirrors/tables/unread-objects.ts';
import { revertLayer } from '../../sync/revert.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ASSESSMENT } from '../../sample/registers/assessments/rows.ts';
import { KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import type { TableRow } from '../../sample/data/table-row.ts';
import { SAMPLE_ENTITIES } from '../../sample/data/tables.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { breakRows, openAddressBench } from '../sync/addresses-bench.ts';
import { storeLookups } from '../support/lookups.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { isHeavy, oneIn } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';
import { forget, isCurrent } from '../support/whole-registers.ts';

const { bfe, blockId } = KNOWN_PROPERTY;

const bench = await opened(openMirroredStore('served').then(openAddressBench));
const mend = () => {
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
};
afterEach(mend);

async function sync(id: RegisterId, liftedGuards: readonly Guard[] = []): Promise<string> {
  return told(await syncLayer(bench.deps, id, { trigger: 'command', liftedGuards }));
}

/** Rows of an entity that fit, with these cells in place of their own; the files are new. */
const breaks = (entity: SampleEntity, fits: (row: TableRow) => boolean, cells: TableRow) =>
  breakRows(bench, entity, { fits, cells });
const isRow = (id: unknown) => (row: TableRow) => row['id_lokalId'] === String(id);

/** Files as they should be, and a copy of them. */
async function mended(id: RegisterId, entity: SampleEntity, lifted?: readonly Guard[]) {
  mend();
  bench.shelf.renew(entity);
  expect(await sync(id, lifted)).toBe('published');
}

const unread = async (layer: RegisterId) =>
  (
    await bench.column(`select unanswered -> 'objects' from layer_state where layer = '${layer}'`)
  )[0];

const { catalogue, clock } = bench.deps;
const lookups = storeLookups(bench.store, { catalogue, clock });

/** What the record of a property says. */
const record = async (number: number) => (await lookups.properties.find([number], null)).value[0];

/** 200, `unread`, or the status of another failure. */
async function property(number: number): Promise<number | 'unread'> {
  const found = await record(number);
  return found instanceof Failure ? failureOf(found) : 200;
}

function failureOf({ status, message }: Failure): number | 'unread' {
  const isUnread = message.includes('rows of the property');
  return isUnread && status === 503 ? 'unread' : status;
}

const statusOf = (
  asked: Promise<unknown>,
  of = ({ status }: Failure): number | 'unread' => status,
) =>
  asked.then(
    () => 200,
    (failure: unknown) => of(failure as Failure),
  );

const cadastre = (number: number) => statusOf(lookups.cadastre.find(number), failureOf);

describe('a first copy', () => {
  const NOBODYS = { registreringFra: 'i går', grund: null, id_lokalId: 'ukendt' };

  test('that cannot tell whose a row is, is refused until a person releases it, and says what is not known', async () => {
    await forget(bench, 'bbr');
    breaks('Bygning', isRow(blockId), NOBODYS);
    expect(await sync('bbr')).toBe('refused: unplaced');
    expect(await sync('bbr', ['unplaced'])).toBe('published');
    expect(await unread('bbr')).toEqual([null]);
    // A number that is known is told by what is known; one that is not may be that row's.
    expect([await property(bfe), await property(7)]).toEqual([200, 'unread']);
  });

  test('is not refused again for what was released', async () => {
    breaks('Bygning', isRow(blockId), NOBODYS);
    expect(await sync('bbr')).toBe('unchanged');
    expect(await property(7)).toBe('unread');
  });
});

test('a property whose number cannot be read is refused: nothing tells which number it is', async () => {
  const [id] = await bench.column(
    `select id::text from bbr_property where bfe = ${bfe} and status = 7`,
  );
  breaks('Ejendomsrelation', isRow(id), { bfeNummer: '91 mio.' });
  expect(await sync('bbr')).toMatch(/^refused: .*unplaced/);
  expect(await property(bfe)).toBe(200);
});

describe('a building that cannot be read', () => {
  test('keeps its property unanswered, and no other, until it comes whole', async () => {
    breaks('Bygning', isRow(blockId), { registreringFra: 'i går' });
    expect(await sync('bbr')).toBe('published');
    const other = await bench.column(
      `select p.bfe::integer from bbr_property p where p.status = 7 and p.bfe not in (${bfe})
        and not p.bfe::text = any(array(select jsonb_array_elements_text(unanswered -> 'objects')
          from layer_state where layer = 'bbr')) order by p.bfe limit 1`,
    );
    expect(await unread('bbr')).toContain(String(bfe));
    expect([await property(bfe), await property(Number(other[0]))]).toEqual(['unread', 200]);
    await mended('bbr', 'Bygning');
    expect([await unread('bbr'), await property(bfe), await property(7)]).toEqual([null, 200, 404]);
  });

  test('is unanswered again with the version that is put back', async () => {
    expect(await revertLayer(bench.deps, 'bbr', { by: 'test' })).toMatchObject({
      state: 'published',
    });
    expect([await unread('bbr'), await property(bfe)]).toEqual([
      expect.arrayContaining([String(bfe)]),
      'unread',
    ]);
  });
});

test('a parcel that cannot be read keeps its property unanswered in the cadastre and in the record', async () => {
  const [id] = await bench.column(
    `select id::text from cadastre_parcel where bfe = ${bfe} and status = 3 order by id limit 1`,
  );
  const called = await bench.column(
    `select d.code || ' ' || p.number from cadastre_parcel p
       join cadastre_district d on d.id = p.district_id where p.id = ${String(id)}`,
  );
  expect(await cadastre(bfe)).toBe(200);
  await bench.column('truncate cadastre_parcel, cadastre_face');
  await bench.column(`delete from cadastre_source where entity in ('Jordstykke', 'Lodflade')`);
  breaks('Jordstykke', isRow(id), { virkningFra: 'ukendt' });
  expect(await sync('matrikel')).toBe('published');
  expect([await unread('matrikel'), await cadastre(bfe), await property(bfe)]).toEqual([
    expect.arrayContaining([String(bfe)]),
    'unread',
    'unread',
  ]);
  expect(
    await bench.column(`select unanswered -> 'names' from layer_state where layer = 'matrikel'`),
  ).toEqual([called]);
});

describe('a face of a parcel that cannot be read', () => {
  const within = (box: Box) => readParcelsWithin(bench.store, box, 10_000);

  test('leaves no tile it may lie in drawn without it, and others are', async () => {
    bench.shelf.spoil();
    for (const entity of ['Jordstykke', 'Lodflade'] as const) bench.shelf.renew(entity);
    expect(await sync('matrikel')).toMatch(/published|unchanged/);
    const [face] = bench.shelf
      .rows('Lodflade')
      .filter(({ geometri }) => String(geometri).length > 100)
      .slice(-1);
    expect(face).toBeDefined();
    const [box] = (await bench.column(
      `select array[ST_XMin(geom), ST_YMin(geom), ST_XMax(geom), ST_YMax(geom)]
       from cadastre_face where id = '${String(face?.['id_lokalId'])}'`,
    )) as Bounds[];
    const [west, south, east, north] = box ?? [0, 0, 0, 0];
    const around = { minX: west + 0.1, minY: south + 0.1, maxX: east - 0.1, maxY: north - 0.1 };
    const meets = async ({ minX, minY, maxX, maxY }: Box) => {
      const { copy } = await within({ minX, minY, maxX, maxY });
      return meetsUnread(copy?.unanswered, [minX, minY, maxX, maxY]);
    };
    expect(await meets(around)).toBe(false);
    breaks('Lodflade', isRow(face?.['id_lokalId']), { registreringFra: 'i går' });
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
});

/** The sample is small: a row is a large share of it. */
const SMALL: readonly Guard[] = ['change-share', 'issues', 'lost-features'];

describe('assessments', () => {
  const assessments = (number: number) => statusOf(lookups.assessments.find(number));
  const { bfe, splitBfe, noneBfe } = KNOWN_ASSESSMENT;
  const refersTo = (row: TableRow) => Number(row['BFEnummer']) === bfe;

  test('are not told of a number with a reference that cannot be read, nor in its record', async () => {
    await mended('bbr', 'Bygning', SMALL);
    await mended('matrikel', 'Lodflade', SMALL);
    expect([await assessments(bfe), await assessments(noneBfe)]).toEqual([200, 404]);
    expect(await record(bfe)).toMatchObject({ rows: { assessments: {} } });
    breaks('BFEKrydsreference', refersTo, { registreringFra: 'i går' });
    expect(await sync('vurdering', SMALL)).toBe('published');
    expect(await unread('vurdering')).toEqual([String(bfe)]);
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
    expect(await assessments(noneBfe)).toBe(404);
    expect(await record(bfe)).toMatchObject({ rows: { assessments: null } });
  });

  test('nor of one whose assessment or assessment property cannot be read', async () => {
    const references = bench.shelf.rows('BFEKrydsreference').filter(refersTo);
    const ids = references.map((row) => row['fkEjendomsvurderingID']);
    const isIts = (row: TableRow) => ids.includes(row['id'] ?? '');
    breaks('Ejendomsvurdering', isIts, { virkningFra: 'ukendt' });
    expect(await sync('vurdering', SMALL)).toBe('published');
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
    await mended('vurdering', 'Ejendomsvurdering', SMALL);
    expect([await unread('vurdering'), await assessments(bfe)]).toEqual([null, 200]);
    const owners = bench.shelf
      .rows('Ejendomsvurdering')
      .flatMap((row) => (isIts(row) ? [row['fkVurderingsejendomID']] : []));
    breaks('Vurderingsejendom', (row) => owners.includes(row['vurderingsejendomID'] ?? ''), {
      registreringFra: 'i går',
    });
    expect(await sync('vurdering', SMALL)).toBe('published');
    expect([await assessments(bfe), await assessments(splitBfe)]).toEqual([502, 200]);
  });

  test('of a reference that tells no number are refused; released, no number is without one', async () => {
    breaks('BFEKrydsreference', refersTo, { BFEnummer: 'ukendt' });
    expect(await sync('vurdering', SMALL)).toMatch(/^refused: .*unplaced/);
    expect(await sync('vurdering', [...SMALL, 'unplaced'])).toBe('published');
    expect([await assessments(noneBfe), await assessments(splitBfe)]).toEqual([502, 200]);
  });
});

describe('a company', () => {
  const companies = createCompanies({
    ...{ catalogue, clock, origin: null, nameSources: (names) => names.join() },
    read: (asked) => readCompany(bench.store, asked),
  });
  const company = (asked: number) => statusOf(companies.find(String(asked)));
  const { number, endedNumber, unknownNumber } = KNOWN_COMPANY;
  const isIts = (row: TableRow) => Number(row['CVRNummer']) === number;

  test('of which a row cannot be read is not told, nor told to be none', async () => {
    expect([await company(number), await company(unknownNumber)]).toEqual([200, 404]);
    const unit = bench.shelf.rows('Virksomhed').find(isIts)?.['id'];
    breaks('Virksomhed', isIts, { virkningFra: 'i går' });
    expect(await sync('cvr', SMALL)).toBe('published');
    expect(await unread('cvr')).toEqual([String(number)]);
    const others = [await company(endedNumber), await company(unknownNumber)];
    expect([await company(number), ...others]).toEqual([503, 200, 404]);
    await mended('cvr', 'Virksomhed', SMALL);
    expect(await company(number)).toBe(200);
    breaks('Navn', (row) => row['CVREnhedsId'] === unit, { virkningFra: 'i går' });
    expect(await sync('cvr', SMALL)).toBe('published');
    expect([await company(number), await company(endedNumber)]).toEqual([503, 200]);
  });

  test('is not named where it is told what could not be read', async () => {
    const { unread: listed } = await readRuns(bench.store, 'cvr', {
      limit: 1,
      before: null,
      issues: 1,
    });
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.map(({ key, raw }) => [key, raw])).toEqual(listed.map(() => ['Navn', null]));
  });
});

describe('a building of FBB', () => {
  const isOf = (id: string) => (feature: { readonly ois_id: string | null }) =>
    feature.ois_id === id;

  async function protectionOf(building: string) {
    const found = await record(bfe);
    if (found === undefined || !('rows' in found)) throw new Error('no record');
    const { rows, around } = found;
    const own = rows.protections?.filter((row) => row.buildingId === building) ?? [];
    return around.protection && protection(own, around.protection);
  }

  test('whose row cannot be read is not told to be no listed one', async () => {
    expect(await protectionOf(blockId)).toMatchObject({ fredet: true });
    bench.upstream.protection.spoil({
      features: (layer, features) =>
        layer === 'fredede'
          ? features.map((each) =>
              isOf(blockId)(each) ? { ...each, fredningsstatus: 'ja' } : each,
            )
          : features,
    });
    expect(await sync('fbb', SMALL)).toBe('published');
    expect(await unread('fbb')).toEqual([blockId]);
    expect(await protectionOf(blockId)).toBeNull();
  });
});

describe('of every table', () => {
  beforeAll(async () => {
    await mended('vurdering', 'BFEKrydsreference', SMALL);
    await mended('cvr', 'Navn', SMALL);
  });

  /** Things that are asked of by a number or an id, a text that may name one, and a point that may be near one. */
  type Made =
    | 'property'
    | 'address'
    | 'postcode'
    | 'company'
    | 'place'
    | 'building'
    | 'name'
    | 'box';

  const PROPERTY: readonly Made[] = ['property'];
  const COMPANY: readonly Made[] = ['company'];

  const MADE: Readonly<Record<string, readonly Made[]>> = {
    address_postcode: ['postcode'],
    address_town: ['address'],
    address_road: ['address', 'box', 'name'],
    address_road_part: ['address'],
    address_point: ['address', 'box'],
    address_access: ['address', 'box', 'name'],
    address_unit: ['address', 'name'],
    address_property: ['address', 'property'],
    cadastre_district: ['name', 'property'],
    cadastre_property: PROPERTY,
    cadastre_flat: PROPERTY,
    cadastre_foreign_building: PROPERTY,
    cadastre_parcel: ['box', 'name', 'property'],
    cadastre_face: ['box', 'property'],
    bbr_property: PROPERTY,
    bbr_ground: PROPERTY,
    bbr_ground_parcel: PROPERTY,
    bbr_building: PROPERTY,
    bbr_building_property: PROPERTY,
    bbr_floor: PROPERTY,
    bbr_entrance: PROPERTY,
    bbr_unit: PROPERTY,
    bbr_unit_property: PROPERTY,
    bbr_facility: PROPERTY,
    assessment_reference: PROPERTY,
    assessment_row: PROPERTY,
    assessment_property: PROPERTY,
    protection_listed: ['building'],
    protection_case: ['building'],
    protection_survey: ['building'],
    company_row: COMPANY,
    company_name: COMPANY,
    company_address: COMPANY,
    company_branch: COMPANY,
    company_form: COMPANY,
    company_protection: COMPANY,
    place_name: ['box', 'name', 'place'],
    ...Object.fromEntries(
      PLACE_TYPES.map(({ entity }) => [`place_${entity.toLowerCase()}`, ['box', 'name', 'place']]),
    ),
  };

  const schemaOf = (register: RegisterId) => REGISTERS_CATALOGUE.registers[register].schema;

  const TABLES = REGISTER_IDS.flatMap((register) =>
    schemaOf(register).tables.map(({ table, entity }) => [table, entity, register] as const),
  );

  /** Broken rows of a table: of the first some may be nobody's. */
  const BROKEN = 40;

  test('every table states what its rows make unanswered, and nothing else does', () => {
    expect(Object.keys(MADE).toSorted(compareTexts)).toEqual(
      TABLES.map(([table]) => table).toSorted(compareTexts),
    );
  });

  test.each(TABLES)('a row of %s of which nothing is known is of nobody knows whom', (table) => {
    expect(isPlaced({ table, cells: {}, box: null })).toBe(false);
  });

  /** The sample has no rows of some kinds of places. */
  const isOfSample = (table: string, entity: string) =>
    !table.startsWith('place_') ||
    (table !== 'place_bygning' && isOfFiles(entity) && bench.shelf.rows(entity).length > 0);

  test('kinds of places without rows in the sample are read as the others are', () => {
    const kinds = schemaOf('stednavne').tables.filter(({ entity }) => entity !== NAMES);
    const shapes = kinds.map(({ key, columns }) => ({
      key,
      columns: columns.map(({ name, kind, required }) => ({ name, kind, required })),
    }));
    expect(shapes).toEqual(shapes.map(() => shapes[0]));
    expect(kinds.some(({ table, entity }) => isOfSample(table, entity))).toBe(true);
  });

  /** Kinds of places are read alike: by day a station is for all of them. */
  const isTried = (entity: string) =>
    isHeavy || entity === 'Standsningssted' || PLACE_TYPES.every((type) => type.entity !== entity);

  test.each(oneIn(3, TABLES))('an unread row of %s', async (table, entity, register) => {
    if (!isOfSample(table, entity) || !isTried(entity)) return;
    spoilRows(entity);
    expect(await sync(register, LIFTABLE_GUARDS)).toBe('published');
    const [unanswered] = await bench.column(
      `select unanswered from layer_state where layer = '${register}'`,
    );
    expect(madeBy(register, unanswered as UnansweredPlaces | null)).toEqual(MADE[table]);
  });

  const isOfFiles = (entity: string): entity is SampleEntity =>
    SAMPLE_ENTITIES.some((each) => each === entity);

  function spoilRows(entity: string): void {
    broken = entity;
    if (!isOfFiles(entity)) {
      bench.upstream.protection.spoil({
        features: (layer, features) =>
          layer === entity
            ? features.map((each) => ({ ...each, fredningsstatus: 'ja' }))
            : features,
      });
      return;
    }
    const rows = new Set(bench.shelf.rows(entity).filter(isCurrent).slice(0, BROKEN));
    bench.shelf.renew(entity);
    bench.shelf.spoil({
      rows: (of, all) =>
        of === entity
          ? all.map((row) => (rows.has(row) ? { ...row, registreringFra: 'i går' } : row))
          : all,
    });
  }

  let broken: string | null = null;
  /** The next run of the register reads the table again, and finds it whole. */
  afterEach(() => {
    if (broken !== null && isOfFiles(broken)) bench.shelf.renew(broken);
    broken = null;
  });

  function madeBy(register: RegisterId, unanswered: UnansweredPlaces | null): readonly Made[] {
    const { unreadable = [], objects = [], names = [] } = unanswered ?? {};
    const kinds = new Set<Made>(objects.map((object) => kindOf(register, object)));
    if (unreadable.length > 0) kinds.add('box');
    if (names.some((name) => name !== null)) kinds.add('name');
    return [...kinds].toSorted(compareTexts);
  }

  const OF_REGISTER: Readonly<Partial<Record<RegisterId, Made>>> = {
    cvr: 'company',
    stednavne: 'place',
    fbb: 'building',
  };

  function kindOf(register: RegisterId, object: string | null): Made {
    // Whose a row is that came whole but for its time is known.
    if (object === null) throw new Error(`${register} has rows of nobody knows whom`);
    if (object.startsWith(UNREAD_POSTCODE)) return 'postcode';
    return OF_REGISTER[register] ?? (/^\d+$/.test(object) ? 'property' : 'address');
  }
});
