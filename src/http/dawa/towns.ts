/** `/supplerendebynavne2`, and by name alone `/supplerendebynavne`. */
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { TownEntry } from '../../registers/addresses/addresses.ts';
import { bboxMembers } from './areas.ts';
import { badPath, notOffered } from './failure.ts';
import { fitsOf } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Shape } from './format.ts';
import { listOf, pageOf, suggestedPage } from './pages.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', operation: 'adresser' } as const;

type Names = ReadonlyMap<string, string>;

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

const municipalityMember = (base: string, kode: string, names: Names): object => ({
  ...{ href: `${base}/kommuner/${kode}`, kode, navn: names.get(kode) ?? null },
});

const postMembers = (base: string, towns: readonly TownEntry[]): readonly object[] => {
  const posts = new Map(
    towns.flatMap(({ postcodes }) => postcodes.map((each) => [each.code, each])),
  );
  return [...posts.values()]
    .toSorted((a, b) => Number(a.code) - Number(b.code))
    .map(({ code: nr, name: navn }) => ({ href: `${base}/postnumre/${nr}`, nr, navn }));
};

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

type Question = ReturnType<typeof readList>;

function fitting(
  all: readonly TownEntry[],
  { fits, isById, text }: Question,
): readonly TownEntry[] {
  const found = fits === null ? all : all.filter(fits);
  if (isById && found.length === 0) refuseUnknownIds(all);
  return text === null ? found : ranked(found, text);
}

function ranked(towns: readonly TownEntry[], text: string): readonly TownEntry[] {
  return rankedBy(towns, text, ({ dagiId, name }) => ({ code: dagiId ?? '', name }));
}

/** An id that is not mirrored yet would look as if it did not exist. */
function refuseUnknownIds(all: readonly TownEntry[]): void {
  if (all.every(({ dagiId }) => dagiId !== null)) return;
  throw upstreamUnavailable(
    'The ids of supplementary town names are not mirrored yet.',
    'De supplerende bynavnes id’er er her ikke endnu.',
  );
}

/** What is asked of the towns, as rows. */
interface Listing<R> {
  readonly rowsOf: (towns: readonly TownEntry[]) => readonly R[];
  readonly shape: (around: Around, names: Names) => Shape<R>;
  readonly suggest: (around: Around, names: Names) => (row: R) => Record<string, unknown>;
}

function addListing<R>(
  add: AddRoute,
  lookups: DoorLookups,
  [path, { rowsOf, shape, suggest }]: readonly [path: string, listing: Listing<R>],
): void {
  add(path, {
    ...{ ...PAGE, read: readList },
    answer: async (question, around) => {
      const { facts, towns, municipalities } = await allOf(lookups);
      const list = listOf(rowsOf(fitting(towns, question)), question.page, lookups.coverage);
      return { ...list, facts, shape: shape(around, municipalities) };
    },
  });
  add(`${path}/autocomplete`, {
    ...{ ...PAGE, operation: 'adresseAutocomplete', read: readList },
    answer: async (question, around) => {
      const { facts, towns, municipalities } = await allOf(lookups);
      const page = suggestedPage(question.page);
      const list = listOf(rowsOf(fitting(towns, question)), page, lookups.coverage);
      return { ...list, facts, shape: { nestet: suggest(around, municipalities) } };
    },
  });
}

function byId(add: AddRoute, lookups: DoorLookups): void {
  add('/supplerendebynavne2/:dagi_id', {
    ...PAGE,
    read: ({ path: { dagi_id: id = '' } }) => {
      if (id === 'reverse') throw notOffered('supplerendebynavne2');
      if (!/^\d{1,12}$/.test(id)) throw badPath('dagi_id', 'notInteger');
      return id.replace(/^0+(?=.)/, '');
    },
    answer: async (id, around) => {
      const { facts, towns, municipalities } = await allOf(lookups);
      const row = towns.find(({ dagiId }) => dagiId === id);
      if (row === undefined) refuseUnknownIds(towns);
      if (row === undefined) throw new Failure('not_found');
      const shape = shapeOf(around, municipalities);
      return { kind: 'one', rows: [row], facts, shape, units: 1 };
    },
  });
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

const BY_NAME: Listing<SameName> = {
  rowsOf: sameNames,
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
};

function byName(add: AddRoute, lookups: DoorLookups): void {
  add('/supplerendebynavne/:navn', {
    ...{ ...PAGE, read: ({ path: { navn = '' } }) => navn.toLocaleLowerCase('da') },
    answer: async (name, { base }) => {
      const { facts, towns, municipalities } = await allOf(lookups);
      const same = towns.filter((town) => town.name.toLocaleLowerCase('da') === name);
      if (same.length === 0) throw new Failure('not_found');
      const nestet = (row: SameName) => namedMembers(base, row, municipalities);
      return { kind: 'one', rows: [same], facts, shape: { nestet }, units: 1 };
    },
  });
}

export function townDoor(add: AddRoute, lookups: DoorLookups): void {
  addListing<TownEntry>(add, lookups, [
    '/supplerendebynavne2',
    {
      rowsOf: (towns) => towns,
      shape: shapeOf,
      suggest:
        ({ base }, names) =>
        (town) => ({ tekst: town.name, supplerendebynavn: membersOf(base, town, names) }),
    },
  ]);
  byId(add, lookups);
  addListing(add, lookups, ['/supplerendebynavne', BY_NAME]);
  byName(add, lookups);
}
