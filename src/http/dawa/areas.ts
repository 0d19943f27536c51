import { THEMES } from '../../layers/keys.ts';
import type { Theme } from '../../layers/keys.ts';
import { meeting } from '../../registers/areas/drawn-areas.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import {
  allAreas,
  areasAt,
  rowsAt,
  withChanges,
  withGeometry,
} from '../../registers/areas/rows.ts';
import type { AreaRow } from '../../registers/areas/rows.ts';
import { members } from '../wire/row-members.ts';
import type { Forms, Readers } from '../wire/row-members.ts';
import { AREA_PATHS, CHANGES, ELECTIONS, EXTENT, IN_REGION } from './area-members.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { unpadded } from './codes.ts';
import { filtersBy } from './filters.ts';
import { pathCode } from './params.ts';
import { writtenBy } from './resources.ts';
import type { AddRoute, DoorLookups } from './routes.ts';

const NUTS2: Readonly<Record<string, string>> = {
  ...{ 1081: 'DK05', 1082: 'DK04', 1083: 'DK03', 1084: 'DK01', 1085: 'DK02' },
};

/** Ertholmene. */
const OUTSIDE_MUNICIPALITIES = '0411';

const label = ({ code, name }: AreaRow): string => `${code} ${name}`;

const READERS: Readers<AreaRow> = {
  ...{ ...EXTENT, ...IN_REGION, ...ELECTIONS, betegnelse: label, tekst: label },
  dagi_id: ({ key }) => key,
  kode: ({ code }) => code,
  navn: ({ name }) => name,
  nuts2: ({ code }) => NUTS2[code],
  udenforkommuneinddeling: ({ code }) => code === OUTSIDE_MUNICIPALITIES,
};

const DISTRICT: Readers<AreaRow> = {
  nummer: ({ code }) => unpadded(code),
  href: ({ code }, { base }) => `${base}/opstillingskredse/${unpadded(code)}`,
  valgkredsnummer: ({ code }) => {
    const place = constituencyOf(code)?.districtCodes.indexOf(code);
    return place === undefined ? null : String(place + 1);
  },
};

const COMMON = 'kode:code navn:text';
const HEAD = `${CHANGES} bbox visueltcenter`;

const own = (nestet: string, flad: string, filters = '') => ({ nestet, flad, filters });
const plain = own(`${HEAD} dagi_id kode navn href`, `${CHANGES} dagi_id kode navn href ...box`);
const KINDS: Readonly<Partial<Record<Theme, typeof plain>>> = {
  region: own(
    `${HEAD} dagi_id kode navn nuts2 href`,
    `${CHANGES} dagi_id kode navn nuts2 href ...box`,
    'nuts2:text',
  ),
  kommune: own(
    `${HEAD} href dagi_id kode navn udenforkommuneinddeling regionskode region`,
    `${CHANGES} href dagi_id kode navn udenforkommuneinddeling regionskode ...box`,
    'regionskode:code udenforkommuneinddeling:flag',
  ),
  opstillingskreds: own(
    `${HEAD} href dagi_id nummer kode navn valgkredsnummer kredskommune region storkreds
    valglandsdel kommuner`,
    `${CHANGES} href dagi_id nummer kode navn valgkredsnummer kredskommune kommuner regionskode
    storkredsnummer storkredsnavn valglandsdelsbogstav valglandsdelsnavn ...box`,
    'dagi_id:number regionskode:code nummer:number storkredsnummer:number valglandsdelsbogstav:text',
  ),
};

function writtenOf(theme: Theme, forms: Forms) {
  const path = AREA_PATHS[theme];
  const readers: Readers<AreaRow> = {
    ...{ ...READERS, href: ({ code }, { base }) => `${base}/${path}/${code}` },
    ...(theme === 'opstillingskreds' && DISTRICT),
  };
  const nested = { ...readers, [theme]: members(readers, forms.nestet) };
  return { readers, ...writtenBy(nested, { ...forms, suggest: `tekst ${theme}` }) };
}

function kindOf(lookups: DoorLookups, theme: Theme): AreaKind<AreaRow> {
  const { filters, ...forms } = KINDS[theme] ?? plain;
  const { readers, ...written } = writtenOf(theme, forms);
  return {
    ...{ ...written, path: `/${AREA_PATHS[theme]}`, named: (row) => row },
    fields: filtersBy(readers, `${COMMON} ${filters}`.trim()),
    all: () => allAreas(lookups, theme),
    meeting: (rows, within) => meeting(lookups.areaList, theme, [rows, within]),
    at: async (rows, point, { deadline }) => {
      const { areas } = await areasAt(lookups, point, deadline);
      const codes = areas.filter((each) => each.theme === theme).map(({ code }) => code);
      return rows.filter(({ code }) => codes.includes(code));
    },
    reverse: (point, { deadline }) => rowsAt(lookups, theme, point, deadline),
    one: [
      ':kode',
      ({ kode = '' }) => {
        const asked = pathCode('kode', kode);
        return ({ code }) => code === asked;
      },
    ],
    prepare: async (rows, { format, deadline, lacksSome }) => {
      const told = await withChanges(lookups, theme, rows, lacksSome);
      if (format.format !== 'geojson') return told;
      return await withGeometry(lookups, theme, told, { srid: format.srid, deadline });
    },
  };
}

export function areaDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const theme of THEMES) addAreas(add, kindOf(lookups, theme));
}
