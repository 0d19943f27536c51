/** `/afstemningsomraader`, `/menighedsraadsafstemningsomraader`: named by municipality and number (D198). */
import type { AreaNames } from '../../answers/answer.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import { geoJsonOf } from '../../registers/areas/area-geometry.ts';
import { meeting, ringsAt } from '../../registers/areas/drawn-areas.ts';
import { numberOf, municipalityKeyOf } from '../../registers/areas/numbered.ts';
import type { Shape } from '../wire/row-formats.ts';
import { areaOf } from './address-fields.ts';
import { addAreas } from './area-resource.ts';
import type { AreaKind } from './area-resource.ts';
import { electionMembers, pathOfArea } from './area-themes.ts';
import { allOf, bboxMembers, changeMembers, head, regionMember, withChanges } from './areas.ts';
import type { AreaRow } from './areas.ts';
import { unpadded } from './codes.ts';
import { badPath } from './failure.ts';
import type { Fields } from './filters.ts';
import { pathCode } from './paths.ts';
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
    allOf(lookups, area),
    allOf(lookups, 'kommune'),
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

const FIELDS: Fields<Row> = {
  dagi_id: { kind: 'number', of: ({ key }) => key },
  kommunekode: { kind: 'code', of: ({ municipality }) => municipality?.code ?? null },
  nummer: { kind: 'number', of: ({ number }) => number },
  navn: { kind: 'text', of: ({ name }) => name },
  regionskode: { kind: 'code', of: ({ region }) => region?.code ?? null },
};

/** With what it lies in, its changes, and in GeoJSON its surface. */
async function prepared(
  lookups: DoorLookups,
  [area]: Kind,
  rows: readonly Row[],
  { deadline, format }: Around,
): Promise<readonly Row[]> {
  const centers = rows.flatMap(({ center }) => (center === null ? [] : [pointFromUtm32(center)]));
  const { value } = await lookups.reverseAreas.at(centers, deadline);
  const found = value.values();
  const placed = rows.map((row): Row => {
    const answer = row.center === null ? null : found.next().value;
    if (answer instanceof Failure) throw answer;
    return { ...row, areas: answer?.areas ?? null };
  });
  const told = await withChanges(lookups, area, placed);
  if (format.format !== 'geojson') return told;
  return await Promise.all(
    told.map(async (row) => {
      const rings = await ringsAt(lookups.areaList, area, row.code);
      return { ...row, geometry: geoJsonOf(rings, format.srid) };
    }),
  );
}

const municipalityOf = ({ municipality }: Row): string => unpadded(municipality?.code ?? '');

function membersOf([area, path]: Kind, { base, format }: Around, row: Row) {
  const { key: dagi_id, name: navn, number: nummer, municipality, areas = null } = row;
  const within = (theme: 'opstillingskreds' | 'sogn') => {
    const found = areaOf({ areas }, theme);
    return (
      found && {
        href: `${base}/${pathOfArea(theme)}/${found.code}`,
        ...(theme === 'opstillingskreds' && { nummer: unpadded(found.code) }),
        ...{ kode: found.code, navn: found.name },
      }
    );
  };
  const district = areaOf({ areas }, 'opstillingskreds');
  return {
    ...head(row, format),
    href: nummer === null ? null : `${base}/${path}/${municipalityOf(row)}/${nummer}`,
    ...{ dagi_id, nummer, navn, afstemningssted: null },
    kommune: municipality && {
      ...{ href: `${base}/kommuner/${municipality.code}`, kode: municipality.code },
      navn: municipality.name,
    },
    ...(area === PARISH_POLLING && { sogn: within('sogn') }),
    ...(area === POLLING && {
      ...{ region: regionMember(base, row), opstillingskreds: within('opstillingskreds') },
      ...electionMembers(base, district?.code),
    }),
  };
}

const labelOf = ({ number, name }: Row): string => `${number ?? ''} ${name}`.trim();

function shapeOf(kind: Kind, around: Around): Shape<Row> {
  return {
    nestet: (row) => membersOf(kind, around, row),
    flad: (row) => ({
      ...{ ...changeMembers(row.change), dagi_id: row.key, nummer: row.number, navn: row.name },
      ...{ afstemningsstednavn: null, kommunekode: row.municipality?.code ?? null },
      kommunenavn: row.municipality?.name ?? null,
      ...(kind[0] === POLLING && {
        ...{ regionskode: row.region?.code ?? null, regionsnavn: row.region?.name ?? null },
      }),
      ...bboxMembers(row.boundsM, row.center, around.format),
    }),
    geometry: ({ geometry = 'null' }) => geometry,
    label: labelOf,
  };
}

function kindOf(lookups: DoorLookups, kind: Kind): AreaKind<Row> {
  const [area, path, member] = kind;
  const { areaList } = lookups;
  return {
    ...{ path: `/${path}`, fields: FIELDS },
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
    shape: (around) => shapeOf(kind, around),
    suggest: (around) => (row) => ({
      ...{ tekst: labelOf(row), [member]: membersOf(kind, around, row) },
    }),
    prepare: (rows, around) => prepared(lookups, kind, rows, around),
  };
}

export function pollingDoor(add: AddRoute, lookups: DoorLookups): void {
  for (const kind of KINDS) addAreas(add, kindOf(lookups, kind));
}
