import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { CleanseSchema } from './datavask-schema.ts';
import { POSTCODE_SCHEMAS } from './postcode-schema.ts';
import { ADDRESS_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const ADDRESSES_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'adresser', description: 'Addresses, datavask and postcodes' }],
  schemas: [...ADDRESS_SCHEMAS, CleanseSchema, ...POSTCODE_SCHEMAS],
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
