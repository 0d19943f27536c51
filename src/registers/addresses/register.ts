import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import { areas, municipalitiesIn } from '../areas/register.ts';
import type { AddressLookups } from './lookup.ts';
import { CleanseSchema } from './datavask-question.ts';
import { POSTCODE_SCHEMAS } from './postcode-questions.ts';
import { ADDRESS_SCHEMAS, ADDRESS_QUESTIONS } from './questions.ts';
import { createAddressLoader } from './load.ts';
import type { AddressLoader } from './load.ts';
import { ADDRESS_REGISTER } from './mirror.ts';
import { withTail } from '../../answers/register-meta.ts';
import { ADDRESSES, POSTAL } from '../../layers/keys.ts';
import { readPostalDistricts } from '../areas/districts.ts';
import { createPostalDistricts } from '../areas/postal-districts.ts';
import { keptDetails, readDetails } from './details.ts';
import { createAddresses } from './lookup.ts';
import { accessMemory } from './find-access.ts';
import { composeHouseTiles } from './house-tiles.ts';
import { addressMeta } from './meta.ts';
import { readNearestAddresses } from './reverse-store.ts';

export const addresses: Register<AddressLookups, AddressLoader> = {
  name: 'addresses',
  joins: [areas],
  mirrors: [ADDRESS_REGISTER],
  document: {
    tags: [{ name: 'adresser', description: 'Addresses, datavask and postcodes' }],
    schemas: [...ADDRESS_SCHEMAS, CleanseSchema, ...POSTCODE_SCHEMAS],
    folder: import.meta.dirname,
  },
  questions: ADDRESS_QUESTIONS,
  openMemory: createAddressLoader,
  compose: composeAddresses,
};

function composeAddresses(
  parts: RegisterParts,
  memory: Pick<AddressLoader, 'current' | 'isLacking'> | null,
): Composed<AddressLookups> {
  const { catalogue, clock, store, lands, onExpired, watcher } = parts;
  const register = catalogue.registers[ADDRESSES];
  const { coverage = null } = register;
  const addressesInMemory = () => memory?.current ?? null;
  const addresses = createAddresses({
    ...{ clock, register, lands, watcher, onExpired },
    memory: addressesInMemory,
    readDetails: keptDetails(readDetails(store)),
    readNearest: (points, radiusM) => readNearestAddresses(store, points, radiusM),
    areas: parts.lookupsOf(areas).reverseAreas,
    districts: createPostalDistricts({
      ...{ clock, watcher },
      freshness: catalogue.areas[POSTAL].freshness,
      read: () => readPostalDistricts(store),
      onExpired: () => onExpired(POSTAL),
    }),
    municipalities: () => municipalitiesIn(parts),
    municipalityFreshness: catalogue.areas.kommune.freshness,
  });
  return {
    lookups: {
      ...{ addresses, coverage, ...withTail(addressMeta(parts)) },
      addressesInMemory,
      accesses: accessMemory({
        ...{ catalogue, clock, current: addressesInMemory, addresses },
        isLacking: () => memory?.isLacking ?? false,
      }),
    },
    tiles: [composeHouseTiles(parts)],
  };
}
