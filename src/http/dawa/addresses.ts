/** `/adresser` and `/adgangsadresser`. */
import { unitsOfFound } from '../../core/question/answers.ts';
import { normalDoor, normalFloor, normalHouseNumber } from '../../layers/address-text.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NO_FILTER, accessOf } from '../../registers/addresses/addresses.ts';
import type {
  AccessAddress,
  ListQuestion,
  SearchQuestion,
  UnitAddress,
} from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { addressAnswer } from './address-answer.ts';
import { dataOf } from './address-shape.ts';
import { darStatusOf } from './codes.ts';
import { badParameter } from './failure.ts';
import { refuseFilters } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { mostUnitsOf, pageOf, pageShown, unitsOfRows } from './pages.ts';
import type { Params } from './params.ts';
import type { PageAsked } from './pages.ts';
import { pathUuid, uuidOf } from './paths.ts';
import { pointOf, withinOf } from './places-asked.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

type Address = AccessAddress | UnitAddress;
type Kind = ListQuestion['kind'];

const KINDS = [
  ['unit', '/adresser', 'adresse'],
  ['access', '/adgangsadresser', 'adgangsadresse'],
] as const satisfies readonly (readonly [Kind, string, string])[];

const PAGE = { area: 'adresser', publicKeys: true } as const;

interface Question {
  readonly kind: Kind;
  readonly text: string | null;
  readonly ids: readonly string[];
  readonly filter: Omit<ListQuestion, 'skip' | 'take'>;
  readonly page: PageAsked;
}

/** Provisional and in force. */
const USUAL_STATUSES = [2, 3];

function readList(kind: Kind, asked: Asked): Question {
  const { params } = asked;
  refuseFilters(params, 'addresses');
  refuseRoadPoints(params);
  const text = params.text('q');
  const ids = params.list('id', DAWA_LIMITS.ids).map((each) => uuidOf('id', each));
  const filter = readFilter(kind, asked);
  if (text === null && ids.length === 0) refuseScan(filter, params);
  return { kind, text, ids, page: pageOf(params), filter };
}

function readFilter(kind: Kind, { params, format }: Asked): Question['filter'] {
  const given = (name: string): string | null => params.text(name);
  const statuses = params.list('status').map((each) => {
    const found = darStatusOf(each);
    if (found === null) throw badParameter('status', 'not one of 1, 2, 3, 4');
    return found;
  });
  const [house, floor, door] = [given('husnr'), given('etage'), given('dør')];
  const [accessId, roadId] = [given('adgangsadresseid'), given('navngivenvej_id')];
  return {
    kind,
    municipalityCodes: params.codes('kommunekode'),
    postcodes: params.codes('postnr'),
    roadCodes: params.codes('vejkode'),
    roadName: given('vejnavn'),
    roadId: roadId === null ? null : uuidOf('navngivenvej_id', roadId),
    houseNumber: house === null ? null : (normalHouseNumber(house) ?? house),
    floor: floor === null ? null : (normalFloor(floor) ?? floor),
    door: door === null ? null : (normalDoor(door) ?? door),
    town: given('supplerendebynavn'),
    statuses: statuses.length > 0 ? statuses : USUAL_STATUSES,
    accessId: accessId === null ? null : uuidOf('adgangsadresseid', accessId),
    within: withinOf(params, format),
    ...keyOf(given('kvhx') ?? given('kvh')),
  };
}

/** Where an address meets its road is not mirrored. */
function refuseRoadPoints(params: Params): void {
  if (params.text('geometri') === 'vejpunkt') throw badParameter('geometri', 'not offered here');
}

/** Nothing but the whole register could tell all of a house number. */
function refuseScan(filter: Question['filter'], params: Params): void {
  const { municipalityCodes, postcodes, roadName, roadId, accessId, within } = filter;
  const isPlaced =
    municipalityCodes.length + postcodes.length > 0 ||
    [roadName, roadId, accessId, within].some((each) => each !== null);
  const alone = ['vejkode', 'husnr', 'etage', 'dør', 'supplerendebynavn', 'status'];
  const asked = isPlaced ? undefined : alone.find((name) => params.text(name) !== null);
  if (asked !== undefined)
    throw badParameter(asked, 'needs kommunekode, postnr or vejnavn as well');
}

/** `07514456__24_st___3`, or its first twelve. */
function keyOf(text: string | null): Partial<Question['filter']> {
  if (text === null) return {};
  const [, municipality, road, house = '', unit] = /^(\d{4})(\d{4})(.{4})(.{7})?$/.exec(text) ?? [];
  if (municipality === undefined || road === undefined) throw badParameter('kvhx', 'not a key');
  const part = (from: number, to: number): string | null =>
    unit?.slice(from, to).replaceAll('_', '') || null;
  return {
    ...{ municipalityCodes: [municipality], roadCodes: [road] },
    houseNumber: house.replaceAll('_', '').toUpperCase(),
    ...(unit !== undefined && { floor: part(0, 3) ?? '', door: part(3, 7) ?? '' }),
  };
}

async function listed(
  lookups: DoorLookups,
  { kind, text, ids, filter, page }: Question,
  deadline: Parameters<DoorLookups['addresses']['search']['find']>[1],
): Promise<AddressAnswer<readonly Address[]>> {
  const { listing } = lookups.addresses;
  if (ids.length > 0) return await byIds(lookups, { kind, ids }, deadline);
  if (text === null) return listing.addresses({ ...filter, ...page });
  if (page.skip >= DAWA_LIMITS.rows) throw badParameter('side', `beyond ${DAWA_LIMITS.rows} rows`);
  const limit = Math.min(page.skip + page.take, DAWA_LIMITS.rows + 1);
  const { municipalityCodes, postcodes, within, statuses } = filter;
  const [only, ...others] = statuses;
  const status =
    others.length === 0 ? (([2, 3] as const).find((each) => each === only) ?? null) : null;
  const asked = { ...NO_FILTER, municipalityCodes, postcodes, within, status };
  const { value, ...facts } = sought(lookups, { ...asked, kind, text, limit });
  return { ...facts, value: value.slice(page.skip, page.skip + page.take) };
}

async function byIds(
  { addresses: { search } }: DoorLookups,
  { kind, ids }: Pick<Question, 'kind' | 'ids'>,
  deadline: Parameters<DoorLookups['addresses']['search']['find']>[1],
): Promise<AddressAnswer<readonly Address[]>> {
  const found: Address[] = [];
  let facts: Omit<AddressAnswer<unknown>, 'value'> = { generation: 0, provenance: [] };
  for (const id of ids) {
    try {
      const { value, ...own } = await search.find(id, deadline);
      facts = own;
      if (value.hit.kind === kind) found.push(value.hit.address);
    } catch (error) {
      if (!(error instanceof Failure) || error.type !== 'not_found') throw error;
    }
  }
  return { ...facts, value: found };
}

interface Sought extends SearchQuestion {
  readonly kind: Question['kind'];
}

function sought(
  { addresses: { search, listing } }: DoorLookups,
  { kind, ...question }: Sought,
): AddressAnswer<readonly Address[]> {
  const { value, ...facts } = search.search(question);
  const found = new Map<string, Address>();
  for (const { address } of value) {
    if (found.size >= question.limit) break;
    const own =
      kind === 'access'
        ? [accessOf(address)]
        : 'access' in address
          ? [address]
          : listing.units(address.id).value;
    for (const each of own) found.set(each.id, each);
  }
  return { ...facts, value: [...found.values()].slice(0, question.limit) };
}

function addList(add: AddRoute, lookups: DoorLookups, [kind, path]: (typeof KINDS)[number]): void {
  add(path, {
    ...{ ...PAGE, operation: 'adresser' },
    read: (asked) => readList(kind, asked),
    mostUnits: ({ page }) => mostUnitsOf(page),
    answer: async (question, around) => {
      const { value, ...facts } = await listed(lookups, question, around.deadline);
      const rows = pageShown(value, question.page);
      const isFound = unitsOfFound(rows.length, lookups.coverage) > 0;
      const units = isFound ? unitsOfRows(rows.length) : 0;
      return await addressAnswer(
        lookups,
        'list',
        { found: { ...facts, value: rows }, units },
        around,
      );
    },
  });
}

function addSuggestions(
  add: AddRoute,
  lookups: DoorLookups,
  [kind, path, name]: (typeof KINDS)[number],
): void {
  const { default: usual, max } = DAWA_LIMITS.suggestions;
  add(`${path}/autocomplete`, {
    ...{ ...PAGE, operation: 'adresseAutocomplete' },
    read: ({ params }) => ({
      kind,
      text: params.text('q', LIMITS.addressTextChars.max) ?? '',
      limit: Math.min(params.whole('per_side') ?? usual, max),
      ...NO_FILTER,
      municipalityCodes: params.codes('kommunekode'),
      postcodes: params.codes('postnr'),
    }),
    answer: (question, { base, format }) => {
      if (question.text === '') throw badParameter('q', 'missing');
      const { value, ...facts } = sought(lookups, question);
      const nestet = (address: Address) => {
        const row = { address, areas: null, base, srid: format.srid };
        return { tekst: address.designation, [name]: dataOf(row) };
      };
      const units = unitsOfFound(value.length, lookups.coverage);
      return { kind: 'list', rows: value, shape: { nestet }, facts, units };
    },
  });
}

function addOne(add: AddRoute, lookups: DoorLookups, [kind, path]: (typeof KINDS)[number]): void {
  add(`${path}/:id`, {
    ...{ ...PAGE, operation: 'adresse' },
    read: ({ path: { id = '' } }) => pathUuid('id', id),
    answer: async (id, around) => {
      const { value, ...facts } = await lookups.addresses.search.find(id, around.deadline);
      if (value.hit.kind !== kind) throw new Failure('not_found');
      const found = { ...facts, value: [value.hit.address] };
      return await addressAnswer(lookups, 'one', { found, units: 1 }, around);
    },
  });
}

export function addressDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const each of KINDS) {
    addList(add, lookups, each);
    addSuggestions(add, lookups, each);
    addOne(add, lookups, each);
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
      return await addressAnswer(lookups, 'one', { found, units: 1 }, around);
    },
  });
}
