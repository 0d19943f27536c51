import type { LayerId } from '../layers/keys.ts';
import type { RecordsMeta } from './property-records.ts';
import type { RowSource } from './row-feed.ts';

/**
 * Lists: `features` of SnapshotFeature[], then `edges` of Uint8Array[]. Worker:
 * `build-snapshot.ts`.
 */
export interface BuildSnapshotTask extends RowSource {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  readonly files: { readonly flatGeobuf: string; readonly engine: string } | null;
}

export interface BuildRecordsTask extends RowSource {
  readonly paths: { readonly records: string; readonly index: string };
  /** In service: records are copied from it if `meta` allows. */
  readonly earlier: { readonly index: SharedArrayBuffer; readonly records: string } | null;
}

/** `isChange`: the records replace those of `earlier`. */
export interface RecordsToWrite extends Omit<RecordsMeta, 'written'> {
  readonly isChange: boolean;
}

export interface BuiltSnapshot {
  readonly buffer: SharedArrayBuffer;
}
