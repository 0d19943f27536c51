import { bboxOf } from '../../answers/in-system.ts';
import { POSTAL } from '../../layers/keys.ts';
import { Failure } from '../../kernel/failures.ts';
import type { PostcodeAnswer } from '../../registers/addresses/postcodes.ts';
import { meeting, ringsAt, withSurfaces } from '../../registers/areas/drawn-areas.ts';
import { EXTENT } from './area-members.ts';
import type { Extent } from '../../registers/areas/rows.ts';
import { placeAsked } from './places-asked.ts';
import { fitsOf, listed, filtersBy } from './filters.ts';
import { linkTo, members } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { pathCode } from './params.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, addReverse, writtenBy } from './resources.ts';
import type { Resource } from './resources.ts';

const PAGE = { area: 'adresser', operation: 'postnumre' } as const;
const NO_FILTER = { codes: [], municipalityCodes: [], names: [], text: null };

interface PostRow extends PostcodeAnswer, Pick<Extent, 'center' | 'change' | 'geometry'> {
  readonly key?: string;
}

const label = ({ code, name }: PostRow): string => `${code} ${name}`;

const READERS: Readers<PostRow> = {
  ...{ ...EXTENT, betegnelse: label, tekst: label, nr: ({ code }) => code },
  href: ({ code }, { base }) => `${base}/postnumre/${code}`,
  navn: ({ name }) => name,
  // A postcode with a district belongs to no large receiver.
  stormodtager: ({ described }) => (described === 'district' ? false : null),
  bbox: ({ boundsDegrees, boundsM }, { format }) => boundsDegrees && bboxOf(boundsM, format),
  kommuner: ({ municipalities }, place) =>
    municipalities.map(({ code, name }) => linkTo(place, 'kommuner', code, name)),
  kommunekode: ({ municipalities }) => municipalities.map(({ code }) => code),
  dagi_id: ({ key }) => key,
};

const BRIEF = 'nr navn stormodtager ...center href';
const WRITTEN = writtenBy(
  { ...READERS, postnummer: members(READERS, BRIEF) },
  {
    nestet: `href nr navn stormodtageradresser bbox visueltcenter kommuner ændret geo_ændret
      geo_version dagi_id`,
    flad: 'nr navn stormodtager ...box ændret geo_ændret geo_version dagi_id',
    ...{ mini: `${BRIEF} betegnelse`, suggest: 'tekst postnummer' },
  },
);

const FIELDS = filtersBy(READERS, 'nr:code navn:text kommunekode:code');

function readList({ params, format }: Asked) {
  return {
    fits: fitsOf(params, FIELDS),
    filter: { ...NO_FILTER, codes: params.codes('nr'), text: params.search() },
    page: pageOf(params),
    ...placeAsked(params, format),
  };
}

type Question = ReturnType<typeof readList>;

async function picked(lookups: DoorLookups, question: Question) {
  const { fits, filter, within, point } = question;
  const { value, ...facts } = await lookups.addresses.postcodes.list(filter);
  const kept = listed<PostRow>(value, { fits, text: filter.text }, (row) => row);
  if (within === null && point === null) return { facts, rows: kept };
  const { areaList } = lookups;
  const { value: there } =
    point === null ? await areaList.all(POSTAL) : await areaList.districtsAt(POSTAL, point);
  const codes = there.map(({ code }) => code);
  const rows = kept.filter(({ code }) => codes.includes(code));
  return {
    facts,
    rows: within === null ? rows : await meeting(lookups.areaList, POSTAL, [rows, within]),
  };
}

async function prepared(
  { areaList }: DoorLookups,
  rows: readonly PostRow[],
  { format, lacksSome }: Around,
): Promise<readonly PostRow[]> {
  const isGeo = format.format === 'geojson';
  const listed = await areaList.all(POSTAL).catch((error: unknown) => {
    if (isGeo) throw error;
    lacksSome();
    return null;
  });
  const districts = new Map(listed?.value.map((each) => [each.code, each]));
  const keys = rows.flatMap(({ code }) => districts.get(code)?.key ?? []);
  const changes = await areaList.changes(POSTAL, keys);
  if (changes === null) lacksSome();
  const described = rows.map((row): PostRow => {
    const { center, key } = districts.get(row.code) ?? {};
    return key === undefined
      ? row
      : { ...row, center: center ?? null, key, change: changes?.get(key) };
  });
  return await withSurfaces(described, format, async ({ key, code }) =>
    key === undefined ? null : await ringsAt(areaList, POSTAL, code),
  );
}

export function postcodeDoor(add: AddRoute, lookups: DoorLookups): void {
  const { postcodes } = lookups.addresses;
  const resource: Resource<Question, PostRow> = {
    ...{ path: '/postnumre', rule: PAGE, coverage: lookups.coverage, read: readList },
    ...WRITTEN,
    find: (question) => picked(lookups, question),
    prepare: (rows, around) => prepared(lookups, rows, around),
  };
  const called = async (code: string) => {
    const { value, ...facts } = await postcodes.find(code);
    return { facts, rows: [value] };
  };
  addResource(add, resource);
  addReverse(add, resource, 'postnummer', async (point) => {
    const { value, provenance } = await lookups.areaList.districtsAt(POSTAL, point);
    const [district] = value;
    if (district === undefined) throw new Failure('not_found');
    const { rows, facts } = await called(district.code);
    return { rows, facts: { ...facts, provenance: [...provenance, ...facts.provenance] } };
  });
  const one = [':nr', ({ path: { nr = '' } }: Asked) => pathCode('nr', nr), called] as const;
  addOne(add, resource, one, 'postnummer');
}
