import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { PROPERTY_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const PROPERTY_DOCUMENT: RegisterDocument = {
  tags: [
    { name: 'bbr', description: 'Properties with their buildings, dwellings and facilities' },
    { name: 'demo', description: 'The final data contract, shown with invented data' },
  ],
  schemas: PROPERTY_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
