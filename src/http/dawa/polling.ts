/** Polling districts (D198). */
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import { meeting, ringsAt, withSurfaces } from '../../registers/areas/drawn-areas.ts';
import { numberedAreas, withAreas, withChanges } from '../../registers/areas/rows.ts';
import type { NumberedArea as Row } from '../../registers/areas/rows.ts';
import { linkTo, members } from '../wire/row-members.ts';
import type { Place, Readers } from '../wire/row-members.ts';
import { ELECTIONS_AT, areaOf } from './address-members.ts';
import { CHANGES, EXTENT, IN_REGION, AREA_PATHS } from './area-members.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { unpadded } from './codes.ts';
import { badPath } from './failure.ts';
import { filtersBy } from './filters.ts';
import { pathCode } from './params.ts';
import { writtenBy } from './resources.ts';
import type { AddRoute, DoorLookups } from './routes.ts';

const KINDS = [
  [POLLING, 'afstemningsomraader', 'afstemningsområde'],
  [PARISH_POLLING, 'menighedsraadsafstemningsomraader', 'menighedsrådsafstemningsområde'],
] as const;
type Kind = (typeof KINDS)[number];

const label = ({ number, name }: Row): string => `${number ?? ''} ${name}`.trim();

/** What contains the district, by its inner point. */
const within =
  (theme: 'opstillingskreds' | 'sogn') =>
  ({ areas = null }: Row, { base }: Place) => {
    const found = areaOf({ areas }, theme);
    if (found === null) return null;
    const { code: kode, name: navn } = found;
    const nummer = theme === 'opstillingskreds' && { nummer: unpadded(kode) };
    return { href: `${base}/${AREA_PATHS[theme]}/${kode}`, ...nummer, kode, navn };
  };

const READERS: Readers<Row> = {
  ...{ ...EXTENT, ...IN_REGION, betegnelse: label, tekst: label },
  ...ELECTIONS_AT,
  dagi_id: ({ key }) => key,
  nummer: ({ number }) => number,
  navn: ({ name }) => name,
  kommune: ({ municipality }, place) =>
    linkTo(place, 'kommuner', municipality?.code, municipality?.name),
  kommunekode: ({ municipality }) => municipality?.code,
  kommunenavn: ({ municipality }) => municipality?.name,
  ...{ sogn: within('sogn'), opstillingskreds: within('opstillingskreds') },
};

const FIELDS = 'dagi_id:number kommunekode:code nummer:number navn:text regionskode:code';
const NESTED = `${CHANGES} bbox visueltcenter href dagi_id nummer navn afstemningssted kommune`;
const FLAT = `${CHANGES} dagi_id nummer navn afstemningsstednavn kommunekode kommunenavn`;
const OWN = {
  [POLLING]: {
    nestet: `${NESTED} region opstillingskreds storkreds valglandsdel`,
    flad: `${FLAT} regionskode regionsnavn ...box`,
  },
  [PARISH_POLLING]: { nestet: `${NESTED} sogn`, flad: `${FLAT} ...box` },
};

function kindOf(lookups: DoorLookups, kind: Kind): AreaKind<Row> {
  const [area, path, member] = kind;
  const { areaList } = lookups;
  const readers: Readers<Row> = {
    ...READERS,
    href: ({ number, municipality }, { base }) =>
      number && `${base}/${path}/${unpadded(municipality?.code ?? '')}/${number}`,
  };
  return {
    ...{ path: `/${path}`, fields: filtersBy(readers, FIELDS) },
    ...writtenBy(
      { ...readers, [member]: members(readers, OWN[area].nestet) },
      { ...OWN[area], suggest: `tekst ${member}` },
    ),
    named: ({ number, name }) => ({ code: number ?? '', name }),
    all: () => numberedAreas(lookups, area),
    meeting: (rows, within) => meeting(areaList, area, [rows, within]),
    at: async (rows, point) => {
      const { value } = await areaList.districtsAt(area, point);
      return rows.filter(({ code }) => value.some((each) => each.code === code));
    },
    one: [
      ':kommunekode/:nummer',
      ({ kommunekode = '', nummer = '' }) => {
        if (!/^\d{1,9}$/.test(nummer)) throw badPath('nummer', 'notInteger');
        const [code, own] = [pathCode('kommunekode', kommunekode), String(Number(nummer))];
        return ({ municipality, number }) => municipality?.code === code && number === own;
      },
    ],
    prepare: async (rows, { deadline, format, lacksSome }) => {
      const placed = await withAreas(lookups, rows, deadline);
      const told = await withChanges(lookups, area, placed, lacksSome);
      return await withSurfaces(told, format, ({ code }) => ringsAt(areaList, area, code));
    },
  };
}

export function pollingDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) addAreas(add, kindOf(lookups, kind));
}
