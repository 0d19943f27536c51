import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { ASSESSMENT_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const ASSESSMENTS_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'vurdering', description: 'Public assessments of property values' }],
  schemas: ASSESSMENT_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
