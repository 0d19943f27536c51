import type { Catalogue } from '../../layers/catalogue.ts';
import { ADDRESSES, PLACE_NAMES } from '../../layers/keys.ts';
import type { ServedRegisters } from '../../mirror/register.ts';
import { addresses } from '../../registers/addresses/register.ts';
import { areas } from '../../registers/areas/register.ts';
import { places } from '../../registers/places/register.ts';
import type { DoorParts } from './door.ts';
import type { DoorSettings } from './mount.ts';

/** null: the door is not mounted. */
export function composeDoor(
  settings: DoorSettings | null,
  { registers }: Pick<Catalogue, 'registers'>,
  lookupsOf: ServedRegisters['lookupsOf'],
): DoorParts | null {
  if (settings === null) return null;
  const { coverage = null } = registers[ADDRESSES];
  const { coverage: placesCoverage = null } = registers[PLACE_NAMES];
  const lookups = {
    addresses: lookupsOf(addresses).addresses,
    ...lookupsOf(areas),
    ...lookupsOf(places),
    ...{ coverage, placesCoverage },
  };
  return { settings, lookups };
}
