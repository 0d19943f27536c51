/** What passes between whoever has a layer's rows and the thread that builds its snapshot. */
import type { MessagePort } from 'node:worker_threads';
import type { LayerId } from '../layers/keys.ts';
import type { SnapshotFeature } from './build-layer.ts';

/** Build one layer's snapshot from rows sent through `port`. Worker: `build-snapshot.ts`. */
export interface BuildSnapshotTask {
  /** Receives BuildSnapshotMessage; says 'ready' first and 'taken' after each batch. Handed over. */
  readonly port: MessagePort;
  readonly layer: LayerId;
  readonly geometry: 'area' | 'line';
  readonly version: number;
  /** Where to write it; null: nowhere. */
  readonly files: { readonly flatGeobuf: string; readonly engine: string } | null;
}

export type BuildSnapshotMessage =
  | { readonly kind: 'features'; readonly rows: readonly SnapshotFeature[] }
  | { readonly kind: 'edges'; readonly edges: readonly Uint8Array[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'abort' };

/** Shared memory: passed, not copied. */
export interface BuiltSnapshot {
  readonly buffer: SharedArrayBuffer;
}
