/** What a row that cannot be read makes unanswered (D143), of every table of every register: each states it here. */
import { afterEach, expect, test } from 'vitest';
import { compareTexts } from '../../src/kernel/compare.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { UnansweredPlaces } from '../../src/geo/unanswered.ts';
import { REGISTER_IDS } from '../../src/layers/keys.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { UNREAD_POSTCODE } from '../../src/layers/unread-postcodes.ts';
import { NAMES } from '../../src/registers/places/tables.ts';
import { PLACE_TYPES } from '../../src/registers/places/types.ts';
import { SAMPLE_ENTITIES } from '../../sample/data/tables.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { isPlaced } from '../../sync/mirrors/tables/unread-objects.ts';
import { syncLayer } from '../../sync/run.ts';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { told } from '../support/run-outcome.ts';
import { isHeavy, oneIn } from '../support/run-settings.ts';
import { openAddressBench } from '../sync/addresses-bench.ts';
import { opened } from '../support/opened.ts';
import { isCurrent } from '../support/whole-registers.ts';

/** Things that are asked of by a number or an id, a text that may name one, and a point that may be near one. */
type Made = 'property' | 'address' | 'postcode' | 'company' | 'place' | 'building' | 'name' | 'box';

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

const bench = await opened(openMirroredStore('served').then(openAddressBench));

const sync = (register: RegisterId) =>
  syncLayer(bench.deps, register, { trigger: 'command', liftedGuards: LIFTABLE_GUARDS });

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
  breakRows(entity);
  expect(told(await sync(register))).toBe('published');
  const [unanswered] = await bench.column(
    `select unanswered from layer_state where layer = '${register}'`,
  );
  expect(madeBy(register, unanswered as UnansweredPlaces | null)).toEqual(MADE[table]);
});

const isOfFiles = (entity: string): entity is SampleEntity =>
  SAMPLE_ENTITIES.some((each) => each === entity);

function breakRows(entity: string): void {
  broken = entity;
  if (!isOfFiles(entity)) {
    bench.upstream.protection.spoil({
      features: (layer, features) =>
        layer === entity ? features.map((each) => ({ ...each, fredningsstatus: 'ja' })) : features,
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
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
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
