import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { CADASTRE_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const CADASTRE_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'matrikel', description: 'Cadastre' }],
  schemas: CADASTRE_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
