import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { NATUR_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const LINES_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'natur', description: 'Building lines and protected nature' }],
  schemas: NATUR_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
