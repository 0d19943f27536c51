import { bboxOf } from '../../answers/in-system.ts';
import { boundsAround } from '../../geo/bounds.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { ListedRoad, RoadFilter } from '../../registers/addresses/addresses.ts';
import { foundRoads } from '../../registers/addresses/narrowed.ts';
import { relationsOf } from '../../registers/addresses/road-postcodes.ts';
import type { Relation } from '../../registers/addresses/road-postcodes.ts';
import { withMunicipalities } from '../../registers/areas/rows.ts';
import { unpadded } from './codes.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond, filtersBy } from './filters.ts';
import type { Fields } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { linkTo, members, readersOf } from '../wire/row-members.ts';
import type { Place, Readers } from '../wire/row-members.ts';
import { pageOf } from './pages.ts';
import { pathCode, pathUuid } from './params.ts';
import { addOne, addResource, writtenBy } from './resources.ts';
import type { Resource, Written } from './resources.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;
const ANY = {
  ...{ municipalityCodes: [], postcodes: [], roadCodes: [], roadNames: [], roadId: null },
  keep: null,
} satisfies RoadFilter & { readonly keep: null };
const ALL = { skip: 0, take: Infinity };

type Roads = readonly ListedRoad[];

/** Distinct, by number. */
export function postMembers(
  rows: readonly Pick<ListedRoad, 'postcodes'>[],
  place: Place,
): readonly object[] {
  const all = rows.flatMap(({ postcodes }) => postcodes);
  const posts = new Map(all.map(({ code, name }) => [code, name]));
  return [...posts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([nr, navn]) => ({ href: `${place.base}/postnumre/${nr}`, nr, navn }));
}

/** Distinct, by code. */
export const municipalityMembers = (codes: Iterable<string>, place: Place): readonly object[] =>
  [...new Set(codes)].toSorted().map((code) => municipalityMember(code, place) ?? {});

export const municipalityMember = (code: string | null, place: Place): object | null =>
  linkTo(place, 'kommuner', code, place.names.get(code ?? ''));

const ROAD: Readers<ListedRoad['road']> = {
  navn: ({ name }) => name,
  adresseringsnavn: ({ name, shortName }) => shortName ?? name,
  kommunekode: ({ municipalityCode: code }) => code,
  kommunenavn: ({ municipalityCode: code }, { names }) => names.get(code),
  kommune: ({ municipalityCode: code }, place) => municipalityMember(code, place),
  href: ({ municipalityCode, roadCode }, { base }) =>
    roadCode && `${base}/vejstykker/${unpadded(municipalityCode)}/${unpadded(roadCode)}`,
  navngivenvej: ({ roadId: id }, { base }) => {
    return { href: `${base}/navngivneveje/${id}`, id, darstatus: null };
  },
  /** The administering municipality is unknown; the text names the first. */
  betegnelse: ({ name, municipalityCode: code }, { names }) =>
    `${name}, ${names.get(code) ?? code} Kommune`,
};

interface Kind<R> extends Written<R> {
  readonly path: string;
  readonly fields: Fields<ListedRoad>;
  readonly rowsOf: (roads: Roads) => readonly R[];
}

const grouped =
  (keyOf: (road: ListedRoad['road']) => string) =>
  (roads: Roads): readonly Roads[] => [...Map.groupBy(roads, ({ road }) => keyOf(road)).values()];

const codesOf = (roads: Roads) => roads.map(({ road }) => road.municipalityCode);
const nameOf = ([first]: Roads): string => first?.road.name ?? '';
const nameHref = (roads: Roads, { base }: Place): string =>
  `${base}/vejnavne/${encodeURIComponent(nameOf(roads))}`;

const NAMES: Kind<Roads> = {
  ...{ path: '/vejnavne', fields: {}, rowsOf: grouped(({ name }) => name) },
  ...writtenBy<Roads>(
    {
      ...{ navn: nameOf, betegnelse: nameOf, tekst: nameOf, href: nameHref },
      postnumre: postMembers,
      kommuner: (roads, place) => municipalityMembers(codesOf(roads), place),
      vejnavn: (roads, place) => ({ navn: nameOf(roads), href: nameHref(roads, place) }),
    },
    {
      ...{ nestet: 'href navn postnumre kommuner', flad: 'navn', mini: 'navn href betegnelse' },
      suggest: 'tekst vejnavn',
    },
  ),
};

const PART: Readers<ListedRoad> = {
  ...readersOf(({ road }: ListedRoad) => road, ROAD),
  kode: ({ road }) => road.roadCode,
  navngivenvej_id: ({ road }) => road.roadId,
  postnr: ({ postcodes }) => postcodes.map(({ code }) => code),
  postnumre: (row, place) => postMembers([row], place),
  historik: members({}, 'oprettet ændret nedlagt'),
  bbox: ({ box }, { format }) => bboxOf(box, format),
  tekst: ({ road }) => road.name,
};
const PARTS: Kind<ListedRoad> = {
  ...{ path: '/vejstykker', rowsOf: (roads) => roads },
  fields: filtersBy(PART, 'kode:code navngivenvej_id:uuid'),
  ...writtenBy(
    { ...PART, vejstykke: members(PART, 'href kommunekode kode navn') },
    {
      nestet: `id darstatus href kode navn adresseringsnavn navngivenvej kommune postnumre historik
        bbox visueltcenter`,
      flad: `id kommunekode kode darstatus oprettet ændret nedlagt kommunenavn navn
        adresseringsnavn navngivenvej_id`,
      suggest: 'tekst vejstykke',
    },
  ),
};

const BRIEF_WHOLE = `id darstatus navn adresseringsnavn administrerendekommunekode
  administrerendekommunenavn visueltcenter_x visueltcenter_y`;
const idOf = ([first]: Roads): string => first?.road.roadId ?? '';
const WHOLE: Readers<Roads> = {
  ...readersOf(([first]: Roads) => first?.road, ROAD),
  id: idOf,
  href: (roads, { base }) => `${base}/navngivneveje/${idOf(roads)}`,
  bbox: (roads, { format }) => {
    const boxes = roads.flatMap(({ box }) => (box === null ? [] : [box]));
    return bboxOf(boxes.length === 0 ? null : boundsAround(boxes), format);
  },
  historik: members({}, 'oprettet ændret ikrafttrædelse nedlagt'),
  vejstykker: (roads, { base }) =>
    roads.map(({ road: { municipalityCode: kommunekode, roadCode: kode } }) => ({
      href: kode && `${base}/vejstykker/${kommunekode}/${kode}`,
      ...{ kommunekode, kode, id: null, darstatus: null },
    })),
  postnumre: postMembers,
};
const WHOLES: Kind<Roads> = {
  ...{ path: '/navngivneveje', rowsOf: grouped(({ roadId }) => roadId) },
  fields: { id: { kind: 'uuid', of: ({ road }) => road.roadId } },
  ...writtenBy(
    {
      ...{ ...WHOLE, tekst: WHOLE['betegnelse'] ?? idOf },
      navngivenvej: members(WHOLE, `${BRIEF_WHOLE} href`),
    },
    {
      nestet: `id href darstatus navn adresseringsnavn administrerendekommune retskrivningskontrol
        udtaltvejnavn visueltcenter bbox historik vejstykker postnumre beliggenhed`,
      ...{ flad: BRIEF_WHOLE, mini: `${BRIEF_WHOLE} href betegnelse` },
      suggest: 'tekst navngivenvej',
    },
  ),
};

const BRIEF_RELATION = 'vejnavn postnr postnrnavn visueltcenter_x visueltcenter_y';
const relationText = ({ name, post }: Relation): string => `${name}, ${post.code} ${post.name}`;
const RELATION: Readers<Relation> = {
  ...{ betegnelse: relationText, tekst: relationText, vejnavn: ({ name }) => name },
  href: ({ name, post }, { base }) =>
    `${base}/vejnavnpostnummerrelationer/${post.code}/${encodeURIComponent(name)}`,
  postnummer: ({ post: { code: nr, name: navn } }, { base }) => {
    return { href: `${base}/postnumre/${nr}`, nr, navn };
  },
  postnr: ({ post }) => post.code,
  postnrnavn: ({ post }) => post.name,
  kommuner: ({ municipalityCodes }, place) => municipalityMembers(municipalityCodes, place),
};
const RELATIONS: Kind<Relation> = {
  ...{ path: '/vejnavnpostnummerrelationer', rowsOf: relationsOf },
  fields: { vejnavn: { kind: 'text', of: ({ road }) => road.name } },
  ...writtenBy(
    { ...RELATION, vejnavnpostnummerrelation: members(RELATION, `${BRIEF_RELATION} href`) },
    {
      nestet: 'betegnelse href vejnavn postnummer bbox visueltcenter kommuner',
      flad: `betegnelse ${BRIEF_RELATION}`,
      mini: `${BRIEF_RELATION} href betegnelse`,
      suggest: 'tekst vejnavnpostnummerrelation',
    },
  ),
};

const FIELDS = filtersBy(PART, 'navn:text adresseringsnavn:text kommunekode:code postnr:code');

function readFilter(own: Fields<ListedRoad>, { params }: Asked) {
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
}

type Question = ReturnType<typeof readFilter>;

function addKind<R>(
  add: AddRoute,
  lookups: DoorLookups,
  { rowsOf, fields, ...kind }: Kind<R>,
  [names, read]: readonly [string, (path: Asked['path']) => Partial<RoadFilter>],
): void {
  const resource: Resource<Question, R> = {
    ...{ ...kind, rule: PAGE, coverage: lookups.coverage },
    read: (asked) => readFilter(fields, asked),
    find: (question) => {
      const limits = { ...DAWA_LIMITS, refused: badParameter };
      return withMunicipalities(lookups, foundRoads(lookups.addresses, question, limits), rowsOf);
    },
  };
  addResource(add, resource);
  addOne(add, resource, [
    names,
    ({ path }) => read(path),
    (own) => {
      const asked = lookups.addresses.listing.roads({ ...ANY, ...own, ...ALL });
      const isOwn = (row: R): boolean =>
        own.postcodes === undefined || (row as Relation).post.code === own.postcodes[0];
      return withMunicipalities(lookups, asked, (roads) => rowsOf(roads).filter(isOwn));
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
