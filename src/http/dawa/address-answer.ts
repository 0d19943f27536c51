/** Answers of addresses with the areas they lie in. */
import type { AreaNames, Provenance } from '../../answers/answer.ts';
import type { Point } from '../../geo/point.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import type { District } from '../../layers/keys.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type {
  AccessAddress,
  ListQuestion,
  UnitAddress,
} from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { numberOf } from '../../registers/areas/numbered.ts';
import type { NamedParcel, ParcelsAnswer } from '../../registers/cadastre/parcel-lookup.ts';
import type { NamedPlace } from '../../registers/places/places.ts';
import { addressShape } from './address-shape.ts';
import type { AddressRow, Numbered } from './address-members.ts';
import type { Around, DoorAnswer, DoorLookups } from './routes.ts';

type Address = AccessAddress | UnitAddress;

function wantsAreas({ format }: Around): boolean {
  return format.structure !== 'mini' || format.format === 'csv' || format.format === 'geojson';
}

export async function addressRows(
  lookups: DoorLookups,
  { value, ...facts }: AddressAnswer<readonly Address[]>,
  around: Around,
): Promise<{ readonly rows: readonly AddressRow[]; readonly facts: DoorAnswer<unknown>['facts'] }> {
  const row = (address: Address, areas: AreaNames | null): AddressRow => {
    return { address, areas, parcel: areas && parcelAt(lookups, address) };
  };
  const placed = (wantsAreas(around) ? value : []).flatMap((address) => {
    const { position } = accessOf(address);
    return position === null ? [] : [{ address, point: pointFromUtm32(position) }];
  });
  if (placed.length === 0) return { rows: value.map((each) => row(each, null)), facts };
  const found = await lookups.reverseAreas.at(
    placed.map(({ point }) => point),
    around.deadline,
  );
  const areas = new Map<Address, AreaNames>();
  const provenance = new Set<Provenance>(facts.provenance);
  for (const [i, { address }] of placed.entries()) {
    const answer = found.value[i];
    if (answer === undefined) throw new Error('The lookup gave no answer for a point.');
    // A null would read as "in no parish".
    if (answer instanceof Failure) throw answer;
    for (const each of answer.provenance) provenance.add(each);
    areas.set(address, answer.areas);
  }
  return {
    rows: value.map((each) => row(each, areas.get(each) ?? null)),
    facts: { generation: facts.generation, provenance: [...provenance] },
  };
}

/** As the cadastre has it in memory; null: none, several or unknown. */
function parcelAt({ parcels }: DoorLookups, address: Address): NamedParcel | null {
  const { position } = accessOf(address);
  return position && theParcel(parcels.tryAtSync(pointFromUtm32(position)));
}

function theParcel(found: ParcelsAnswer | null): NamedParcel | null {
  const [only = null, ...others] = found?.parcels ?? [];
  return others.length > 0 || only?.districtCode === null || only?.number === null ? null : only;
}

/** What is looked up for one address alone, and null in lists: from the stores too. */
async function aroundOf(lookups: DoorLookups, row: AddressRow): Promise<AddressRow> {
  const { position } = accessOf(row.address);
  if (position === null) return row;
  const point = pointFromUtm32(position);
  const [parcel, towns, polling, parishPolling, heightM] = await Promise.all([
    row.parcel ?? lookups.parcels.at(point).then(theParcel, () => null),
    townsAt(lookups, point),
    districtAt(lookups, POLLING, point),
    districtAt(lookups, PARISH_POLLING, point),
    lookups.heightAt(point),
  ]);
  return { ...row, parcel, polling, parishPolling, heightM, ...(towns && { towns }) };
}

/** null: unknown, or there is none. */
async function districtAt(
  { areaList }: DoorLookups,
  district: District,
  point: Point,
): Promise<Numbered | null> {
  const found = await areaList.districtsAt(district, point).catch(() => null);
  const [only] = found?.value ?? [];
  return only === undefined ? null : { number: numberOf(only.code), name: only.name };
}

/** Built-up places around it; null: unknown. */
async function townsAt(
  { places }: DoorLookups,
  point: Point,
): Promise<readonly NamedPlace[] | null> {
  const found = await places.near(point, 0).catch(() => null);
  if (found === null || found.value.length >= LIMITS.places.near) return null;
  const towns = found.value.map(({ place }) => place);
  return towns.filter(({ mainType }) => mainType === 'Bebyggelse');
}

export async function addressAnswer(
  lookups: DoorLookups,
  [kind, of]: readonly [kind: 'one' | 'list', of: ListQuestion['kind']],
  { found, units }: { readonly found: AddressAnswer<readonly Address[]>; readonly units: number },
  around: Around,
): Promise<DoorAnswer<AddressRow>> {
  const { rows, facts } = await detailedRows(lookups, found, around);
  const isOne = kind === 'one' && wantsAreas(around);
  const shown = isOne ? await Promise.all(rows.map((row) => aroundOf(lookups, row))) : rows;
  return { kind, rows: shown, facts, shape: addressShape(of, around), units };
}

/** With what the store's rows alone say of them (D196). */
export async function detailedRows(
  lookups: DoorLookups,
  found: AddressAnswer<readonly Address[]>,
  around: Around,
): ReturnType<typeof addressRows> {
  if (!wantsAreas(around)) return await addressRows(lookups, found, around);
  const [{ rows, facts }, details] = await Promise.all([
    addressRows(lookups, found, around),
    lookups.addresses.details(found.value),
  ]);
  return { rows: rows.map((row, n) => ({ ...row, details: details[n] ?? null })), facts };
}
