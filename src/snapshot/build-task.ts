/** The thread that builds a layer's snapshot, as whoever has the rows asks for it. */
import type { LayerId } from '../layers/keys.ts';
import type { RecordsMeta } from './property-records.ts';
import type { RowSource } from './row-feed.ts';

/**
 * Build one layer's snapshot. Lists: `features` of SnapshotFeature[], then `edges` of Uint8Array[].
 * Worker: `build-snapshot.ts`.
 */
export interface BuildSnapshotTask extends RowSource {
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly files: { readonly flatGeobuf: string; readonly engine: string } | null;
}

/** Build the file of properties. Lists: `meta`, then `records`. Worker: `build-property-records.ts`. */
export interface BuildRecordsTask extends RowSource {
  readonly paths: { readonly records: string; readonly index: string };
  /** The file in service: where `meta` says so, the records that did not change are taken from it. */
  readonly earlier: { readonly index: SharedArrayBuffer; readonly records: string } | null;
}

/** The row of `meta`. `isChange`: the records that follow replace those of `earlier`; else they are all. */
export interface RecordsToWrite extends Omit<RecordsMeta, 'written'> {
  readonly isChange: boolean;
}

/** Shared memory: passed, not copied. */
export interface BuiltSnapshot {
  readonly buffer: SharedArrayBuffer;
}
