import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { PLACE_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const PLACES_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'stednavne', description: 'Place names (Danske Stednavne)' }],
  schemas: PLACE_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
