/** `/ejerlav`. */
import { Failure } from '../../kernel/failures.ts';
import { CADASTRE_LIMITS } from '../../registers/cadastre/limits.ts';
import type { District } from '../../registers/cadastre/index/parcel-index.ts';
import { bboxOf, bboxMembers } from './areas.ts';
import { badPath } from './failure.ts';
import { fitsOf } from './filters.ts';
import type { Fields } from './filters.ts';
import type { Shape } from './format.ts';
import { listOf, pageOf, suggestedPage } from './pages.ts';
import type { Params } from './params.ts';
import { rankedBy } from './ranking.ts';
import type { AddRoute, Around, Asked, DoorLookups } from './routes.ts';

const PAGE = { area: 'bbr', operation: 'jordstykker' } as const;

const hrefOf = (base: string, { code }: District): string => `${base}/ejerlav/${code}`;

function shapeOf({ base, format }: Around): Shape<District> {
  return {
    nestet: (row) => ({
      ...{ href: hrefOf(base, row), kode: row.code, navn: row.name },
      ...{ bbox: bboxOf(row.box, format), visueltcenter: null },
    }),
    flad: ({ code, name, box }) => ({ kode: code, navn: name, ...bboxMembers(box, null, format) }),
    mini: (row) => ({
      ...{ kode: row.code, navn: row.name, visueltcenter_x: null, visueltcenter_y: null },
      ...{ href: hrefOf(base, row), betegnelse: `${row.name} (${row.code})` },
    }),
  };
}

export function districtCodeOf(text: string): number | null {
  const code = /^\d{1,8}$/.test(text) ? Number(text) : 0;
  const { min, max } = CADASTRE_LIMITS.districtCode;
  return code >= min && code <= max ? code : null;
}

const textOf = (params: Params): string | null => params.search(CADASTRE_LIMITS.textChars.max);

const FIELDS: Fields<District> = {
  kode: { kind: 'number', of: ({ code }) => String(code) },
  navn: { kind: 'text', of: ({ name }) => name },
};

function readList({ params }: Asked) {
  return { fits: fitsOf(params, FIELDS), text: textOf(params), page: pageOf(params) };
}

function fitting(
  all: readonly District[],
  { fits, text }: ReturnType<typeof readList>,
): readonly District[] {
  const found = text === null ? all : ranked(all, text);
  return fits === null ? found : found.filter(fits);
}

function ranked(all: readonly District[], text: string): readonly District[] {
  return rankedBy(all, text, ({ code, name }) => ({ code: String(code), name }));
}

export function districtDoor(add: AddRoute, { parcels, parcelsCoverage }: DoorLookups): void {
  add('/ejerlav', {
    ...{ ...PAGE, read: readList },
    answer: (question, around) => {
      const { districts, ...facts } = parcels.districts(null);
      const list = listOf(fitting(districts, question), question.page, parcelsCoverage);
      return { ...list, facts, shape: shapeOf(around) };
    },
  });
  add('/ejerlav/autocomplete', {
    ...PAGE,
    read: readList,
    answer: (question, { base }) => {
      const { districts, ...facts } = parcels.districts(null);
      const list = listOf(
        fitting(districts, question),
        suggestedPage(question.page),
        parcelsCoverage,
      );
      const nestet = (row: District) => ({
        tekst: `${row.code} ${row.name}`,
        ejerlav: { href: hrefOf(base, row), kode: row.code, navn: row.name },
      });
      return { ...list, facts, shape: { nestet } };
    },
  });
  add('/ejerlav/:kode', {
    ...PAGE,
    read: ({ path: { kode = '' } }) => {
      const code = districtCodeOf(kode);
      if (code === null) throw badPath('kode', 'notInteger');
      return code;
    },
    answer: (code, around) => {
      const { districts, ...facts } = parcels.districts(code);
      const [row] = districts;
      if (row === undefined) throw new Failure('not_found');
      return { kind: 'one', rows: [row], facts, shape: shapeOf(around), units: 1 };
    },
  });
}
