import { upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { TownEntry } from '../../registers/addresses/addresses.ts';
import { withMunicipalities } from '../../registers/areas/rows.ts';
import { CHANGES } from './area-members.ts';
import { badPath, notOffered } from './failure.ts';
import { fitsOf, listed, filtersBy } from './filters.ts';
import { members } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, writtenBy } from './resources.ts';
import type { Resource } from './resources.ts';
import { municipalityMember, municipalityMembers, postMembers } from './roads.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;

const TOWN: Readers<TownEntry> = {
  href: ({ dagiId }, { base }) => dagiId && `${base}/supplerendebynavne2/${dagiId}`,
  dagi_id: ({ dagiId }) => dagiId,
  navn: ({ name }) => name,
  darstatus: ({ status }) => status,
  kommune: ({ municipalityCode: code }, place) => municipalityMember(code, place),
  kommunekode: ({ municipalityCode: code }) => code,
  kommunenavn: ({ municipalityCode: code }, { names }) => names.get(code ?? ''),
  postnr: ({ postcodes }) => postcodes.map(({ code }) => code),
  postnumre: (town, place) => postMembers([town], place),
  betegnelse: ({ name }) => name,
  tekst: ({ name }) => name,
};
const NESTED = `${CHANGES} bbox visueltcenter href dagi_id navn darstatus kommune postnumre`;
const BOX = 'bbox_xmin bbox_ymin bbox_xmax bbox_ymax visueltcenter_x visueltcenter_y';
const TOWNS = writtenBy(
  { ...TOWN, supplerendebynavn: members(TOWN, NESTED) },
  {
    nestet: NESTED,
    flad: `dagi_id navn darstatus kommunekode kommunenavn ${CHANGES} ${BOX}`,
    suggest: 'tekst supplerendebynavn',
  },
);

const FIELDS = filtersBy(TOWN, 'dagi_id:number navn:text kommunekode:code postnr:code');

function readList({ params }: Asked) {
  return {
    fits: fitsOf(params, FIELDS),
    isById: params.text('dagi_id') !== null,
    text: params.search(LIMITS.addressTextChars.max),
    page: pageOf(params),
  };
}

function fitting(
  all: readonly TownEntry[],
  { fits, isById, text }: Question,
): readonly TownEntry[] {
  const found = fits === null ? all : all.filter(fits);
  if (isById && found.length === 0) refuseUnknownIds(all);
  return listed(found, { fits: null, text }, ({ dagiId, name }) => ({ code: dagiId ?? '', name }));
}

/** An id that is not mirrored yet would otherwise read as unknown. */
function refuseUnknownIds(all: readonly TownEntry[]): void {
  if (all.every(({ dagiId }) => dagiId !== null)) return;
  throw upstreamUnavailable(
    'The ids of supplementary town names are not mirrored yet.',
    'De supplerende bynavnes id’er er her ikke endnu.',
  );
}

type SameName = readonly TownEntry[];
type Question = ReturnType<typeof readList>;

const NAME: Readers<SameName> = {
  href: ([first], { base }) =>
    `${base}/supplerendebynavne/${encodeURIComponent(first?.name ?? '')}`,
  navn: ([first]) => first?.name,
  tekst: ([first]) => first?.name,
  postnumre: postMembers,
  kommuner: (towns, place) => {
    const codes = towns.flatMap(({ municipalityCode: code }) => code ?? []);
    return municipalityMembers(codes, place);
  },
};
const NAMES = writtenBy(
  { ...NAME, supplerendebynavn: members(NAME, 'navn href') },
  { nestet: 'href navn postnumre kommuner', flad: 'navn', suggest: 'tekst supplerendebynavn' },
);

export function townDoor(add: AddRoute, lookups: DoorLookups): void {
  const list = { rule: PAGE, coverage: lookups.coverage, read: readList };
  const found = <R>(rowsOf: (all: readonly TownEntry[]) => readonly R[]) =>
    withMunicipalities(lookups, lookups.addresses.listing.towns(), rowsOf);
  const towns: Resource<Question, TownEntry> = {
    ...{ ...list, ...TOWNS, path: '/supplerendebynavne2' },
    find: (question) => found((all) => fitting(all, question)),
  };
  const names: Resource<Question, SameName> = {
    ...{ ...list, ...NAMES, path: '/supplerendebynavne' },
    find: (question) =>
      found((all) => [...Map.groupBy(fitting(all, question), ({ name }) => name).values()]),
  };
  addResource(add, towns);
  addOne(add, towns, [
    ':dagi_id',
    ({ path: { dagi_id: id = '' } }) => {
      if (id === 'reverse') throw notOffered('supplerendebynavne2');
      if (!/^\d{1,12}$/.test(id)) throw badPath('dagi_id', 'notInteger');
      return id.replace(/^0+(?=.)/, '');
    },
    (id) =>
      found((all) => {
        const rows = all.filter(({ dagiId }) => dagiId === id);
        if (rows.length === 0) refuseUnknownIds(all);
        return rows;
      }),
  ]);
  addResource(add, names);
  addOne(add, names, [
    ':navn',
    ({ path: { navn = '' } }) => navn.toLocaleLowerCase('da'),
    (name) =>
      found((all) => {
        const same = all.filter((town) => town.name.toLocaleLowerCase('da') === name);
        return same.length === 0 ? [] : [same];
      }),
  ]);
}
