/** `/afstemningsomraader`, `/menighedsraadsafstemningsomraader`: named by municipality and number (D198). */
import type { AreaNames } from '../../answers/answer.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import { constituencyOf } from '../../registers/areas/constituencies.ts';
import { meeting, ringsAt, withSurfaces } from '../../registers/areas/drawn-areas.ts';
import { numberOf, municipalityKeyOf } from '../../registers/areas/numbered.ts';
import { areaOf } from './address-members.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { CHANGES, EXTENT, IN_REGION, elections, pathOfArea } from './area-members.ts';
import { allAreas, withChanges } from '../../registers/areas/rows.ts';
import type { AreaRow } from '../../registers/areas/rows.ts';
import { filtersBy } from './filters.ts';
import { unpadded } from './codes.ts';
import { badPath } from './failure.ts';
import { linkTo, members } from '../wire/row-members.ts';
import type { Place, Readers } from '../wire/row-members.ts';
import { pathCode } from './paths.ts';
import { writtenBy } from './resources.ts';
import type { Found } from './resources.ts';
import type { AddRoute, Around, DoorLookups } from './routes.ts';

const KINDS = [
  [POLLING, 'afstemningsomraader', 'afstemningsområde'],
  [PARISH_POLLING, 'menighedsraadsafstemningsomraader', 'menighedsrådsafstemningsområde'],
] as const;
type Kind = (typeof KINDS)[number];

interface Row extends AreaRow {
  /** null: the register has none. */
  readonly number: string | null;
  /** null: it is in no municipality that is mirrored. */
  readonly municipality: Pick<AreaRow, 'code' | 'name'> | null;
  /** The areas of its inner point, all of which it lies in. Absent: not looked up. */
  readonly areas?: AreaNames | null;
}

async function rowsOf(lookups: DoorLookups, [area]: Kind): Promise<Found<Row>> {
  const [all, municipalities] = await Promise.all([
    allAreas(lookups, area),
    allAreas(lookups, 'kommune'),
  ]);
  const byKey = new Map(municipalities.rows.map((each) => [each.key, each]));
  const rows = all.rows.map((row): Row => {
    const municipality = byKey.get(municipalityKeyOf(row.code)) ?? null;
    return {
      ...row,
      number: numberOf(row.code),
      municipality,
      region: municipality?.region ?? null,
    };
  });
  return { facts: all.facts, rows };
}

const label = ({ number, name }: Row): string => `${number ?? ''} ${name}`.trim();

/** What the district lies in, of its inner point. */
const within =
  (theme: 'opstillingskreds' | 'sogn') =>
  ({ areas = null }: Row, { base }: Place) => {
    const found = areaOf({ areas }, theme);
    return (
      found && {
        href: `${base}/${pathOfArea(theme)}/${found.code}`,
        ...(theme === 'opstillingskreds' && { nummer: unpadded(found.code) }),
        ...{ kode: found.code, navn: found.name },
      }
    );
  };

const READERS: Readers<Row> = {
  ...{ ...EXTENT, ...IN_REGION, betegnelse: label, tekst: label },
  ...elections<Row>(({ areas = null }) =>
    constituencyOf(areaOf({ areas }, 'opstillingskreds')?.code ?? ''),
  ),
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

/** With what it lies in, its changes, and in GeoJSON its surface. */
async function prepared(
  lookups: DoorLookups,
  [area]: Kind,
  rows: readonly Row[],
  { deadline, format }: Around,
): Promise<readonly Row[]> {
  const centers = rows.flatMap(({ center = null }) =>
    center === null ? [] : [pointFromUtm32(center)],
  );
  const { value } = await lookups.reverseAreas.at(centers, deadline);
  const found = value.values();
  const placed = rows.map((row): Row => {
    const answer = (row.center ?? null) === null ? null : found.next().value;
    if (answer instanceof Failure) throw answer;
    return { ...row, areas: answer?.areas ?? null };
  });
  const told = await withChanges(lookups, area, placed);
  return await withSurfaces(told, format, ({ code }) => ringsAt(lookups.areaList, area, code));
}

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
    all: () => rowsOf(lookups, kind),
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
    prepare: (rows, around) => prepared(lookups, kind, rows, around),
  };
}

export function pollingDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) addAreas(add, kindOf(lookups, kind));
}
