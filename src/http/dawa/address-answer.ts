import type { AreaNames, Provenance } from '../../answers/answer.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { ListQuestion } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { numberedAt } from '../../registers/areas/rows.ts';
import { theParcel } from '../../registers/cadastre/parcel-lookup.ts';
import type { NamedParcel } from '../../registers/cadastre/parcel-lookup.ts';
import { builtUpAt } from '../../registers/places/wanted.ts';
import type { AddressRow } from './address-members.ts';
import { addressShape } from './address-shape.ts';
import type { Around, DoorAnswer, DoorLookups } from './routes.ts';

type Address = AddressRow['address'];

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
  const points = placed.map(({ point }) => point);
  const found = await lookups.reverseAreas.at(points, around.deadline);
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

/** null: none, several or unknown. */
function parcelAt({ parcels }: DoorLookups, address: Address): NamedParcel | null {
  const { position } = accessOf(address);
  return position && theParcel(parcels.tryAtSync(pointFromUtm32(position)));
}

/** Adds what lists leave null. */
async function aroundOf(lookups: DoorLookups, row: AddressRow): Promise<AddressRow> {
  const { position } = accessOf(row.address);
  if (position === null) return row;
  const point = pointFromUtm32(position);
  const [parcel, towns, polling, parishPolling, heightM] = await Promise.all([
    row.parcel ?? lookups.parcels.at(point).then(theParcel, () => null),
    builtUpAt(lookups.places, point),
    numberedAt(lookups, POLLING, point),
    numberedAt(lookups, PARISH_POLLING, point),
    lookups.heightAt(point).catch(() => undefined),
  ]);
  const height = heightM !== undefined && { heightM };
  return { ...row, parcel, polling, parishPolling, ...height, ...(towns && { towns }) };
}

const lacks = ({ parcel, polling, parishPolling, towns, heightM }: AddressRow): boolean =>
  [parcel, polling, parishPolling].includes(null) || [towns, heightM].includes(undefined);

export async function addressAnswer(
  lookups: DoorLookups,
  [kind, of]: readonly [kind: 'one' | 'list', of: ListQuestion['kind']],
  { found, units }: { readonly found: AddressAnswer<readonly Address[]>; readonly units: number },
  around: Around,
): Promise<DoorAnswer<AddressRow>> {
  const { rows, facts } = await detailedRows(lookups, found, around);
  const isOne = kind === 'one' && wantsAreas(around);
  const shape = addressShape(of, around);
  if (!isOne) return { kind, rows, facts, shape, units };
  const shown = await Promise.all(rows.map((row) => aroundOf(lookups, row)));
  const isPartial = facts.isPartial === true || shown.some(lacks);
  return { kind, rows: shown, facts: { ...facts, isPartial }, shape, units };
}

/** Uses the store's rows alone (D196). */
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
  const isPartial = rows.some((_, n) => details[n] === null);
  return {
    rows: rows.map((row, n) => ({ ...row, details: details[n] ?? null })),
    facts: { ...facts, isPartial },
  };
}
