/** What was last known of the store, for a start without it; only this user reads it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';
import { seal, unseal } from './sealed.ts';

export interface LastKnownFile {
  readonly path: string;
  readonly storeNames: readonly [string, ...string[]];
  readonly writes: boolean;
}

/** The same, shared by fronts. Neither method rejects. */
export interface SharedLastKnown {
  /** null: none, damaged, of another store, or unavailable. */
  read(): Promise<unknown>;
  /** Writes in the background. */
  save(content: object): void;
}

/** Atomic. Rejects where the file cannot be written. */
export async function saveLastKnown(file: LastKnownFile, content: object): Promise<void> {
  const text = seal({ store: file.storeNames[0], content });
  await mkdir(dirname(file.path), { recursive: true });
  await replaceFile(file.path, (temporary) =>
    writeFile(temporary, text, { mode: 0o600, flush: true }),
  );
}

/** null: none, damaged, or of another store. */
export async function readLastKnown({ path, storeNames }: LastKnownFile): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const found =
    text === null ? null : (unseal(text) as { store?: string; content?: unknown } | null);
  return found !== null && storeNames.includes(found.store ?? '') ? (found.content ?? null) : null;
}
