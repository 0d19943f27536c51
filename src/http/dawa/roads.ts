/** `/vejnavne`, `/vejstykker`, `/navngivneveje`. */
import { unitsOfFound } from '../../core/question/answers.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { Failure } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NO_FILTER } from '../../registers/addresses/addresses.ts';
import type { ListedRoad, RoadFilter } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { bboxOf } from './areas.ts';
import { unpadded } from './codes.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond } from './filters.ts';
import type { Fields } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pageOf, pageShown } from './pages.ts';
import { pathCode, pathUuid } from './paths.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;
const ANY = {
  ...{ municipalityCodes: [], postcodes: [], roadCodes: [], roadNames: [], roadId: null },
  keep: null,
} satisfies RoadFilter & { readonly keep: null };

type Municipalities = ReadonlyMap<string, string>;

interface RoadsFound {
  readonly facts: Omit<AddressAnswer<unknown>, 'value'>;
  readonly roads: readonly ListedRoad[];
  readonly municipalities: Municipalities;
}

async function found(
  lookups: DoorLookups,
  { value, ...facts }: AddressAnswer<readonly ListedRoad[]>,
): Promise<RoadsFound> {
  const named = await lookups.areaList.all('kommune');
  return {
    facts: { ...facts, provenance: [...facts.provenance, ...named.provenance] },
    roads: value,
    municipalities: new Map(named.value.map(({ code, name }) => [code, name])),
  };
}

const postMembers = (base: string, roads: readonly ListedRoad[]): readonly object[] => {
  const posts = new Map(
    roads.flatMap(({ postcodes }) => postcodes.map((each) => [each.code, each.name])),
  );
  return [...posts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([nr, navn]) => ({ href: `${base}/postnumre/${nr}`, nr, navn }));
};

const municipalityMember = (base: string, kode: string, names: Municipalities): object => ({
  ...{ href: `${base}/kommuner/${kode}`, kode, navn: names.get(kode) ?? null },
});

function partMembers(base: string, listed: ListedRoad, names: Municipalities) {
  const { road, box } = listed;
  const { municipalityCode, roadCode, roadId, name, shortName } = road;
  return {
    ...{ id: null, darstatus: null },
    href: partHref(base, listed),
    ...{ kode: roadCode, navn: name, adresseringsnavn: shortName ?? name },
    navngivenvej: { href: `${base}/navngivneveje/${roadId}`, id: roadId, darstatus: null },
    kommune: municipalityMember(base, municipalityCode, names),
    postnumre: postMembers(base, [listed]),
    historik: { oprettet: null, ændret: null, nedlagt: null },
    ...{ bbox: bboxOf(box), visueltcenter: null },
  };
}

function partHref(
  base: string,
  { road: { municipalityCode, roadCode } }: ListedRoad,
): string | null {
  if (roadCode === null) return null;
  return `${base}/vejstykker/${unpadded(municipalityCode)}/${unpadded(roadCode)}`;
}

function partFlat(listed: ListedRoad, names: Municipalities) {
  const { municipalityCode, roadCode, roadId, name, shortName } = listed.road;
  return {
    ...{ id: null, kommunekode: municipalityCode, kode: roadCode, darstatus: null },
    ...{ oprettet: null, ændret: null, nedlagt: null },
    ...{ kommunenavn: names.get(municipalityCode) ?? null, navn: name },
    ...{ adresseringsnavn: shortName ?? name, navngivenvej_id: roadId },
  };
}

const nameBrief = (base: string, navn: string) => ({
  ...{ navn, href: `${base}/vejnavne/${encodeURIComponent(navn)}` },
});

function nameMembers(base: string, roads: readonly ListedRoad[], names: Municipalities) {
  const navn = roads[0]?.road.name ?? '';
  const codes = new Set(roads.map(({ road }) => road.municipalityCode));
  return {
    ...{ href: `${base}/vejnavne/${encodeURIComponent(navn)}`, navn },
    postnumre: postMembers(base, roads),
    kommuner: [...codes].toSorted().map((code) => municipalityMember(base, code, names)),
  };
}

function wholeMembers(base: string, parts: readonly ListedRoad[]) {
  const [first] = parts;
  const { roadId = '', name = '', shortName = null } = first?.road ?? {};
  const boxes = parts.flatMap(({ box }) => (box === null ? [] : [box]));
  return {
    ...{ id: roadId, href: `${base}/navngivneveje/${roadId}`, darstatus: null, navn: name },
    ...{ adresseringsnavn: shortName ?? name, administrerendekommune: null },
    ...{ retskrivningskontrol: null, udtaltvejnavn: null, visueltcenter: null },
    bbox: bboxOf(around(boxes)),
    historik: { oprettet: null, ændret: null, ikrafttrædelse: null, nedlagt: null },
    vejstykker: parts.map(({ road: { municipalityCode: kommunekode, roadCode: kode } }) => ({
      href: kode === null ? null : `${base}/vejstykker/${kommunekode}/${kode}`,
      ...{ kommunekode, kode, id: null, darstatus: null },
    })),
    postnumre: postMembers(base, parts),
    beliggenhed: null,
  };
}

/** Which of its municipalities administers a road is not known; the text names the first. */
function wholeLabel([first]: readonly ListedRoad[], names: Municipalities): string {
  const { name = '', municipalityCode = '' } = first?.road ?? {};
  return `${name}, ${names.get(municipalityCode) ?? municipalityCode} Kommune`;
}

function wholeBrief(base: string, [first]: readonly ListedRoad[]): Record<string, unknown> {
  const { roadId = '', name = '', shortName = null } = first?.road ?? {};
  return {
    ...{ id: roadId, darstatus: null, navn: name, adresseringsnavn: shortName ?? name },
    ...{ administrerendekommunekode: null, administrerendekommunenavn: null },
    ...{ visueltcenter_x: null, visueltcenter_y: null },
    href: `${base}/navngivneveje/${roadId}`,
  };
}

function around(boxes: readonly Bounds[]): Bounds | null {
  const side = (at: 0 | 1 | 2 | 3, of: (...values: number[]) => number): number =>
    of(...boxes.map((box) => box[at]));
  if (boxes.length === 0) return null;
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

const FIELDS: Fields<ListedRoad> = {
  navn: { kind: 'text', of: ({ road }) => road.name },
  adresseringsnavn: { kind: 'text', of: ({ road }) => road.shortName ?? road.name },
  kommunekode: { kind: 'code', of: ({ road }) => road.municipalityCode },
  postnr: { kind: 'code', of: ({ postcodes }) => postcodes.map(({ code }) => code) },
};
const PART_FIELDS: Fields<ListedRoad> = {
  kode: { kind: 'code', of: ({ road }) => road.roadCode },
  navngivenvej_id: { kind: 'uuid', of: ({ road }) => road.roadId },
};
const WHOLE_FIELDS: Fields<ListedRoad> = {
  id: { kind: 'uuid', of: ({ road }) => road.roadId },
};

const readFilter =
  (own: Fields<ListedRoad> = {}) =>
  ({ params }: Asked) => {
    const fields = { ...FIELDS, ...own };
    const keep = fitsOf(params, fields);
    const names = params.alternatives('navn');
    const isWhole = names.every((name) => name !== null && !name.includes('*'));
    return {
      filter: {
        ...{ ...ANY, keep, municipalityCodes: params.codes('kommunekode') },
        postcodes: params.codes('postnr'),
        roadNames: isWhole ? names.flatMap((name) => name ?? []) : [],
      },
      text: params.search(LIMITS.addressTextChars.max),
      isBeyondSearch: isBeyond(params, fields, ['kommunekode', 'postnr']),
      page: pageOf(params),
    };
  };

async function sought(
  lookups: DoorLookups,
  { filter, text, isBeyondSearch, page }: ReturnType<ReturnType<typeof readFilter>>,
): Promise<RoadsFound> {
  const { search, listing } = lookups.addresses;
  if (text === null) return await found(lookups, listing.roads({ ...filter, ...page }));
  const { municipalityCodes, postcodes } = filter;
  const { max } = DAWA_LIMITS.suggestions;
  const limit = isBeyondSearch ? max : Math.min(page.skip + page.take, max);
  const asked = { ...NO_FILTER, text, caret: text.length, depth: 'road', limit } as const;
  const { value, ...facts } = search.suggest({ ...asked, municipalityCodes, postcodes });
  if (isBeyondSearch && value.length >= max) throw badParameter('q', `more than ${max} roads`);
  const all = value.flatMap(({ road }) => {
    const own = { ...filter, roadNames: [road.name], skip: 0, take: DAWA_LIMITS.rows };
    return listing.roads(own).value;
  });
  return await found(lookups, { ...facts, value: all.slice(page.skip, page.skip + page.take) });
}

function grouped(
  roads: readonly ListedRoad[],
  keyOf: (road: ListedRoad['road']) => string,
): readonly (readonly ListedRoad[])[] {
  return [...Map.groupBy(roads, ({ road }) => keyOf(road)).values()];
}

function suggestions(
  add: AddRoute,
  lookups: DoorLookups,
  [path, own, nestetOf]: readonly [
    path: string,
    own: Fields<ListedRoad>,
    nestetOf: (around: Around, found: RoadsFound) => readonly Record<string, unknown>[],
  ],
): void {
  add(`${path}/autocomplete`, {
    ...{ ...PAGE, operation: 'adresseAutocomplete', read: readFilter(own) },
    answer: async (question, around) => {
      if (question.text === null) throw badParameter('q', 'missing');
      const all = await sought(lookups, question);
      const limit = Math.min(question.page.take, DAWA_LIMITS.suggestions.max);
      const rows = nestetOf(around, all).slice(0, question.page.isWhole ? 20 : limit);
      const shape = { nestet: (row: Record<string, unknown>) => row };
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, facts: all.facts, shape, units };
    },
  });
}

function nameDoor(add: AddRoute, lookups: DoorLookups): void {
  const { listing } = lookups.addresses;
  add('/vejnavne', {
    ...{ ...PAGE, read: readFilter() },
    answer: async (question, { base }) => {
      const { facts, roads, municipalities } = await sought(lookups, question);
      const rows = pageShown(
        grouped(roads, ({ name }) => name),
        question.page,
      );
      const nestet = (row: readonly ListedRoad[]) => nameMembers(base, row, municipalities);
      const flad = (row: readonly ListedRoad[]) => ({ navn: row[0]?.road.name ?? null });
      const mini = ([first]: readonly ListedRoad[]) => {
        const navn = first?.road.name ?? '';
        return { ...nameBrief(base, navn), betegnelse: navn };
      };
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: { nestet, flad, mini }, units };
    },
  });
  suggestions(add, lookups, [
    '/vejnavne',
    {},
    ({ base }, { roads }) =>
      grouped(roads, ({ name }) => name).map(([first]) => {
        const navn = first?.road.name ?? '';
        return { tekst: navn, vejnavn: nameBrief(base, navn) };
      }),
  ]);
  add('/vejnavne/:navn', {
    ...{ ...PAGE, read: ({ path: { navn = '' } }) => navn },
    answer: async (name, { base }) => {
      const asked = listing.roads({ ...ANY, roadNames: [name], skip: 0, take: DAWA_LIMITS.rows });
      const { facts, roads, municipalities } = await found(lookups, asked);
      if (roads.length === 0) throw new Failure('not_found');
      const nestet = (row: readonly ListedRoad[]) => nameMembers(base, row, municipalities);
      return { kind: 'one', rows: [roads], facts, shape: { nestet }, units: 1 };
    },
  });
}

function partDoor(add: AddRoute, lookups: DoorLookups): void {
  const { listing } = lookups.addresses;
  add('/vejstykker', {
    ...{ ...PAGE, read: readFilter(PART_FIELDS) },
    answer: async (question, { base }) => {
      const { facts, roads, municipalities } = await sought(lookups, question);
      const nestet = (row: ListedRoad) => partMembers(base, row, municipalities);
      const flad = (row: ListedRoad) => partFlat(row, municipalities);
      const rows = pageShown(roads, question.page);
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: { nestet, flad }, units };
    },
  });
  suggestions(add, lookups, [
    '/vejstykker',
    PART_FIELDS,
    ({ base }, { roads }) =>
      roads.map((listed) => {
        const { municipalityCode: kommunekode, roadCode: kode, name: navn } = listed.road;
        return {
          tekst: navn,
          vejstykke: { href: partHref(base, listed), kommunekode, kode, navn },
        };
      }),
  ]);
  add('/vejstykker/:kommunekode/:kode', {
    ...PAGE,
    read: ({ path: { kommunekode = '', kode = '' } }) => ({
      municipalityCodes: [pathCode('kommunekode', kommunekode)],
      roadCodes: [pathCode('kode', kode)],
    }),
    answer: async (codes, { base }) => {
      const asked = listing.roads({ ...ANY, ...codes, skip: 0, take: 1 });
      const { facts, roads, municipalities } = await found(lookups, asked);
      if (roads.length === 0) throw new Failure('not_found');
      const nestet = (row: ListedRoad) => partMembers(base, row, municipalities);
      const flad = (row: ListedRoad) => partFlat(row, municipalities);
      return { kind: 'one', rows: roads, facts, shape: { nestet, flad }, units: 1 };
    },
  });
}

function wholeDoor(add: AddRoute, lookups: DoorLookups): void {
  const { listing } = lookups.addresses;
  add('/navngivneveje', {
    ...{ ...PAGE, read: readFilter(WHOLE_FIELDS) },
    answer: async (question, { base }) => {
      const { facts, roads, municipalities } = await sought(lookups, question);
      const rows = pageShown(
        grouped(roads, ({ roadId }) => roadId),
        question.page,
      );
      const nestet = (row: readonly ListedRoad[]) => wholeMembers(base, row);
      const mini = (row: readonly ListedRoad[]) => ({
        ...wholeBrief(base, row),
        betegnelse: wholeLabel(row, municipalities),
      });
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: { nestet, mini }, units };
    },
  });
  suggestions(add, lookups, [
    '/navngivneveje',
    WHOLE_FIELDS,
    ({ base }, { roads, municipalities }) =>
      grouped(roads, ({ roadId }) => roadId).map((parts) => ({
        tekst: wholeLabel(parts, municipalities),
        navngivenvej: wholeBrief(base, parts),
      })),
  ]);
  add('/navngivneveje/:id', {
    ...{ ...PAGE, read: ({ path: { id = '' } }) => pathUuid('id', id) },
    answer: (roadId, { base }) => {
      const { value, ...facts } = listing.roads({
        ...ANY,
        roadId,
        skip: 0,
        take: DAWA_LIMITS.rows,
      });
      if (value.length === 0) throw new Failure('not_found');
      const nestet = (row: readonly ListedRoad[]) => wholeMembers(base, row);
      return { kind: 'one', rows: [value], facts, shape: { nestet }, units: 1 };
    },
  });
}

export function roadDoor(add: AddRoute, lookups: DoorLookups): void {
  nameDoor(add, lookups);
  partDoor(add, lookups);
  wholeDoor(add, lookups);
}
