import { join } from 'node:path';
import type { Register } from '../../core/register.ts';
import { areas } from '../areas/register.ts';
import { composeAddresses } from './compose.ts';
import type { AddressLookups } from './compose.ts';
import { CleanseSchema } from './datavask-schema.ts';
import { POSTCODE_SCHEMAS } from './postcode-schema.ts';
import { ADDRESS_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';
import { ADDRESS_QUESTIONS } from './questions.ts';
import { createAddressLoader } from './load.ts';
import type { AddressLoader } from './load.ts';
import { ADDRESS_REGISTER } from './mirror.ts';
import { datavask } from './datavask-job.ts';
import { reverse } from './reverse-job.ts';

export const addresses: Register<AddressLookups, AddressLoader> = {
  name: 'addresses',
  joins: [areas],
  mirrors: [ADDRESS_REGISTER],
  document: {
    tags: [{ name: 'adresser', description: 'Addresses, datavask and postcodes' }],
    schemas: [...ADDRESS_SCHEMAS, CleanseSchema, ...POSTCODE_SCHEMAS],
    danish: DANISH,
    examplesFile: join(import.meta.dirname, 'examples.json'),
  },
  questions: ADDRESS_QUESTIONS,
  openMemory: createAddressLoader,
  jobKinds: [datavask, reverse],
  compose: composeAddresses,
};
