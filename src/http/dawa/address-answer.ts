/** Answers of addresses with the areas they lie in. */
import type { AreaNames, Provenance } from '../../answers/answer.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { AccessAddress, UnitAddress } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { ADDRESS_SHAPE } from './address-shape.ts';
import type { AddressRow } from './address-fields.ts';
import type { Rows } from './format.ts';
import type { Around, DoorAnswer, DoorLookups } from './routes.ts';

type Address = AccessAddress | UnitAddress;

function wantsAreas({ format }: Around): boolean {
  return format.structure !== 'mini' || format.format === 'csv' || format.format === 'geojson';
}

export async function addressRows(
  { reverseAreas }: DoorLookups,
  { value, ...facts }: AddressAnswer<readonly Address[]>,
  around: Around,
): Promise<{ readonly rows: readonly AddressRow[]; readonly facts: DoorAnswer<unknown>['facts'] }> {
  const { base, format, deadline } = around;
  const row = (address: Address, areas: AreaNames | null): AddressRow => {
    return { address, areas, base, srid: format.srid };
  };
  const placed = (wantsAreas(around) ? value : []).flatMap((address) => {
    const { position } = accessOf(address);
    return position === null ? [] : [{ address, point: pointFromUtm32(position) }];
  });
  if (placed.length === 0) return { rows: value.map((each) => row(each, null)), facts };
  const found = await reverseAreas.at(
    placed.map(({ point }) => point),
    deadline,
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

export async function addressAnswer(
  lookups: DoorLookups,
  kind: Rows<unknown>['kind'],
  { found, units }: { readonly found: AddressAnswer<readonly Address[]>; readonly units: number },
  around: Around,
): Promise<DoorAnswer<AddressRow>> {
  return { kind, ...(await addressRows(lookups, found, around)), shape: ADDRESS_SHAPE, units };
}
