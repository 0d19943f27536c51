/** The registers that the door translates. */
import type { Catalogue } from '../layers/catalogue.ts';
import { ADDRESSES, CADASTRE, PLACE_NAMES } from '../layers/keys.ts';
import { addresses } from '../registers/addresses/register.ts';
import { areas } from '../registers/areas/register.ts';
import { cadastre } from '../registers/cadastre/register.ts';
import { places } from '../registers/places/register.ts';
import { property } from '../registers/property/register.ts';
import { terrain } from '../registers/terrain/register.ts';
import type { ServedRegisters } from '../core/register.ts';
import type { DoorLookups } from '../http/dawa/routes.ts';

export function doorLookups(
  lookupsOf: ServedRegisters['lookupsOf'],
  { registers }: Pick<Catalogue, 'registers'>,
): DoorLookups {
  const { terrain: heights } = lookupsOf(terrain);
  return {
    ...{ addresses: lookupsOf(addresses).addresses, ...lookupsOf(areas) },
    ...{ ...lookupsOf(places), ...lookupsOf(cadastre), built: lookupsOf(property).built },
    heightAt: async (point) => (await heights?.onDisk(point)) ?? null,
    coverage: registers[ADDRESSES].coverage ?? null,
    placesCoverage: registers[PLACE_NAMES].coverage ?? null,
    parcelsCoverage: registers[CADASTRE].coverage ?? null,
  };
}
