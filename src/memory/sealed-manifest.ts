/**
 * What was in service last, in a small file with a checksum, so that a start without the store knows
 * what to load. Each kind says what it writes down; how a file is written, sealed and believed is here.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Type } from 'typebox';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { saveBytes } from '../snapshot/files.ts';

export interface ManifestFile {
  readonly path: string;
  /** Which store it is of: what was published in another one means nothing here. */
  readonly store: string;
}

export interface ManifestKind<T extends TSchema> {
  /** Raised when what the file means changes: an older one is then as good as none. */
  readonly format: number;
  /** What was published, as JSON holds it. */
  readonly published: T;
}

/** Replaces the file, whole. */
export async function saveSealed<T extends TSchema>(
  { format }: ManifestKind<T>,
  { path, store }: ManifestFile,
  published: Static<T>,
): Promise<void> {
  const content = { format, store, published };
  const text = JSON.stringify({ ...content, sha256: sealOf(content) });
  await saveBytes(path, new TextEncoder().encode(text));
}

/** null when there is none, or none that can be believed; `refused` is told why. */
export async function readSealed<T extends TSchema>(
  { format, published }: ManifestKind<T>,
  { path, store }: ManifestFile,
  refused: (reason: string) => void,
): Promise<Static<T> | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const schema = Type.Object({
    format: Type.Literal(format),
    store: Type.String(),
    published,
    /** Of everything above, as JSON. */
    sha256: Type.String(),
  });
  const manifest = parsed(text);
  if (!Value.Check(schema, manifest)) {
    refused('it cannot be read');
    return null;
  }
  const { sha256, ...content } = manifest as unknown as Sealed<Static<T>>;
  if (sealOf(content) !== sha256) {
    refused('its checksum does not match');
    return null;
  }
  if (content.store !== store) {
    refused('it is of another store');
    return null;
  }
  return content.published;
}

interface Sealed<P> {
  readonly format: number;
  readonly store: string;
  readonly published: P;
  readonly sha256: string;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function sealOf(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Fields of a version, as both kinds write them. */
export const count = Type.Integer({ minimum: 0 });
export const instant = Type.Number({ minimum: 0 });
