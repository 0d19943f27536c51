import type { MirrorId } from '../layers/keys.ts';

/**
 * full: too many layers wait. stopped: this process's sync is not running. unconfigured: the host
 * needs an API key.
 */
export type SyncAnswer = 'queued' | 'running' | 'full' | 'stopped' | 'unconfigured';

/** nothing: no earlier version. moved: another is in force. failed: the reason may be shown. */
export type RevertAnswer =
  | {
      readonly state: 'reverted';
      readonly version: number;
      readonly generation: number;
      readonly rowCount: number;
    }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'nothing' | 'moved' | 'busy' };

export interface Operations {
  readonly liftableGuards: readonly string[];
  /** May publish over the guards once. Does not wait. */
  requestSync(
    layer: MirrorId,
    options: { readonly liftedGuards: readonly string[]; readonly by: string },
  ): SyncAnswer;
  /** Holds the layer until a sync is requested. Never rejects; absent: not supported. */
  readonly revert?: (layer: MirrorId, by: string, of?: number) => Promise<RevertAnswer>;
}

export interface SnapshotFile {
  readonly path: string;
  readonly version: number;
}
