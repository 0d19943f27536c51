import { join } from 'node:path';
import type { RegisterDocument } from '../../core/document.ts';
import { TERRAIN_SCHEMAS } from './schema.ts';
import { DANISH } from './texts.ts';

export const TERRAIN_DOCUMENT: RegisterDocument = {
  tags: [{ name: 'dhm', description: 'Heights of the terrain' }],
  schemas: TERRAIN_SCHEMAS,
  danish: DANISH,
  examplesFile: join(import.meta.dirname, 'examples.json'),
};
