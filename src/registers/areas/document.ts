import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { DAGI_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const AREAS_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'dagi', description: 'Administrative areas' }],
  schemas: DAGI_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
