/**
 * Removes versions that no manifest names, then files that no version names, a day after they were
 * written: a front may be reading them.
 */
import { entrySchema, manifestSchema, unsealed } from './entries.ts';
import type { SnapshotStoreLimits } from './limits.ts';
import { NotAnObject } from './object-store.ts';
import type { ListedObject, ObjectStore } from './object-store.ts';

interface TidyOptions {
  readonly nowMs: number;
  readonly signal: AbortSignal;
  readonly limits: Pick<SnapshotStoreLimits, 'keptMs' | 'listed' | 'smallBytes'>;
  readonly keys: readonly string[];
}

/** Removes nothing where something cannot be read. */
export async function removeUnpublished(store: ObjectStore, options: TidyOptions): Promise<void> {
  const { nowMs, signal, limits } = options;
  const isOld = ({ modifiedAtMs }: ListedObject) => nowMs - modifiedAtMs > limits.keptMs;
  const objects = await store.list('', limits.listed, signal);
  if (objects.length >= limits.listed) throw new Error(`it holds ${limits.listed} objects or more`);
  const of = (kind: string) => objects.filter(({ key }) => key.split('/').at(-2) === kind);
  const named = await namedIn(store, of('manifests'), options);
  for (const object of of('versions')) {
    const { key } = object;
    const stem = key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, '');
    if (isOld(object) && !named.stems.has(`${rootOf(key)} ${stem}`)) {
      await store.remove(key, signal);
      continue;
    }
    const entry = await readSealed(store, key, options, entrySchema);
    for (const { sha256 } of entry?.files ?? []) named.files.add(sha256);
  }
  for (const object of of('files')) {
    const name = object.key.slice(object.key.lastIndexOf('/') + 1);
    if (isOld(object) && !named.files.has(name)) await store.remove(object.key, signal);
  }
}

async function namedIn(
  store: ObjectStore,
  manifests: readonly ListedObject[],
  options: TidyOptions,
) {
  const named = { stems: new Set<string>(), files: new Set<string>() };
  for (const { key } of manifests) {
    const manifest = await readSealed(store, key, options, manifestSchema);
    for (const { stem, files } of manifest?.entries ?? []) {
      named.stems.add(`${rootOf(key)} ${stem}`);
      for (const { sha256 } of files) named.files.add(sha256);
    }
  }
  return named;
}

/** `sample/v1` of `sample/v1/manifests/places.json`. */
function rootOf(key: string): string {
  return key.split('/').slice(0, -2).join('/');
}

async function readSealed<S extends typeof entrySchema | typeof manifestSchema>(
  store: ObjectStore,
  key: string,
  { limits, signal, keys }: TidyOptions,
  schema: S,
) {
  const bytes = await store.read(key, limits.smallBytes, signal).catch((error: unknown) => {
    if (error instanceof NotAnObject) return null;
    throw error;
  });
  // Damaged: readers refuse it, and its front publishes another.
  return bytes === null ? null : unsealed(bytes, schema, { name: key, keys });
}
