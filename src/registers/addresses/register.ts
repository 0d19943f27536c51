import type { Register } from '../../core/register.ts';
import { areas } from '../areas/register.ts';
import { composeAddresses } from './compose.ts';
import type { AddressLookups } from './compose.ts';
import { ADDRESSES_DOCUMENT } from './document.ts';
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
  document: ADDRESSES_DOCUMENT,
  questions: ADDRESS_QUESTIONS,
  openMemory: createAddressLoader,
  jobKinds: [datavask, reverse],
  compose: composeAddresses,
};
