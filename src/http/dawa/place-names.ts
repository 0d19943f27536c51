/** `/steder`, `/stednavne2`, `/stednavne`, `/bebyggelser` and `/stednavntyper`. */
import { bboxOf, pairOf } from '../../answers/in-system.ts';
import { geometryJson } from '../../geo/rings-text.ts';
import { upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { placesOf, theOnly, wholes } from '../../registers/places/wanted.ts';
import type { PlacesWanted } from '../../registers/places/wanted.ts';
import { noMunicipalities } from '../../registers/places/lookup.ts';
import type { NamedPlace, PlaceTypeFound } from '../../registers/places/places.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import type { Shape } from '../wire/row-formats.ts';
import { pathUuid, uuidOf } from './paths.ts';
import { pageOf } from './pages.ts';
import type { PageAsked } from './pages.ts';
import { addOne, addResource } from './resources.ts';
import type { Resource } from './resources.ts';
import { pointOf } from './places-asked.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

interface NameRow {
  readonly place: NamedPlace;
  readonly name: NamedPlace['spellings'][number];
  /** GeoJSON. */
  readonly geometry?: string;
}

type Values = Record<string, unknown>;

const NO_CHANGES = { ændret: null, geo_ændret: null, geo_version: null };
const RULE = { operation: 'stednavne', area: 'stednavne' } as const;

const municipalitiesOf = (base: string, { municipalities }: NamedPlace) =>
  municipalities?.map(({ code: kode, name: navn }) => ({
    ...{ href: `${base}/kommuner/${kode}`, kode, navn },
  })) ?? null;

function propertiesOf({ mainType, inhabitants }: NamedPlace): Values {
  return mainType === 'Bebyggelse' ? { bebyggelseskode: null, indbyggerantal: inhabitants } : {};
}

/** A point has no box. */
const boxOf = ({ format }: Around, { boundsM }: NamedPlace) =>
  boundsM[0] === boundsM[2] && boundsM[1] === boundsM[3] ? null : bboxOf(boundsM, format);

function placeMembers(around: Around, place: NamedPlace): Values {
  const { id, position, mainType, subtype } = place;
  const [first, ...others] = place.spellings;
  const { base, format } = around;
  return {
    ...{ id, hovedtype: mainType, undertype: subtype, primærtnavn: first?.name ?? null },
    ...{ primærnavnestatus: first?.status ?? null, ...NO_CHANGES, href: `${base}/steder/${id}` },
    egenskaber: propertiesOf(place),
    visueltcenter: pairOf(position, format.srid),
    ...{ bbox: boxOf(around, place), kommuner: municipalitiesOf(base, place) },
    sekundærenavne: others.map(({ name: navn, status: navnestatus }) => ({ navn, navnestatus })),
  };
}

function placeFlat({ format }: Around, place: NamedPlace): Values {
  const { id, mainType, subtype, spellings, inhabitants, position } = place;
  const [x, y] = pairOf(position, format.srid);
  return {
    ...{ id, hovedtype: mainType, undertype: subtype, indbyggerantal: inhabitants },
    ...{ bebyggelseskode: null, ...NO_CHANGES, primærtnavn: spellings[0]?.name ?? null },
    ...{ primærnavnestatus: spellings[0]?.status ?? null, visueltcenter_x: x, visueltcenter_y: y },
    brofast: null,
  };
}

function labelOf({ place, name }: NameRow): string {
  const type = (place.subtype ?? place.mainType).toLocaleLowerCase('da');
  return `${name.name} (${type})`;
}

function nameMembers(around: Around, { place, name }: NameRow): Values {
  return {
    ...{ navn: name.name, navnestatus: name.status, brugsprioritet: name.priority },
    href: `${around.base}/stednavne2/${place.id}/${encodeURIComponent(name.name)}`,
    sted: placeMembers(around, place),
  };
}

/** As the elder resource told a place. */
function elderMembers({ base, format }: Around, { place, name }: NameRow): Values {
  const { id, mainType, subtype, position } = place;
  const { indbyggerantal, ...properties } = propertiesOf(place);
  void indbyggerantal;
  return {
    ...{ id, hovedtype: mainType, undertype: subtype, navn: name.name, navnestatus: name.status },
    ...{ ...NO_CHANGES, href: `${base}/stednavne/${id}`, egenskaber: properties },
    visueltcenter: pairOf(position, format.srid),
    kommuner: municipalitiesOf(base, place),
  };
}

function builtMembers({ base }: Around, { place, name }: NameRow): Values {
  const { id, subtype: type } = place;
  const href = `${base}/bebyggelser/${id}`;
  return { id, type, navn: name.name, kode: null, ...NO_CHANGES, href };
}

const status: Fields<NameRow> = {
  hovedtype: { kind: 'text', of: ({ place }) => place.mainType },
  undertype: { kind: 'text', of: ({ place }) => place.subtype },
  kommunekode: {
    kind: 'code',
    of: ({ place }) => {
      // An empty list would say that the place lies in no municipality.
      if (place.municipalities === null) throw noMunicipalities();
      return place.municipalities.map(({ code }) => code);
    },
  },
};
const named: Fields<NameRow>[string] = { kind: 'text', of: ({ name }) => name.name };
const nameStatus: Fields<NameRow>[string] = { kind: 'text', of: ({ name }) => name.status };
const id: Fields<NameRow>[string] = { kind: 'uuid', of: ({ place }) => place.id };

interface Kind {
  readonly path: string;
  readonly fields: Fields<NameRow>;
  readonly shape: (around: Around) => Shape<NameRow>;
  /** Each spelling is a row where names are asked for. */
  readonly isOfNames?: boolean;
  readonly mainType?: string;
}

const geometry = ({ geometry: own = 'null' }: NameRow): string => own;

const flatName = ({ format }: Around, { place, name }: NameRow): Values => ({
  ...{ navn: name.name, navnestatus: name.status, brugsprioritet: name.priority },
  ...{ sted_id: place.id, sted_hovedtype: place.mainType, sted_undertype: place.subtype },
  sted_visueltcenter_x: pairOf(place.position, format.srid)[0],
  sted_visueltcenter_y: pairOf(place.position, format.srid)[1],
});

const KINDS: readonly Kind[] = [
  {
    path: '/stednavne2',
    isOfNames: true,
    fields: {
      ...{ ...status, navn: named, navnestatus: nameStatus, sted_id: id },
      brugsprioritet: { kind: 'text', of: ({ name }) => name.priority },
    },
    shape: (around) => ({
      nestet: (row) => nameMembers(around, row),
      ...{ flad: (row) => flatName(around, row), label: labelOf, geometry },
    }),
  },
  {
    path: '/steder',
    fields: { ...status, id, primærtnavn: named, primærnavnestatus: nameStatus },
    shape: (around) => ({
      nestet: ({ place }) => placeMembers(around, place),
      flad: ({ place }) => placeFlat(around, place),
      mini: (row) => ({ ...placeFlat(around, row.place), betegnelse: labelOf(row) }),
      geometry,
    }),
  },
  {
    path: '/stednavne',
    fields: { ...status, id, navn: named, navnestatus: nameStatus },
    shape: (around) => ({
      nestet: (row) => elderMembers(around, row),
      flad: ({ place, name }) => {
        const { primærtnavn, primærnavnestatus, ...values } = placeFlat(around, place);
        void [primærtnavn, primærnavnestatus];
        return { ...values, navn: name.name, navnestatus: name.status };
      },
      ...{ label: labelOf, geometry },
    }),
  },
  {
    path: '/bebyggelser',
    mainType: 'Bebyggelse',
    fields: { id, navn: named, type: { kind: 'text', of: ({ place }) => place.subtype } },
    shape: (around) => ({
      nestet: (row) => builtMembers(around, row),
      ...{ flad: (row) => builtMembers(around, row), geometry },
    }),
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
  const typed = TYPES.find((name) => wholes(given(name)).length === 1) ?? '';
  const mains = mainType?.split(' ') ?? wholes(given('hovedtype'));
  const [type = mains[0] ?? null] = wholes(given(typed));
  return {
    // The search finds whole names first.
    text: text ?? theOnly(given('navn', 'primærtnavn')),
    type,
    point: ['x', 'y'].some((name) => params.has(name)) ? pointOf(params, format) : null,
    ids: given('id', 'sted_id').map((each) => uuidOf('id', each ?? '')),
    fits,
    isByName: isOfNames && given('navn', 'brugsprioritet', 'navnestatus').length > 0,
    isSearch: text !== null && !isBeyond(params, fields, ['kommunekode', typed]),
    isNarrow:
      !isBeyond(params, fields, ['kommunekode', ...TYPES]) &&
      wholes(given(...TYPES)).length === given(...TYPES).length,
    mainTypes: mains,
    subtypes: wholes(given('undertype', 'type')),
    municipalityCodes: given('kommunekode').length > 0 ? params.codes('kommunekode') : [],
    ...{ page, end: page.skip + page.take },
  };
}

/** With the geometry of each. */
const shapedBy =
  ({ places }: DoorLookups) =>
  async (
    batch: readonly NameRow[],
    { format }: Pick<Around, 'format'>,
  ): Promise<readonly NameRow[]> => {
    if (format.format !== 'geojson') return batch;
    const shaped: NameRow[] = [];
    for (const row of batch) {
      const { value } = await places.find(row.place.id);
      // Too large to be told.
      if (value.wkb === null) throw noGeometry();
      const text = Buffer.from(geometryJson(value.wkb, format.srid)).toString('latin1');
      shaped.push({ ...row, geometry: text });
    }
    return shaped;
  };

const noGeometry = () =>
  upstreamUnavailable(
    'The geometry of a place is larger than this service tells.',
    'Et steds geometri er større, end tjenesten oplyser.',
  );

function addKind(add: AddRoute, lookups: DoorLookups, kind: Kind): void {
  const { path, shape, mainType, isOfNames = false } = kind;
  const resource: Resource<Question, NameRow> = {
    ...{ path, rule: RULE, coverage: lookups.placesCoverage, shape },
    read: (asked) => readList(kind, asked),
    find: async (question) => {
      const { value, ...facts } = await placesOf(lookups.places, question, badParameter);
      const { fits, isByName } = question;
      const all = value.flatMap((place) =>
        place.spellings.slice(0, isByName ? Infinity : 1).map((name) => ({ place, name })),
      );
      return { facts, rows: fits === null ? all : all.filter(fits) };
    },
    prepare: shapedBy(lookups),
    suggest: path.startsWith('/stednavne')
      ? (around) => (row) => {
          const own = shape(around).nestet(row);
          return isOfNames ? { tekst: labelOf(row), stednavn: own } : own;
        }
      : null,
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
      ...{ path: '/stednavntyper', rule: RULE, coverage: placesCoverage, suggest: null },
      read: ({ params }) => ({
        page: pageOf(params),
        fits: fitsOf<PlaceTypeFound>(params, {
          hovedtype: { kind: 'text', of: ({ mainType }) => mainType },
        }),
      }),
      find: ({ fits }) => found(fits ?? (() => true)),
      shape: ({ base }) => ({
        nestet: ({ mainType: hovedtype, subtypes: undertyper }) => ({
          href: `${base}/stednavntyper/${encodeURIComponent(hovedtype)}`,
          ...{ hovedtype, undertyper },
        }),
      }),
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
