/** `/postnumre`. */
import type { PointUtm32 } from '../../geo/point.ts';
import { POSTAL } from '../../layers/keys.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { Failure } from '../../kernel/failures.ts';
import type { PostcodeAnswer } from '../../registers/addresses/postcodes.ts';
import { geoJsonOf } from './area-geometry.ts';
import { bboxMembers, bboxOf, centerOf, meeting, placeAsked, ringsAt } from './areas.ts';
import { longRows } from './format.ts';
import type { Format, Shape } from './format.ts';
import { fitsOf } from './filters.ts';
import type { Fields } from './filters.ts';
import { pathCode } from './paths.ts';
import { pointOf } from './places-asked.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';
import { listOf, pageOf, suggestedPage } from './pages.ts';

const PAGE = { area: 'adresser', operation: 'postnumre' } as const;
const NO_FILTER = { codes: [], municipalityCodes: [], names: [], text: null };

interface PostRow extends PostcodeAnswer {
  readonly center: PointUtm32 | null;
  /** GeoJSON. */
  readonly geometry?: string;
}

/** Inside their districts. */
async function placed(
  { areaList }: DoorLookups,
  rows: readonly PostcodeAnswer[],
): Promise<readonly PostRow[]> {
  const listed = await areaList.all(POSTAL).catch(() => null);
  const centers = new Map(listed?.value.map(({ code, center }) => [code, center]));
  return rows.map((row) => ({ ...row, center: centers.get(row.code) ?? null }));
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
    ...{ ændret: null, geo_ændret: null, geo_version: null, dagi_id: null },
  };
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
        ...{ ændret: null, geo_ændret: null, geo_version: null, dagi_id: null },
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
  const kept = fits === null ? value : value.filter(fits);
  if (within === null && point === null) return { facts, rows: kept };
  const { areaList } = lookups;
  const codes =
    point === null
      ? (await areaList.all(POSTAL)).value.map(({ code }) => code)
      : (await areaList.postcodesAt(point)).value;
  const rows = kept.filter(({ code }) => codes.includes(code));
  return { facts, rows: within === null ? rows : await meeting(lookups, POSTAL, [rows, within]) };
}

/** With the surface of the district; null: it has none. */
async function shaped(
  { areaList }: DoorLookups,
  [rows, format]: readonly [rows: readonly PostRow[], format: Format],
): Promise<readonly PostRow[]> {
  const known = new Set((await areaList.all(POSTAL)).value.map(({ code }) => code));
  return await Promise.all(
    rows.map(async (row) => {
      if (!known.has(row.code)) return row;
      const rings = await ringsAt(areaList, POSTAL, row.code);
      return { ...row, geometry: geoJsonOf(rings, format.srid) };
    }),
  );
}

async function answerOf(
  lookups: DoorLookups,
  {
    kind,
    rows: own,
    facts,
  }: Pick<DoorAnswer<PostRow>, 'kind' | 'facts'> & { readonly rows: readonly PostcodeAnswer[] },
  around: Around,
): Promise<DoorAnswer<PostRow>> {
  const rows = await placed(lookups, own);
  const shape = shapeOf(around);
  const units = kind === 'one' ? 1 : unitsOfFound(rows.length, lookups.coverage);
  if (around.format.format !== 'geojson') return { kind, rows, facts, shape, units };
  const prepare = (batch: readonly PostRow[]) => shaped(lookups, [batch, around.format]);
  return {
    kind,
    rows: longRows(rows.length, rows, prepare, 10),
    facts,
    shape,
    units: Math.max(units, rows.length),
  };
}

export function postcodeDoor(add: AddRoute, lookups: DoorLookups): void {
  add('/postnumre', {
    ...PAGE,
    read: readList,
    answer: async (question, around) => {
      const { rows: all, facts } = await picked(lookups, question);
      const { rows } = listOf(all, question.page, lookups.coverage);
      return await answerOf(lookups, { kind: 'list', rows, facts }, around);
    },
  });
  add('/postnumre/autocomplete', {
    ...PAGE,
    read: readList,
    answer: async (question, around) => {
      const { text } = question.filter;
      const { rows: all, facts } = await picked(lookups, question);
      const ranked = text === null ? all : rankedBy(all, text, (row) => row);
      const list = listOf(ranked, suggestedPage(question.page), lookups.coverage);
      const nestet = (row: PostRow) => ({ tekst: labelOf(row), postnummer: briefOf(around, row) });
      return { ...list, rows: await placed(lookups, list.rows), facts, shape: { nestet } };
    },
  });
  oneDoor(add, lookups);
}

function oneDoor(add: AddRoute, lookups: DoorLookups): void {
  const { postcodes } = lookups.addresses;
  add('/postnumre/reverse', {
    ...{ area: 'adresser', operation: 'postnummer' },
    read: ({ params, format }) => pointOf(params, format),
    answer: async (point, around) => {
      const { value: codes, provenance } = await lookups.areaList.postcodesAt(point);
      const [code] = codes;
      if (code === undefined) throw new Failure('not_found');
      const { value, ...own } = await postcodes.find(code);
      const facts = { ...own, provenance: [...provenance, ...own.provenance] };
      return await answerOf(lookups, { kind: 'one', rows: [value], facts }, around);
    },
  });
  add('/postnumre/:nr', {
    ...{ ...PAGE, operation: 'postnummer' },
    read: ({ path: { nr = '' } }) => pathCode('nr', nr),
    answer: async (nr, around) => {
      const { value, ...facts } = await postcodes.find(nr);
      return await answerOf(lookups, { kind: 'one', rows: [value], facts }, around);
    },
  });
}
