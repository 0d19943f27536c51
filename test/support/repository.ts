import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder that holds the product and these tests. */
export const ROOT = join(import.meta.dirname, '../..');

/** A file of it as text, by its path from there. */
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
