import { bboxOf, pairOf } from '../../answers/in-system.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { placesOf, theOnly, wholes, withGeometries } from '../../registers/places/wanted.ts';
import type { PlacesWanted } from '../../registers/places/wanted.ts';
import { noMunicipalities } from '../../registers/places/lookup.ts';
import type { NamedPlace, PlaceTypeFound } from '../../registers/places/places.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond, filtersBy } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import { linkTo, memberOf, members, readersOf } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { pathUuid, uuidAsked } from './params.ts';
import { pageOf } from './pages.ts';
import type { PageAsked } from './pages.ts';
import { addOne, addResource, writtenBy } from './resources.ts';
import type { Resource, Written } from './resources.ts';
import { aroundAsked } from './places-asked.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

interface NameRow {
  readonly place: NamedPlace;
  readonly name: NamedPlace['spellings'][number];
  readonly geometry?: string;
}

const RULE = { operation: 'stednavne', area: 'stednavne' } as const;
const CHANGES = 'ændret geo_ændret geo_version';

const propertiesOf = ({ mainType, inhabitants }: NamedPlace, isWhole: boolean) =>
  mainType === 'Bebyggelse'
    ? { bebyggelseskode: null, ...(isWhole && { indbyggerantal: inhabitants }) }
    : {};

const PLACE: Readers<NamedPlace> = {
  ...{ id: (place) => place.id, hovedtype: (place) => place.mainType },
  ...{ undertype: (place) => place.subtype, indbyggerantal: (place) => place.inhabitants },
  primærtnavn: ({ spellings }) => spellings[0]?.name,
  primærnavnestatus: ({ spellings }) => spellings[0]?.status,
  href: ({ id }, { base }) => `${base}/steder/${id}`,
  egenskaber: (place) => propertiesOf(place, true),
  visueltcenter: ({ position }, { format }) => pairOf(position, format.srid),
  visueltcenter_x: ({ position }, { format }) => pairOf(position, format.srid)[0],
  visueltcenter_y: ({ position }, { format }) => pairOf(position, format.srid)[1],
  /** null for a point. */
  bbox: ({ boundsM }, { format }) =>
    boundsM[0] === boundsM[2] && boundsM[1] === boundsM[3] ? null : bboxOf(boundsM, format),
  kommuner: ({ municipalities }, place) =>
    municipalities?.map(({ code, name }) => linkTo(place, 'kommuner', code, name)),
  kommunekode: ({ municipalities }) => {
    // An empty list would read as no municipality.
    if (municipalities === null) throw noMunicipalities();
    return municipalities.map(({ code }) => code);
  },
  sekundærenavne: ({ spellings }) =>
    spellings.slice(1).map(({ name: navn, status: navnestatus }) => ({ navn, navnestatus })),
};

const placeOf = ({ place }: NameRow): NamedPlace => place;

const label = ({ place, name }: NameRow): string => {
  const type = (place.subtype ?? place.mainType).toLocaleLowerCase('da');
  return `${name.name} (${type})`;
};

const NESTED = `id hovedtype undertype primærtnavn primærnavnestatus ${CHANGES} href egenskaber
  visueltcenter bbox kommuner sekundærenavne`;
const FLAT = `id hovedtype undertype indbyggerantal bebyggelseskode ${CHANGES}`;
const ENDS = 'visueltcenter_x visueltcenter_y brofast';
/** The fields of the older resource. */
const ELDER = `id hovedtype undertype navn navnestatus ${CHANGES} href egenskaber visueltcenter
  kommuner`;
const BUILT = `id type navn kode ${CHANGES} href`;

const NAME: Readers<NameRow> = {
  ...{ ...readersOf(placeOf, PLACE), ...readersOf(placeOf, PLACE, 'sted_') },
  ...{ betegnelse: label, tekst: label, navn: ({ name }) => name.name },
  navnestatus: ({ name }) => name.status,
  brugsprioritet: ({ name }) => name.priority,
  type: ({ place }) => place.subtype,
  geometry: ({ geometry = 'null' }) => geometry,
  sted: memberOf(placeOf, PLACE, NESTED),
};

interface Kind {
  readonly path: string;
  readonly fields: Fields<NameRow>;
  readonly written: Written<NameRow>;
  /** One row per spelling when names are requested. */
  readonly isOfNames?: boolean;
  readonly mainType?: string;
}

const TYPED = 'hovedtype:text undertype:text kommunekode:code';
const SPELLED = 'navn navnestatus brugsprioritet';

const hrefTo =
  (path: string): Readers<NameRow>[string] =>
  ({ place }, { base }) =>
    `${base}/${path}/${place.id}`;

const SPELLING: Readers<NameRow> = {
  ...NAME,
  href: (row, place) =>
    `${String(hrefTo('stednavne2')(row, place))}/${encodeURIComponent(row.name.name)}`,
};

const KINDS: readonly Kind[] = [
  {
    path: '/stednavne2',
    isOfNames: true,
    fields: filtersBy(NAME, `${TYPED} navn:text navnestatus:text sted_id:uuid brugsprioritet:text`),
    written: writtenBy(
      { ...SPELLING, stednavn: members(SPELLING, `${SPELLED} href sted`) },
      {
        nestet: `${SPELLED} href sted`,
        flad: `${SPELLED} sted_id sted_hovedtype sted_undertype sted_visueltcenter_x
          sted_visueltcenter_y`,
        suggest: 'tekst stednavn',
      },
    ),
  },
  {
    path: '/steder',
    fields: filtersBy(
      NAME,
      `${TYPED} id:uuid primærtnavn:text:navn primærnavnestatus:text:navnestatus`,
    ),
    written: writtenBy(NAME, {
      nestet: NESTED,
      flad: `${FLAT} primærtnavn primærnavnestatus ${ENDS}`,
      mini: `${FLAT} primærtnavn primærnavnestatus ${ENDS} betegnelse`,
    }),
  },
  {
    path: '/stednavne',
    fields: filtersBy(NAME, `${TYPED} id:uuid navn:text navnestatus:text`),
    written: writtenBy(
      {
        ...{ ...NAME, href: hrefTo('stednavne') },
        egenskaber: ({ place }) => propertiesOf(place, false),
      },
      {
        nestet: ELDER,
        ...{ flad: `${FLAT} ${ENDS} navn navnestatus`, suggest: ELDER },
      },
    ),
  },
  {
    path: '/bebyggelser',
    mainType: 'Bebyggelse',
    fields: filtersBy(NAME, 'id:uuid navn:text type:text'),
    written: writtenBy(
      { ...NAME, href: hrefTo('bebyggelser') },
      { nestet: BUILT, flad: BUILT, mini: BUILT },
    ),
  },
];

interface Question extends PlacesWanted {
  readonly fits: Fits<NameRow> | null;
  readonly isByName: boolean;
  readonly page: ReturnType<typeof pageOf>;
}

const TYPES = ['undertype', 'type', 'hovedtype'];

function readList(
  { fields, isOfNames = false, mainType }: Kind,
  { params, format }: Asked,
): Question {
  const [fits, page] = [fitsOf(params, fields), pageOf(params)];
  const given = (...all: readonly string[]): readonly (string | null)[] =>
    all.flatMap((name) => (name in fields ? params.alternatives(name) : []));
  const text = params.search(LIMITS.addressTextChars.max);
  const ids = given('id', 'sted_id').map((each) => uuidAsked('id', each ?? ''));
  if (text !== null && ids.length > 0) throw badParameter('q', 'not beside id');
  const typed = TYPES.find((name) => wholes(given(name)).length === 1) ?? '';
  const mains = mainType?.split(' ') ?? wholes(given('hovedtype'));
  const [type = theOnly(mains)] = wholes(given(typed));
  return {
    text: text ?? theOnly(given('navn', 'primærtnavn')),
    type,
    circle: aroundAsked(params, format),
    ...{ ids, fits },
    isByName: isOfNames && given('navn', 'brugsprioritet', 'navnestatus').length > 0,
    isSearch: text !== null && !isBeyond(params, fields, ['kommunekode', typed]),
    isNarrow:
      !isBeyond(params, fields, ['kommunekode', ...TYPES]) &&
      wholes(given(...TYPES)).length === given(...TYPES).length,
    mainTypes: mains,
    subtypes: wholes(given('undertype', 'type')),
    municipalityCodes: 'kommunekode' in fields ? params.codes('kommunekode') : [],
    ...{ page, end: page.skip + page.take },
  };
}

function addKind(add: AddRoute, lookups: DoorLookups, kind: Kind): void {
  const { path, written, mainType, isOfNames = false } = kind;
  const resource: Resource<Question, NameRow> = {
    ...{ ...written, path, rule: RULE, coverage: lookups.placesCoverage },
    read: (asked) => readList(kind, asked),
    find: async (question) => {
      const { value, ...facts } = await placesOf(lookups.places, question, badParameter);
      const { fits, isByName } = question;
      const all = value.flatMap((place) =>
        place.spellings.slice(0, isByName ? Infinity : 1).map((name) => ({ place, name })),
      );
      return { facts, rows: fits === null ? all : all.filter(fits) };
    },
    prepare: async (rows, { format: { format, srid } }) =>
      format === 'geojson' ? await withGeometries(lookups.places, rows, srid) : rows,
  };
  addResource(add, resource);
  for (const names of isOfNames ? [':id', ':id/:navn'] : [':id']) {
    const one = [
      names,
      ({ path: { id: own = '', navn } }: Asked) => ({ id: pathUuid('id', own), navn }),
      async ({ id: own, navn }: { readonly id: string; readonly navn: string | undefined }) => {
        const { value, ...facts } = await lookups.places.find(own);
        const { place } = value;
        const isOther = mainType !== undefined && place.mainType !== mainType;
        const name = place.spellings.find((each) => each.name === navn) ?? place.spellings[0];
        return { facts, rows: name === undefined || isOther ? [] : [{ place, name }] };
      },
    ] as const;
    addOne(add, resource, one, 'sted');
  }
}

function typeDoor(add: AddRoute, { places, placesCoverage }: DoorLookups): void {
  const found = (fits: Fits<PlaceTypeFound>) => {
    const { value, ...facts } = places.types();
    return { facts, rows: value.filter(fits) };
  };
  const resource: Resource<{ page: PageAsked; fits: Fits<PlaceTypeFound> | null }, PlaceTypeFound> =
    {
      ...{ path: '/stednavntyper', rule: RULE, coverage: placesCoverage },
      read: ({ params }) => ({
        page: pageOf(params),
        fits: fitsOf<PlaceTypeFound>(params, {
          hovedtype: { kind: 'text', of: ({ mainType }) => mainType },
        }),
      }),
      find: ({ fits }) => found(fits ?? (() => true)),
      ...writtenBy<PlaceTypeFound>(
        {
          href: ({ mainType }, { base }) => `${base}/stednavntyper/${encodeURIComponent(mainType)}`,
          ...{ hovedtype: (row) => row.mainType, undertyper: (row) => row.subtypes },
        },
        { nestet: 'href hovedtype undertyper' },
      ),
    };
  addResource(add, resource);
  addOne(add, resource, [
    ':hovedtype',
    ({ path: { hovedtype = '' } }) => hovedtype,
    (asked) => found(({ mainType }) => mainType === asked),
  ]);
}

export function placeNameDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) addKind(add, lookups, kind);
  typeDoor(add, lookups);
}
