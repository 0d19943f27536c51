/** `/supplerendebynavne2`, and by name alone `/supplerendebynavne`. */
import { upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { TownEntry } from '../../registers/addresses/addresses.ts';
import { bboxMembers } from './areas.ts';
import { badPath, notOffered } from './failure.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Shape } from '../wire/row-formats.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource } from './resources.ts';
import type { Names, Resource } from './resources.ts';
import { municipalityMember, postMembers } from './roads.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;

interface Towns {
  readonly facts: DoorAnswer<unknown>['facts'];
  readonly towns: readonly TownEntry[];
  readonly municipalities: Names;
}

async function allOf({ addresses, areaList }: DoorLookups): Promise<Towns> {
  const { value: towns, ...facts } = addresses.listing.towns();
  const named = await areaList.all('kommune').catch(() => null);
  const provenance = [...facts.provenance, ...(named?.provenance ?? [])];
  const municipalities = new Map(named?.value.map(({ code, name }) => [code, name]));
  return { facts: { ...facts, provenance }, towns, municipalities };
}

const NO_AREA = { ændret: null, geo_version: null, geo_ændret: null };

function membersOf(base: string, town: TownEntry, names: Names): Record<string, unknown> {
  const { dagiId, name, status, municipalityCode: kode } = town;
  return {
    ...{ ...NO_AREA, bbox: null, visueltcenter: null },
    href: dagiId === null ? null : `${base}/supplerendebynavne2/${dagiId}`,
    ...{ dagi_id: dagiId, navn: name, darstatus: status },
    kommune: kode === null ? null : municipalityMember(base, kode, names),
    postnumre: postMembers(base, [town]),
  };
}

function shapeOf({ base, format }: Around, names: Names): Shape<TownEntry> {
  return {
    nestet: (town) => membersOf(base, town, names),
    label: ({ name }) => name,
    flad: ({ dagiId, name, status, municipalityCode: code }) => ({
      ...{ dagi_id: dagiId, navn: name, darstatus: status, kommunekode: code },
      kommunenavn: code === null ? null : (names.get(code) ?? null),
      ...{ ...NO_AREA, ...bboxMembers(null, null, format) },
    }),
  };
}

const FIELDS: Fields<TownEntry> = {
  dagi_id: { kind: 'number', of: ({ dagiId }) => dagiId },
  navn: { kind: 'text', of: ({ name }) => name },
  kommunekode: { kind: 'code', of: ({ municipalityCode }) => municipalityCode },
  postnr: { kind: 'code', of: ({ postcodes }) => postcodes.map(({ code }) => code) },
};

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

/** An id that is not mirrored yet would look as if it did not exist. */
function refuseUnknownIds(all: readonly TownEntry[]): void {
  if (all.every(({ dagiId }) => dagiId !== null)) return;
  throw upstreamUnavailable(
    'The ids of supplementary town names are not mirrored yet.',
    'De supplerende bynavnes id’er er her ikke endnu.',
  );
}

type SameName = readonly TownEntry[];

function sameNames(towns: readonly TownEntry[]): readonly SameName[] {
  return [...Map.groupBy(towns, ({ name }) => name).values()];
}

function namedMembers(base: string, towns: SameName, names: Names): Record<string, unknown> {
  const navn = towns[0]?.name ?? '';
  const codes = new Set(towns.flatMap(({ municipalityCode: code }) => code ?? []));
  return {
    ...{ href: `${base}/supplerendebynavne/${encodeURIComponent(navn)}`, navn },
    postnumre: postMembers(base, towns),
    kommuner: [...codes].toSorted().map((code) => municipalityMember(base, code, names)),
  };
}

type Question = ReturnType<typeof readList>;

const townResource = (lookups: DoorLookups): Resource<Question, TownEntry> => ({
  ...{ path: '/supplerendebynavne2', rule: PAGE, coverage: lookups.coverage, read: readList },
  find: async (question) => {
    const { facts, towns, municipalities: names } = await allOf(lookups);
    return { facts, names, rows: fitting(towns, question) };
  },
  shape: shapeOf,
  suggest:
    ({ base }, names) =>
    (town) => ({ tekst: town.name, supplerendebynavn: membersOf(base, town, names) }),
});

const nameResource = (lookups: DoorLookups): Resource<Question, SameName> => ({
  ...{ path: '/supplerendebynavne', rule: PAGE, coverage: lookups.coverage, read: readList },
  find: async (question) => {
    const { facts, towns, municipalities: names } = await allOf(lookups);
    return { facts, names, rows: sameNames(fitting(towns, question)) };
  },
  shape: ({ base }, names) => ({
    nestet: (towns) => namedMembers(base, towns, names),
    flad: ([first]) => ({ navn: first?.name ?? null }),
  }),
  suggest:
    ({ base }) =>
    ([first]) => {
      const navn = first?.name ?? '';
      const href = `${base}/supplerendebynavne/${encodeURIComponent(navn)}`;
      return { tekst: navn, supplerendebynavn: { navn, href } };
    },
});

export function townDoor(add: AddRoute, lookups: DoorLookups): void {
  const [towns, names] = [townResource(lookups), nameResource(lookups)];
  addResource(add, towns);
  addOne(add, towns, [
    ':dagi_id',
    ({ path: { dagi_id: id = '' } }) => {
      if (id === 'reverse') throw notOffered('supplerendebynavne2');
      if (!/^\d{1,12}$/.test(id)) throw badPath('dagi_id', 'notInteger');
      return id.replace(/^0+(?=.)/, '');
    },
    async (id) => {
      const { facts, towns: all, municipalities } = await allOf(lookups);
      const rows = all.filter(({ dagiId }) => dagiId === id);
      if (rows.length === 0) refuseUnknownIds(all);
      return { facts, rows, names: municipalities };
    },
  ]);
  addResource(add, names);
  addOne(add, names, [
    ':navn',
    ({ path: { navn = '' } }) => navn.toLocaleLowerCase('da'),
    async (name) => {
      const { facts, towns: all, municipalities } = await allOf(lookups);
      const same = all.filter((town) => town.name.toLocaleLowerCase('da') === name);
      return { facts, rows: same.length === 0 ? [] : [same], names: municipalities };
    },
  ]);
}
