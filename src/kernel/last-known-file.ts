/** What was last known of the store, in a file that only this user reads, for a start without the store. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from './replace-file.ts';
import { seal, unseal } from './sealed.ts';

export interface LastKnownFile {
  readonly path: string;
  /** Another store's content means nothing here. */
  readonly storeNames: readonly [string, ...string[]];
  /** Whether this thread writes it. */
  readonly writes: boolean;
}

/** The same where fronts share it, for one that has no file. Neither rejects. */
export interface SharedLastKnown {
  /** null: none, damaged, of another store, or not to be had. */
  read(): Promise<unknown>;
  /** In the background. */
  save(content: object): void;
}

/** Replaces the file atomically. Rejects where it cannot be written. */
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
