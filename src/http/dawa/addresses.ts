import { unitsOfFound } from '../../core/question/answers.ts';
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AddressesWalked, ListQuestion } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { addressAnswer, addressRows, detailedRows } from './address-answer.ts';
import { ACCESS, UNIT } from './address-members.ts';
import type { AddressRow } from './address-members.ts';
import { addressShape, dataOf } from './address-shape.ts';
import {
  USUAL_STATUSES,
  firstOf,
  longList,
  narrowed,
  tooMany,
} from '../../registers/addresses/narrowed.ts';
import type { AddressesWanted } from '../../registers/addresses/narrowed.ts';
import { byIds } from '../../registers/addresses/of-kind.ts';
import { partsOfKey } from '../../registers/addresses/keys.ts';
import { isPlaced } from '../../registers/addresses/place-text.ts';
import { darStatusOf, statusOf } from './codes.ts';
import { surfaceOf } from '../../registers/cadastre/parcels.ts';
import { badParameter, notOffered } from './failure.ts';
import { fitsOf, isBeyond, filtersBy } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import { longRows } from '../wire/row-formats.ts';
import { DAWA_LIMITS } from './limits.ts';
import type { Readers } from '../wire/row-members.ts';
import { pageOf, pageShown, suggestedPage, unitsOfRows } from './pages.ts';
import type { Params } from './params.ts';
import type { PageAsked } from './pages.ts';
import { pathUuid } from './params.ts';
import { parcelAsked } from './parcels.ts';
import { pointOf, withinOf } from './places-asked.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';

type Address = AddressRow['address'];
type Kind = ListQuestion['kind'];

const KINDS = [
  ['unit', '/adresser', 'adresse'],
  ['access', '/adgangsadresser', 'adgangsadresse'],
] as const satisfies readonly (readonly [Kind, string, string])[];

interface Question extends AddressesWanted {
  readonly fitsAreas: Fits<AddressRow> | null;
  readonly parcel: ReturnType<typeof parcelAsked>;
  readonly page: PageAsked;
}

const LIMITED = { ...DAWA_LIMITS, refused: badParameter };

const keys: Readers<AddressRow> = {
  vejnavne: ({ address }) => {
    const { name, shortName } = accessOf(address).road;
    return [name, shortName];
  },
  nøgler: (row, place) => [ACCESS['kvh']?.(row, place), UNIT['kvhx']?.(row, place)],
};
const FIELDS: Fields<AddressRow> = filtersBy(
  { ...UNIT, ...keys, status: ({ address }) => statusOf(address.status) },
  `status:number vejkode:code vejnavn:text:vejnavne husnr:house husnrfra:fromHouse:husnr
  husnrtil:toHouse:husnr supplerendebynavn:text postnr:code kommunekode:code navngivenvej_id:uuid
  landsdelsnuts3:text kvh:text:nøgler`,
);
const UNIT_FIELDS: Fields<AddressRow> = {
  ...FIELDS,
  ...filtersBy({ ...UNIT, ...keys }, 'adgangsadresseid:uuid etage:floor dør:door kvhx:text:nøgler'),
};
const AREA_FIELDS = filtersBy(
  ACCESS,
  `regionskode:code sognekode:code retskredskode:code politikredskode:code
  opstillingskredskode:code storkredsnummer:number valglandsdelsbogstav:text`,
);

function readList(kind: Kind, asked: Asked, isTyped = false): Question {
  const { params } = asked;
  refuseRoadPoints(params);
  const text = params.search(LIMITS.addressTextChars.max);
  const ids = params.uuids('id');
  if (text !== null && ids.length > 0) throw badParameter('q', 'not beside id');
  const filter = readFilter(kind, asked, text !== null);
  const fields = kind === 'unit' ? UNIT_FIELDS : FIELDS;
  const own = fitsOf(params, fields);
  const fits = own && ((address: Address) => own({ address }));
  const fitsAreas = fitsOf(params, AREA_FIELDS);
  const parcel = parcelAsked(params);
  if (ids.length === 0 && parcel === null) refuseScan(filter, params, isTyped && text ? '' : text);
  const narrowing = ['kommunekode', 'postnr', 'status', ...(text === null ? ['vejkode'] : [])];
  const isWhole = fitsAreas !== null || isBeyond(params, fields, narrowing);
  const page = pageOf(params, text === null ? Infinity : DAWA_LIMITS.rows);
  const fitting = { fits, fitsAreas, parcel, isWhole };
  return { kind, text, ids, page, filter, isTyped, ...fitting };
}

function readFilter(kind: Kind, { params, format }: Asked, isText: boolean): Question['filter'] {
  const among = (name: string, normal: (text: string) => string | null): readonly string[] =>
    withoutStars(params.alternatives(name)).map((each) => (each && normal(each)) ?? each);
  const statuses = params.list('status').map((each) => {
    const found = darStatusOf(each);
    if (found === null) throw badParameter('status', 'not one of 1, 2, 3, 4');
    const isBeside = !isText || USUAL_STATUSES.includes(found);
    if (!isBeside) throw badParameter('status', 'not offered beside q');
    return found;
  });
  return {
    kind,
    ...{ municipalityCodes: params.codes('kommunekode'), postcodes: params.codes('postnr') },
    roadCodes: params.codes('vejkode'),
    roadNames: withoutStars(params.alternatives('vejnavn')),
    roadId: params.uuid('navngivenvej_id'),
    houseNumbers: among('husnr', normalHouseNumber),
    ...{ floors: among('etage', normalFloor), doors: among('dør', normalDoor) },
    towns: withoutStars(params.alternatives('supplerendebynavn')),
    statuses: statuses.length > 0 ? statuses : USUAL_STATUSES,
    accessId: params.uuid('adgangsadresseid'),
    within: withinOf(params, format),
    ...{ ...keyAsked(params, 'kvh'), ...keyAsked(params, 'kvhx') },
  };
}

/** The index knows whole names only, so one with a star is dropped. */
function withoutStars(names: readonly (string | null)[]): readonly string[] {
  return names.some((name) => name?.includes('*')) ? [] : names.map((name) => name ?? '');
}

/** The index has no points where addresses meet their roads. */
function refuseRoadPoints(params: Params): void {
  const place = params.oneOf('geometri', ['adgangspunkt', 'vejpunkt']);
  if (place === 'vejpunkt') throw badParameter('geometri', 'not offered here');
}

/** A house number alone would scan the whole register. */
function refuseScan(filter: Question['filter'], params: Params, text: string | null): void {
  const isNumber = /^\d{1,3}\p{L}?$/u.test(text ?? '');
  if (isPlaced(filter) || (text !== null && !isNumber)) return;
  const fields = { ...(filter.kind === 'unit' ? UNIT_FIELDS : FIELDS), ...AREA_FIELDS };
  const asked = isNumber ? 'q' : Object.keys(fields).find((name) => params.has(name));
  if (asked === undefined) return;
  throw badParameter(asked, 'needs kommunekode, postnr or vejnavn as well');
}

function keyAsked(params: Params, name: string): Partial<Question['filter']> {
  const text = params.filled(name);
  const key = text === null ? {} : partsOfKey(text);
  if (key === null) throw badParameter(name, 'not a key');
  return key;
}

type Found = AddressAnswer<readonly Address[]>;

async function listed(lookups: DoorLookups, question: Question, around: Around): Promise<Found> {
  const { fitsAreas, page, parcel } = question;
  if (parcel !== null) {
    const { parcels, provenance: ofParcels } = await parcel(lookups.parcels);
    const filter = { ...question.filter, within: surfaceOf(parcels) };
    const placed = { ...question, parcel: null, filter };
    const { provenance, ...found } = await listed(lookups, placed, around);
    return { ...found, provenance: [...provenance, ...ofParcels] };
  }
  if (fitsAreas === null)
    return await narrowed(lookups.addresses, question, LIMITED, around.deadline);
  const most = question.text === null ? DAWA_LIMITS.scannedRows : DAWA_LIMITS.rows;
  const whole = { ...question, page: { ...page, skip: 0, take: most + 1 } };
  const { value, ...facts } = await narrowed(lookups.addresses, whole, LIMITED, around.deadline);
  if (value.length > most) throw tooMany(LIMITED);
  const format = { ...around.format, structure: null };
  const placed = await addressRows(lookups, { ...facts, value }, { ...around, format });
  const kept = placed.rows.filter(fitsAreas).map(({ address }) => address);
  const { provenance } = placed.facts;
  return { ...facts, provenance, value: kept.slice(page.skip, page.skip + page.take) };
}

function addList(add: AddRoute, lookups: DoorLookups, [kind, path]: (typeof KINDS)[number]): void {
  add(path, {
    ...{ area: 'adresser', operation: 'adresser' },
    read: (asked) => readList(kind, asked),
    answer: async (question, around) => {
      const { addresses } = lookups;
      const isLong = question.fitsAreas === null && question.parcel === null;
      const long = isLong ? longList(addresses, question, LIMITED) : null;
      if (long !== null) return await longAnswer(lookups, kind, long, around);
      const { value, ...facts } = await listed(lookups, question, around);
      const rows = pageShown(value, question.page);
      const isFound = unitsOfFound(rows.length, lookups.coverage) > 0;
      const units = isFound ? unitsOfRows(rows.length) : 0;
      const found = { ...facts, value: rows };
      return await addressAnswer(lookups, ['list', kind], { found, units }, around);
    },
  });
}

async function longAnswer(
  lookups: DoorLookups,
  kind: Kind,
  { value: { count, rows: walked }, ...facts }: AddressAnswer<AddressesWalked>,
  around: Around,
): Promise<DoorAnswer<AddressRow>> {
  const rowsOf = (value: readonly Address[]) => detailedRows(lookups, { ...facts, value }, around);
  const placed = await rowsOf(firstOf(lookups.addresses));
  const rows = longRows(count, walked, async (batch) => (await rowsOf(batch)).rows);
  const shape = addressShape(kind, around);
  return { kind: 'list', rows, facts: placed.facts, shape, units: unitsOfRows(count) };
}

function addSuggestions(
  add: AddRoute,
  lookups: DoorLookups,
  [kind, path, name]: (typeof KINDS)[number],
): void {
  add(`${path}/autocomplete`, {
    ...{ area: 'adresser', operation: 'adresseAutocomplete', typing: () => 'suggest' },
    read: (asked) => {
      const page = suggestedPage(pageOf(asked.params, DAWA_LIMITS.rows));
      return { ...readList(kind, asked, true), page };
    },
    answer: async (question, around) => {
      const { value, ...facts } = await listed(lookups, question, around);
      const nestet = (address: Address) => {
        return { tekst: address.designation, [name]: dataOf(address, around) };
      };
      const rows = pageShown(value, question.page);
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, shape: { nestet }, facts, units };
    },
  });
}

function addOne(add: AddRoute, lookups: DoorLookups, [kind, path]: (typeof KINDS)[number]): void {
  add(`${path}/:id`, {
    ...{ area: 'adresser', operation: 'adresse', typing: () => 'choose' },
    read: ({ path: { id = '' } }) => pathUuid('id', id),
    answer: async (id, around) => {
      const { value, ...facts } = await lookups.addresses.search.find(id, around.deadline);
      if (value.hit.kind !== kind) throw new Failure('not_found');
      const found = { ...facts, value: [value.hit.address] };
      return await addressAnswer(lookups, ['one', kind], { found, units: 1 }, around);
    },
  });
}

/** Known ids are refused because no mirror has versions; unknown ids have no history. */
function addHistory(
  add: AddRoute,
  lookups: DoorLookups,
  [kind, path]: (typeof KINDS)[number],
): void {
  add(`/historik${path}`, {
    ...{ area: 'adresser', operation: 'adresse' },
    read: ({ params }) => {
      const ids = params.uuids('id');
      if (ids.length === 0) throw badParameter('id', 'missing: the versions are not mirrored');
      return ids;
    },
    answer: async (ids, around) => {
      const { search } = lookups.addresses;
      const { value, ...facts } = await byIds(search, { kind, ids }, around.deadline);
      if (value.length > 0) throw notOffered('historik');
      return { kind: 'list', rows: [], facts, shape: addressShape(kind, around), units: 0 };
    },
  });
}

export function addressDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const each of KINDS) {
    addList(add, lookups, each);
    addSuggestions(add, lookups, each);
    addOne(add, lookups, each);
    addHistory(add, lookups, each);
  }
  add('/adgangsadresser/reverse', {
    ...{ operation: 'adresseReverse', area: 'adresser' },
    read: ({ params, format }) => {
      refuseRoadPoints(params);
      return pointOf(params, format);
    },
    answer: async (point, around) => {
      const { reverse } = lookups.addresses;
      const { value, ...facts } = await reverse.at([point], DAWA_LIMITS.reverseM);
      const [nearest] = value;
      if (nearest === undefined) throw new Error('The lookup gave no answer for the point.');
      if (nearest instanceof Failure) throw nearest;
      const found = { ...facts, value: [nearest.address] };
      return await addressAnswer(lookups, ['one', 'access'], { found, units: 1 }, around);
    },
  });
}
