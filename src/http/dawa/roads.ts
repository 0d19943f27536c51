/** `/vejnavne`, `/vejstykker`, `/navngivneveje`. */
import { bboxOf } from '../../answers/in-system.ts';
import { boundsAround } from '../../geo/bounds.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { NO_FILTER } from '../../registers/addresses/addresses.ts';
import type { ListedRoad, RoadFilter } from '../../registers/addresses/addresses.ts';
import { relationsOf } from '../../registers/addresses/road-postcodes.ts';
import type { Relation } from '../../registers/addresses/road-postcodes.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { unpadded } from './codes.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Shape } from '../wire/row-formats.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pageOf } from './pages.ts';
import { pathCode, pathUuid } from './paths.ts';
import { addOne, addResource } from './resources.ts';
import type { Names, Resource } from './resources.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;
const ANY = {
  ...{ municipalityCodes: [], postcodes: [], roadCodes: [], roadNames: [], roadId: null },
  keep: null,
} satisfies RoadFilter & { readonly keep: null };

type Municipalities = Names;

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

/** Each once, by number. */
export const postMembers = (
  base: string,
  rows: readonly Pick<ListedRoad, 'postcodes'>[],
): readonly object[] => {
  const posts = new Map(
    rows.flatMap(({ postcodes }) => postcodes.map((each) => [each.code, each.name])),
  );
  return [...posts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([nr, navn]) => ({ href: `${base}/postnumre/${nr}`, nr, navn }));
};

export const municipalityMember = (base: string, kode: string, names: Municipalities): object => ({
  ...{ href: `${base}/kommuner/${kode}`, kode, navn: names.get(kode) ?? null },
});

function partMembers({ base, format }: Around, listed: ListedRoad, names: Municipalities) {
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
    ...{ bbox: bboxOf(box, format), visueltcenter: null },
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

function wholeMembers({ base, format }: Around, parts: readonly ListedRoad[]) {
  const [first] = parts;
  const { roadId = '', name = '', shortName = null } = first?.road ?? {};
  const boxes = parts.flatMap(({ box }) => (box === null ? [] : [box]));
  return {
    ...{ id: roadId, href: `${base}/navngivneveje/${roadId}`, darstatus: null, navn: name },
    ...{ adresseringsnavn: shortName ?? name, administrerendekommune: null },
    ...{ retskrivningskontrol: null, udtaltvejnavn: null, visueltcenter: null },
    bbox: bboxOf(boundsAround(boxes), format),
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
const RELATION_FIELDS: Fields<ListedRoad> = {
  vejnavn: { kind: 'text', of: ({ road }) => road.name },
};

const readFilter =
  (own: Fields<ListedRoad> = {}) =>
  ({ params }: Asked) => {
    const fields = { ...FIELDS, ...own };
    const keep = fitsOf(params, fields);
    const names = ['navn', 'vejnavn'].flatMap((name) => params.alternatives(name));
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

/** All that fit. Throws where a search finds more than it may. */
async function sought(
  lookups: DoorLookups,
  { filter, text, isBeyondSearch, page }: ReturnType<ReturnType<typeof readFilter>>,
): Promise<RoadsFound> {
  const { search, listing } = lookups.addresses;
  const all = { skip: 0, take: Infinity };
  if (text === null) return await found(lookups, listing.roads({ ...filter, ...all }));
  const { municipalityCodes, postcodes } = filter;
  const { rows: most } = DAWA_LIMITS;
  const limit = isBeyondSearch ? most : Math.min(page.skip + page.take, most);
  const asked = { ...NO_FILTER, text, caret: text.length, depth: 'road', limit } as const;
  const { value, ...facts } = search.suggest({ ...asked, municipalityCodes, postcodes });
  const isCut = isBeyondSearch || page.skip + page.take > most;
  if (isCut && value.length >= most) throw badParameter('q', `more than ${most} roads`);
  const names = [...new Set(value.map(({ road }) => road.name))];
  const roads = names.flatMap((name) => {
    return listing.roads({ ...filter, roadNames: [name], ...all }).value;
  });
  return await found(lookups, { ...facts, value: roads });
}

const grouped =
  (keyOf: (road: ListedRoad['road']) => string) =>
  (roads: readonly ListedRoad[]): readonly (readonly ListedRoad[])[] => [
    ...Map.groupBy(roads, ({ road }) => keyOf(road)).values(),
  ];

const relationText = ({ name, post }: Relation): string => `${name}, ${post.code} ${post.name}`;

const relationHref = (base: string, { name, post }: Relation): string =>
  `${base}/vejnavnpostnummerrelationer/${post.code}/${encodeURIComponent(name)}`;

function relationBrief(base: string, row: Relation): Record<string, unknown> {
  const { name, post } = row;
  return {
    ...{ vejnavn: name, postnr: post.code, postnrnavn: post.name },
    ...{ visueltcenter_x: null, visueltcenter_y: null, href: relationHref(base, row) },
  };
}

/** A resource made of roads. */
interface Kind<R> {
  readonly path: string;
  readonly fields: Fields<ListedRoad>;
  readonly rowsOf: (roads: readonly ListedRoad[]) => readonly R[];
  readonly shape: (around: Around, names: Municipalities) => Shape<R>;
  readonly suggest: (around: Around, names: Municipalities) => (row: R) => Record<string, unknown>;
}

const NAMES: Kind<readonly ListedRoad[]> = {
  path: '/vejnavne',
  fields: {},
  rowsOf: grouped(({ name }) => name),
  shape: ({ base }, names) => ({
    nestet: (row) => nameMembers(base, row, names),
    flad: ([first]) => ({ navn: first?.road.name ?? null }),
    mini: ([first]) => {
      const navn = first?.road.name ?? '';
      return { ...nameBrief(base, navn), betegnelse: navn };
    },
  }),
  suggest:
    ({ base }) =>
    ([first]) => {
      const navn = first?.road.name ?? '';
      return { tekst: navn, vejnavn: nameBrief(base, navn) };
    },
};

const PARTS: Kind<ListedRoad> = {
  path: '/vejstykker',
  fields: PART_FIELDS,
  rowsOf: (roads) => roads,
  shape: (around, names) => ({
    nestet: (row) => partMembers(around, row, names),
    flad: (row) => partFlat(row, names),
    label: ({ road }) =>
      `${road.name}, ${names.get(road.municipalityCode) ?? road.municipalityCode} Kommune`,
  }),
  suggest:
    ({ base }) =>
    (listed) => {
      const { municipalityCode: kommunekode, roadCode: kode, name: navn } = listed.road;
      return { tekst: navn, vejstykke: { href: partHref(base, listed), kommunekode, kode, navn } };
    },
};

const WHOLES: Kind<readonly ListedRoad[]> = {
  path: '/navngivneveje',
  fields: WHOLE_FIELDS,
  rowsOf: grouped(({ roadId }) => roadId),
  shape: (around, names) => ({
    nestet: (row) => wholeMembers(around, row),
    flad: (row) => {
      const { href, ...values } = wholeBrief(around.base, row);
      void href;
      return values;
    },
    mini: (row) => ({ ...wholeBrief(around.base, row), betegnelse: wholeLabel(row, names) }),
  }),
  suggest:
    ({ base }, names) =>
    (parts) => ({
      tekst: wholeLabel(parts, names),
      navngivenvej: wholeBrief(base, parts),
    }),
};

const RELATIONS: Kind<Relation> = {
  path: '/vejnavnpostnummerrelationer',
  fields: RELATION_FIELDS,
  rowsOf: relationsOf,
  shape: ({ base }, names) => ({
    nestet: (row) => ({
      ...{ betegnelse: relationText(row), href: relationHref(base, row), vejnavn: row.name },
      postnummer: {
        href: `${base}/postnumre/${row.post.code}`,
        nr: row.post.code,
        navn: row.post.name,
      },
      ...{ bbox: null, visueltcenter: null },
      kommuner: [...row.municipalityCodes].map((code) => municipalityMember(base, code, names)),
    }),
    flad: (row) => {
      const { href, ...values } = relationBrief(base, row);
      void href;
      return { betegnelse: relationText(row), ...values };
    },
    mini: (row) => ({ ...relationBrief(base, row), betegnelse: relationText(row) }),
  }),
  suggest:
    ({ base }) =>
    (row) => ({
      tekst: relationText(row),
      vejnavnpostnummerrelation: relationBrief(base, row),
    }),
};

type Question = ReturnType<ReturnType<typeof readFilter>>;

const resourceOf = <R>(lookups: DoorLookups, kind: Kind<R>): Resource<Question, R> => ({
  ...{ ...kind, rule: PAGE, coverage: lookups.coverage, read: readFilter(kind.fields) },
  find: async (question) => {
    const { facts, roads, municipalities: names } = await sought(lookups, question);
    return { facts, names, rows: kind.rowsOf(roads) };
  },
});

/** With the row of what the path names. */
function addKind<R>(
  add: AddRoute,
  lookups: DoorLookups,
  kind: Kind<R>,
  [names, read]: readonly [string, (path: Asked['path']) => Partial<RoadFilter>],
): void {
  const resource = resourceOf(lookups, kind);
  addResource(add, resource);
  addOne(add, resource, [
    names,
    ({ path }) => read(path),
    async (own) => {
      const asked = lookups.addresses.listing.roads({ ...ANY, ...own, skip: 0, take: Infinity });
      const { facts, roads, municipalities } = await found(lookups, asked);
      const isOwn = (row: R): boolean =>
        own.postcodes === undefined || (row as Relation).post.code === own.postcodes[0];
      return { facts, names: municipalities, rows: kind.rowsOf(roads).filter(isOwn) };
    },
  ]);
}

export function roadDoor(add: AddRoute, lookups: DoorLookups): void {
  addKind(add, lookups, NAMES, [':navn', ({ navn = '' }) => ({ roadNames: [navn] })]);
  addKind(add, lookups, WHOLES, [':id', ({ id = '' }) => ({ roadId: pathUuid('id', id) })]);
  addKind(add, lookups, PARTS, [
    ':kommunekode/:kode',
    ({ kommunekode = '', kode = '' }) => ({
      municipalityCodes: [pathCode('kommunekode', kommunekode)],
      roadCodes: [pathCode('kode', kode)],
    }),
  ]);
  addKind(add, lookups, RELATIONS, [
    ':postnr/:vejnavn',
    ({ postnr = '', vejnavn = '' }) => ({
      postcodes: [pathCode('postnr', postnr)],
      roadNames: [vejnavn],
    }),
  ]);
}
