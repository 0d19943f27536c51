import { addresses } from '../../registers/addresses/register.ts';
import { areas } from '../../registers/areas/register.ts';
import { cadastre } from '../../registers/cadastre/register.ts';
import { places } from '../../registers/places/register.ts';
import { property } from '../../registers/property/register.ts';
import { terrain } from '../../registers/terrain/register.ts';
import type { ServedRegisters } from '../../core/register.ts';
import type { DoorLookups } from './routes.ts';

export function doorLookups(lookupsOf: ServedRegisters['lookupsOf']): DoorLookups {
  const { terrain: heights } = lookupsOf(terrain);
  const [named, parcels] = [lookupsOf(places), lookupsOf(cadastre)];
  return {
    ...{ ...lookupsOf(areas), ...named, ...parcels, ...lookupsOf(addresses) },
    ...{ placesCoverage: named.coverage, parcelsCoverage: parcels.coverage },
    built: lookupsOf(property).built,
    heightAt: async (point) => (await heights?.onDisk(point)) ?? null,
  };
}
