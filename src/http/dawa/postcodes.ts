/** `/postnumre`. */
import { unitsOfFound } from '../access.ts';
import { Failure } from '../../kernel/failures.ts';
import type { PostcodeAnswer } from '../../registers/addresses/postcodes.ts';
import { bboxOf } from './areas.ts';
import { badParameter } from './failure.ts';
import type { Shape } from './format.ts';
import { DAWA_LIMITS } from './limits.ts';
import { pathCode } from './paths.ts';
import { pointOf } from './places-asked.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, DoorLookups } from './routes.ts';

const PAGE = { area: 'adresser', publicKeys: true, operation: 'postnumre' } as const;
const NO_FILTER = { codes: [], municipalityCodes: [], names: [], text: null };

function membersOf({ base }: Around, row: PostcodeAnswer): Record<string, unknown> {
  const { code: nr, name: navn, municipalities, boundsDegrees, boundsM } = row;
  return {
    ...{ href: `${base}/postnumre/${nr}`, nr, navn, stormodtageradresser: null },
    bbox: boundsDegrees && bboxOf(boundsM),
    visueltcenter: null,
    kommuner: municipalities.map(({ code: kode, name }) => ({
      ...{ href: `${base}/kommuner/${kode}`, kode, navn: name },
    })),
    ...{ ændret: null, geo_ændret: null, geo_version: null, dagi_id: null },
  };
}

/** A postcode with a district is no large receiver's. */
const isLarge = ({ described }: PostcodeAnswer): false | null =>
  described === 'district' ? false : null;

function shapeOf(around: Around): Shape<PostcodeAnswer> {
  return {
    nestet: (row) => membersOf(around, row),
    flad: (row) => {
      const [west, south, east, north] = bboxOf(row.boundsM) ?? [null, null, null, null];
      return {
        ...{ nr: row.code, navn: row.name, stormodtager: isLarge(row) },
        ...{ bbox_xmin: west, bbox_ymin: south, bbox_xmax: east, bbox_ymax: north },
        ...{ visueltcenter_x: null, visueltcenter_y: null, ændret: null, geo_ændret: null },
        ...{ geo_version: null, dagi_id: null },
      };
    },
  };
}

export function postcodeDoor(add: AddRoute, lookups: DoorLookups): void {
  const { postcodes } = lookups.addresses;
  add('/postnumre', {
    ...PAGE,
    read: ({ params }) => ({
      filter: {
        ...{ codes: params.codes('nr'), municipalityCodes: params.codes('kommunekode') },
        ...{ names: params.list('navn'), text: params.text('q') },
      },
      side: params.whole('side') ?? 1,
      perPage: params.whole('per_side') ?? Infinity,
    }),
    answer: async ({ filter, side, perPage }, around) => {
      const { value, ...facts } = await postcodes.list(filter);
      const from = side === 1 ? 0 : (side - 1) * perPage;
      const rows = value.slice(from, from + perPage);
      const units = unitsOfFound(value.length, lookups.coverage);
      return { kind: 'list', rows, facts, shape: shapeOf(around), units };
    },
  });
  add('/postnumre/autocomplete', {
    ...PAGE,
    read: ({ params }) => ({ text: params.text('q'), limit: params.whole('per_side') ?? 20 }),
    answer: async ({ text, limit }, { base }) => {
      if (text === null) throw badParameter('q', 'missing');
      const { value, ...facts } = await postcodes.list({ ...NO_FILTER, text });
      const rows = rankedBy(value, text).slice(0, Math.min(limit, DAWA_LIMITS.suggestions.max));
      const nestet = (row: PostcodeAnswer) => ({
        tekst: `${row.code} ${row.name}`,
        postnummer: {
          ...{ nr: row.code, navn: row.name, stormodtager: isLarge(row) },
          ...{ visueltcenter_x: null, visueltcenter_y: null },
          href: `${base}/postnumre/${row.code}`,
        },
      });
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
      return { kind: 'one', rows: [value], facts, shape: shapeOf(around), units: 1 };
    },
  });
  add('/postnumre/:nr', {
    ...{ ...PAGE, operation: 'postnummer' },
    read: ({ path: { nr = '' } }) => pathCode('nr', nr),
    answer: async (nr, around) => {
      const { value, ...facts } = await postcodes.find(nr);
      return { kind: 'one', rows: [value], facts, shape: shapeOf(around), units: 1 };
    },
  });
}
