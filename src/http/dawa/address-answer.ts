import type { Provenance } from '../../answers/answer.ts';
import { pointFromUtm32 } from '../../geo/project.ts';
import { Failure } from '../../kernel/failures.ts';
import { PARISH_POLLING, POLLING } from '../../layers/keys.ts';
import { accessOf } from '../../registers/addresses/addresses.ts';
import type { ListQuestion } from '../../registers/addresses/addresses.ts';
import type { AddressAnswer } from '../../registers/addresses/copy.ts';
import { numberedAt } from '../../registers/areas/rows.ts';
import { theParcel } from '../../registers/cadastre/parcel-lookup.ts';
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
  const placed = (wantsAreas(around) ? value : []).flatMap((address) => {
    const { position } = accessOf(address);
    return position === null ? [] : [{ address, point: pointFromUtm32(position) }];
  });
  if (placed.length === 0) return { rows: value.map((address) => ({ address })), facts };
  const points = placed.map(({ point }) => point);
  const found = await lookups.reverseAreas.at(points, around.deadline);
  const rows = new Map<Address, AddressRow>();
  const provenance = new Set<Provenance>(facts.provenance);
  for (const [i, { address, point }] of placed.entries()) {
    const answer = found.value[i];
    if (answer === undefined) throw new Error('The lookup gave no answer for a point.');
    // A null would read as "in no parish".
    if (answer instanceof Failure) throw answer;
    const there = lookups.parcels.tryAtSync(point);
    const parcel = there === null ? undefined : theParcel(there);
    for (const each of [answer, there]) each?.provenance.forEach((one) => provenance.add(one));
    rows.set(address, { address, areas: answer.areas, parcel });
  }
  return {
    rows: value.map((address) => rows.get(address) ?? { address }),
    facts: { generation: facts.generation, provenance: [...provenance] },
  };
}

/** Adds what lists leave null. */
async function aroundOf(lookups: DoorLookups, row: AddressRow) {
  const { position } = accessOf(row.address);
  if (position === null) return { row, provenance: [] };
  const point = pointFromUtm32(position);
  const [parcels, towns, polling, parishPolling, heightM] = await Promise.all([
    row.parcel === undefined ? lookups.parcels.at(point).catch(() => undefined) : undefined,
    builtUpAt(lookups.places, point).catch(() => undefined),
    numberedAt(lookups, POLLING, point).catch(() => undefined),
    numberedAt(lookups, PARISH_POLLING, point).catch(() => undefined),
    lookups.heightAt(point).catch(() => undefined),
  ]);
  const parcel = parcels === undefined ? row.parcel : theParcel(parcels);
  const polled = { polling: polling?.value, parishPolling: parishPolling?.value };
  return {
    row: { ...row, ...polled, parcel, towns: towns?.value, heightM },
    provenance: [parcels, towns, polling, parishPolling].flatMap((each) => each?.provenance ?? []),
  };
}

function lacks({ address, details, parcel, ...row }: AddressRow, kind: 'one' | 'list'): boolean {
  if (details === null) return true;
  if (accessOf(address).position === null) return false;
  const ofOne = kind === 'one' ? [row.polling, row.parishPolling, row.towns, row.heightM] : [];
  return [parcel, ...ofOne].includes(undefined);
}

export async function addressAnswer(
  lookups: DoorLookups,
  [kind, of]: readonly [kind: 'one' | 'list', of: ListQuestion['kind']],
  { found, units }: { readonly found: AddressAnswer<readonly Address[]>; readonly units: number },
  around: Around,
): Promise<DoorAnswer<AddressRow>> {
  const { rows, facts } = await detailedRows(lookups, found, around);
  const shape = addressShape(of, around);
  if (kind === 'list' || !wantsAreas(around)) return { kind, rows, facts, shape, units };
  const shown = await Promise.all(rows.map((row) => aroundOf(lookups, row)));
  const provenance = [...facts.provenance, ...shown.flatMap((each) => each.provenance)];
  const told = { ...facts, provenance, isPartial: shown.some(({ row }) => lacks(row, kind)) };
  return { kind, rows: shown.map(({ row }) => row), facts: told, shape, units };
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
  const detailed = rows.map((row, n) => ({ ...row, details: details[n] ?? null }));
  const isPartial = detailed.some((row) => lacks(row, 'list'));
  return { rows: detailed, facts: { ...facts, isPartial } };
}
