/** `/postnumre`. */
import { bboxOf, centerOf } from '../../answers/in-system.ts';
import type { PointUtm32 } from '../../geo/point.ts';
import { POSTAL } from '../../layers/keys.ts';
import { Failure } from '../../kernel/failures.ts';
import type { PostcodeAnswer } from '../../registers/addresses/postcodes.ts';
import type { AreaChange } from '../../registers/areas/list.ts';
import { geoJsonOf } from '../../registers/areas/area-geometry.ts';
import { meeting, ringsAt } from '../../registers/areas/drawn-areas.ts';
import { bboxMembers, changeMembers } from './areas.ts';
import { placeAsked } from './places-asked.ts';
import type { Format, Shape } from '../wire/row-formats.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import { pathCode } from './paths.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';
import { pageOf } from './pages.ts';
import { addOne, addResource, addReverse } from './resources.ts';
import type { Resource } from './resources.ts';

const PAGE = { area: 'adresser', operation: 'postnumre' } as const;
const NO_FILTER = { codes: [], municipalityCodes: [], names: [], text: null };

interface PostRow extends PostcodeAnswer {
  readonly center: PointUtm32 | null;
  /** Of its district. */
  readonly key?: string;
  readonly change?: AreaChange | undefined;
  /** GeoJSON. */
  readonly geometry?: string;
}

function membersOf({ base, format }: Around, row: PostRow): Record<string, unknown> {
  const { code: nr, name: navn, municipalities, boundsDegrees, boundsM } = row;
  return {
    ...{ href: `${base}/postnumre/${nr}`, nr, navn, stormodtageradresser: null },
    bbox: boundsDegrees && bboxOf(boundsM, format),
    visueltcenter: centerOf(row.center, format),
    kommuner: municipalities.map(({ code: kode, name }) => ({
      ...{ href: `${base}/kommuner/${kode}`, kode, navn: name },
    })),
    ...datesOf(row),
  };
}

function datesOf({ key, change }: PostRow) {
  const { ændret, geo_ændret, geo_version } = changeMembers(change);
  return { ændret, geo_ændret, geo_version, dagi_id: key ?? null };
}

/** A postcode with a district is no large receiver's. */
const isLarge = ({ described }: PostcodeAnswer): false | null =>
  described === 'district' ? false : null;

function shapeOf(around: Around): Shape<PostRow> {
  return {
    nestet: (row) => membersOf(around, row),
    mini: (row) => ({ ...briefOf(around, row), betegnelse: labelOf(row) }),
    geometry: ({ geometry = 'null' }) => geometry,
    flad: (row) => {
      return {
        ...{ nr: row.code, navn: row.name, stormodtager: isLarge(row) },
        ...bboxMembers(row.boundsM, row.center, around.format),
        ...datesOf(row),
      };
    },
  };
}

const labelOf = ({ code, name }: PostRow): string => `${code} ${name}`;

function briefOf({ base, format }: Around, row: PostRow): Record<string, unknown> {
  const [x, y] = centerOf(row.center, format) ?? [null, null];
  return {
    ...{ nr: row.code, navn: row.name, stormodtager: isLarge(row) },
    ...{ visueltcenter_x: x, visueltcenter_y: y, href: `${base}/postnumre/${row.code}` },
  };
}

const FIELDS: Fields<PostcodeAnswer> = {
  nr: { kind: 'code', of: ({ code }) => code },
  navn: { kind: 'text', of: ({ name }) => name },
  kommunekode: { kind: 'code', of: ({ municipalities }) => municipalities.map(({ code }) => code) },
};

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
  const fitting = listed(value, { fits, text: filter.text }, (row) => row);
  const kept = fitting.map((row): PostRow => ({ ...row, center: null }));
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

/** Inside their districts, in GeoJSON with their surfaces. */
async function prepared(
  { areaList }: DoorLookups,
  rows: readonly PostRow[],
  { format, srid }: Format,
): Promise<readonly PostRow[]> {
  const isGeo = format === 'geojson';
  const listed = await areaList.all(POSTAL).catch((error: unknown) => {
    if (isGeo) throw error;
    return null;
  });
  const districts = new Map(listed?.value.map((each) => [each.code, each]));
  const keys = rows.flatMap(({ code }) => districts.get(code)?.key ?? []);
  const changes = await areaList.changes(POSTAL, keys);
  return await Promise.all(
    rows.map(async (row) => {
      const district = districts.get(row.code);
      if (district === undefined) return row;
      const { center, key } = district;
      const described = { ...row, center, key, change: changes.get(key) };
      if (!isGeo) return described;
      const geometry = geoJsonOf(await ringsAt(areaList, POSTAL, row.code), srid);
      return { ...described, geometry };
    }),
  );
}

export function postcodeDoor(add: AddRoute, lookups: DoorLookups): void {
  const { postcodes } = lookups.addresses;
  const resource: Resource<Question, PostRow> = {
    ...{ path: '/postnumre', rule: PAGE, coverage: lookups.coverage, read: readList },
    shape: shapeOf,
    find: (question) => picked(lookups, question),
    suggest: (around) => (row) => ({ tekst: labelOf(row), postnummer: briefOf(around, row) }),
    prepare: (rows, { format }) => prepared(lookups, rows, format),
  };
  const called = async (code: string) => {
    const { value, ...facts } = await postcodes.find(code);
    return { facts, rows: [{ ...value, center: null }] };
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
