import type { SnapshotStoreSettings } from '../kernel/snapshot-store-settings.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store } from './s3-store.ts';
import { SharedFiles } from './shared-files.ts';
import type { SharedFilesOptions } from './shared-files.ts';

export function openSnapshotStore(
  settings: SnapshotStoreSettings,
  { sources, nowMs, log, snapshotKeys }: Omit<SharedFilesOptions, 'store' | 'limits'>,
): SharedFiles {
  const store = openObjectStore(settings);
  return new SharedFiles({ store, sources, nowMs, log, snapshotKeys });
}

export function openObjectStore(settings: SnapshotStoreSettings): ObjectStore {
  return settings.kind === 's3' ? new S3Store(settings) : new DirectoryStore(settings.directory);
}
