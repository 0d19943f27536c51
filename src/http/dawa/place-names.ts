/** `/stednavne2`. */
import { unitsOfFound } from '../../core/question/answers.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { noMunicipalities } from '../../registers/places/lookup.ts';
import type { NamedPlace } from '../../registers/places/places.ts';
import { bboxOf } from './areas.ts';
import { pairOf } from './codes.ts';
import { badParameter } from './failure.ts';
import { fitsOf, isBeyond } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Shape } from './format.ts';
import { pathUuid } from './paths.ts';
import { perPageOf } from './pages.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

interface NameRow {
  readonly place: NamedPlace;
  readonly name: NamedPlace['spellings'][number];
}

const MOST = 100;
const USUAL = 20;

function membersOf({ base, format }: Around, { place, name }: NameRow): Record<string, unknown> {
  const { id, position, boundsM, municipalities, mainType, subtype } = place;
  const [first, ...others] = place.spellings;
  return {
    ...{ navn: name.name, navnestatus: name.status, brugsprioritet: name.priority },
    href: `${base}/stednavne2/${id}/${encodeURIComponent(name.name)}`,
    sted: {
      ...{ id, hovedtype: mainType, undertype: subtype, primærtnavn: first?.name ?? null },
      ...{ primærnavnestatus: first?.status ?? null, ændret: null, geo_ændret: null },
      ...{ geo_version: null, href: null, egenskaber: propertiesOf(place) },
      ...{ visueltcenter: pairOf(position, format.srid), bbox: bboxOf(boundsM) },
      kommuner:
        municipalities?.map(({ code: kode, name: navn }) => ({
          ...{ href: `${base}/kommuner/${kode}`, kode, navn },
        })) ?? null,
      sekundærenavne: others.map(({ name: navn, status: navnestatus }) => ({ navn, navnestatus })),
    },
  };
}

function propertiesOf({ mainType, inhabitants }: NamedPlace): Record<string, unknown> {
  return mainType === 'Bebyggelse' ? { bebyggelseskode: null, indbyggerantal: inhabitants } : {};
}

function labelOf({ place, name }: NameRow): string {
  const type = (place.subtype ?? place.mainType).toLocaleLowerCase('da');
  return `${name.name} (${type})`;
}

function shapeOf(around: Around): Shape<NameRow> {
  const { srid } = around.format;
  return {
    nestet: (row) => membersOf(around, row),
    flad: ({ place, name }) => ({
      ...{ navn: name.name, navnestatus: name.status, brugsprioritet: name.priority },
      ...{ sted_id: place.id, sted_hovedtype: place.mainType, sted_undertype: place.subtype },
      sted_visueltcenter_x: pairOf(place.position, srid)[0],
      sted_visueltcenter_y: pairOf(place.position, srid)[1],
    }),
    label: labelOf,
    geometry: ({ place }) =>
      JSON.stringify({ type: 'Point', coordinates: pairOf(place.position, srid) }),
  };
}

const FIELDS: Fields<NameRow> = {
  navn: { kind: 'text', of: ({ name }) => name.name },
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
  navnestatus: { kind: 'text', of: ({ name }) => name.status },
  brugsprioritet: { kind: 'text', of: ({ name }) => name.priority },
  sted_id: { kind: 'uuid', of: ({ place }) => place.id },
};

/** The only value, without a star; null: several, or none. */
function only(values: readonly (string | null)[]): string | null {
  const [value = null, ...others] = values;
  return others.length > 0 || value?.includes('*') === true ? null : value;
}

function read({ params }: Asked) {
  const text = params.search(LIMITS.addressTextChars.max) ?? only(params.alternatives('navn'));
  if (text === null) throw badParameter('q', 'missing');
  const type = only(['undertype', 'hovedtype'].flatMap((name) => params.alternatives(name)));
  const fits = fitsOf(params, FIELDS);
  // The search finds whole names first.
  const bySearch = [
    ...['kommunekode', ...(params.has('q') ? [] : ['navn'])],
    ...(type === null ? [] : ['undertype', 'hovedtype']),
  ];
  const perPage = perPageOf(params) ?? USUAL;
  const skip = ((params.whole('side') ?? 1) - 1) * perPage;
  const take = Math.min(perPage, MOST);
  return {
    ...{ text, type, fits, skip, take, isWhole: isBeyond(params, FIELDS, bySearch) },
    isByName: ['navn', 'brugsprioritet', 'navnestatus'].some((name) => params.has(name)),
    municipalityCodes: params.codes('kommunekode'),
    limit: fits === null ? skip + take : MOST,
  };
}

export function placeNameDoor(add: AddRoute, lookups: DoorLookups): void {
  const rule = { operation: 'stednavne', area: 'stednavne' } as const;
  const rowsOf = (places: readonly NamedPlace[], isByName: boolean): readonly NameRow[] =>
    places.flatMap((place) =>
      place.spellings.slice(0, isByName ? Infinity : 1).map((name) => ({ place, name })),
    );
  for (const path of ['/stednavne2', '/stednavne2/autocomplete']) {
    add(path, {
      ...{ ...rule, read },
      answer: ({ fits, isByName, isWhole, skip, take, ...question }, around) => {
        if (question.limit > MOST) throw badParameter('side', `beyond ${MOST} rows`);
        const { value, ...facts } = lookups.places.search(question);
        if (isWhole && value.length >= MOST) throw badParameter('q', `more than ${MOST} rows`);
        const all = rowsOf(value, isByName);
        const rows = (fits === null ? all : all.filter(fits)).slice(skip, skip + take);
        const units = unitsOfFound(rows.length, lookups.placesCoverage);
        const shape = shapeOf(around);
        if (path.endsWith('autocomplete')) {
          const nestet = (row: NameRow) => ({ tekst: labelOf(row), stednavn: shape.nestet(row) });
          return { kind: 'list', rows, facts, shape: { nestet }, units };
        }
        return { kind: 'list', rows, facts, shape, units };
      },
    });
  }
  for (const path of ['/stednavne2/:id', '/stednavne2/:id/:navn']) {
    add(path, {
      ...{ ...rule, operation: 'sted' },
      read: ({ path: { id = '', navn = null } }) => ({ id: pathUuid('sted_id', id), navn }),
      answer: async ({ id, navn }, around) => {
        const { value, ...facts } = await lookups.places.find(id);
        const { place } = value;
        const name = place.spellings.find((each) => each.name === navn) ?? place.spellings[0];
        if (name === undefined) throw new Error('A place has no name.');
        return { kind: 'one', rows: [{ place, name }], facts, shape: shapeOf(around), units: 1 };
      },
    });
  }
}
