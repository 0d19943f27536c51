import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { COMPANY_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const COMPANIES_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'cvr', description: 'Companies' }],
  schemas: COMPANY_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
