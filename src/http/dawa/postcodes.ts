/** `/postnumre`. */
import type { PointUtm32 } from '../../geo/point.ts';
import { POSTAL } from '../../layers/keys.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { Failure } from '../../kernel/failures.ts';
import type { PostcodeAnswer } from '../../registers/addresses/postcodes.ts';
import { bboxMembers, bboxOf, centerOf } from './areas.ts';
import { badParameter } from './failure.ts';
import type { Shape } from './format.ts';
import { fitsOf } from './filters.ts';
import type { Fields } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pathCode } from './paths.ts';
import { pointOf } from './places-asked.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';
import { perPageOf } from './pages.ts';

const PAGE = { area: 'adresser', operation: 'postnumre' } as const;
const NO_FILTER = { codes: [], municipalityCodes: [], names: [], text: null };

interface PostRow extends PostcodeAnswer {
  readonly center: PointUtm32 | null;
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

function membersOf({ base }: Around, row: PostRow): Record<string, unknown> {
  const { code: nr, name: navn, municipalities, boundsDegrees, boundsM } = row;
  return {
    ...{ href: `${base}/postnumre/${nr}`, nr, navn, stormodtageradresser: null },
    bbox: boundsDegrees && bboxOf(boundsM),
    visueltcenter: centerOf(row.center),
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
    mini: (row) => ({ ...briefOf(around.base, row), betegnelse: labelOf(row) }),
    flad: (row) => {
      return {
        ...{ nr: row.code, navn: row.name, stormodtager: isLarge(row) },
        ...bboxMembers(row.boundsM, centerOf(row.center)),
        ...{ ændret: null, geo_ændret: null, geo_version: null, dagi_id: null },
      };
    },
  };
}

const labelOf = ({ code, name }: PostRow): string => `${code} ${name}`;

function briefOf(base: string, row: PostRow): Record<string, unknown> {
  const [x, y] = centerOf(row.center) ?? [null, null];
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

function readList({ params }: Asked) {
  return {
    fits: fitsOf(params, FIELDS),
    filter: { ...NO_FILTER, codes: params.codes('nr'), text: params.search() },
    side: params.whole('side') ?? 1,
    perPage: perPageOf(params) ?? Infinity,
  };
}

export function postcodeDoor(add: AddRoute, lookups: DoorLookups): void {
  const { postcodes } = lookups.addresses;
  add('/postnumre', {
    ...PAGE,
    read: readList,
    answer: async ({ fits, filter, side, perPage }, around) => {
      const { value: all, ...facts } = await postcodes.list(filter);
      const value = fits === null ? all : all.filter(fits);
      const from = side === 1 ? 0 : (side - 1) * perPage;
      const rows = await placed(lookups, value.slice(from, from + perPage));
      const units = unitsOfFound(value.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: shapeOf(around), units };
    },
  });
  add('/postnumre/autocomplete', {
    ...PAGE,
    read: readList,
    answer: async ({ fits, filter, side, perPage }, { base }) => {
      const { text } = filter;
      if (text === null) throw badParameter('q', 'missing');
      const { value, ...facts } = await postcodes.list(filter);
      const { default: usual, max } = DAWA_LIMITS.suggestions;
      const most = Math.min(perPage === Infinity ? usual : perPage, max);
      const ranked = rankedBy(fits === null ? value : value.filter(fits), text, (row) => row);
      const rows = await placed(lookups, ranked.slice((side - 1) * most, side * most));
      const nestet = (row: PostRow) => ({ tekst: labelOf(row), postnummer: briefOf(base, row) });
      const units = unitsOfFound(rows.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: { nestet }, units };
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
      const rows = await placed(lookups, [value]);
      return { kind: 'one', rows, facts, shape: shapeOf(around), units: 1 };
    },
  });
  add('/postnumre/:nr', {
    ...{ ...PAGE, operation: 'postnummer' },
    read: ({ path: { nr = '' } }) => pathCode('nr', nr),
    answer: async (nr, around) => {
      const { value, ...facts } = await postcodes.find(nr);
      const rows = await placed(lookups, [value]);
      return { kind: 'one', rows, facts, shape: shapeOf(around), units: 1 };
    },
  });
}
