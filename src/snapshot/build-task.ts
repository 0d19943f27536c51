import type { LayerId } from '../layers/keys.ts';
import type { RecordsMeta } from './property-records.ts';
import type { RowSource } from './row-feed.ts';

/**
 * Builds one layer's snapshot. Lists: `features` of SnapshotFeature[], then `edges` of
 * Uint8Array[]. Worker: `build-snapshot.ts`.
 */
export interface BuildSnapshotTask extends RowSource {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  readonly files: { readonly flatGeobuf: string; readonly engine: string } | null;
}

export interface BuildRecordsTask extends RowSource {
  readonly paths: { readonly records: string; readonly index: string };
  /** The file in service: unchanged records are copied from it if `meta` says so. */
  readonly earlier: { readonly index: SharedArrayBuffer; readonly records: string } | null;
}

/** The row of `meta`. `isChange`: the records replace those of `earlier`; else they are all. */
export interface RecordsToWrite extends Omit<RecordsMeta, 'written'> {
  readonly isChange: boolean;
}

/** In shared memory: passed, not copied. */
export interface BuiltSnapshot {
  readonly buffer: SharedArrayBuffer;
}
