import type { MirrorId } from '../layers/keys.ts';

/**
 * queued: a run will follow. running: one waits or runs. full: too many layers wait. stopped: this
 * process's sync is not running. unconfigured: the host needs an API key that is not configured.
 */
export type SyncAnswer = 'queued' | 'running' | 'full' | 'stopped' | 'unconfigured';

/**
 * reverted: the previous version is published again, with a new version and generation. nothing:
 * there is no earlier version. busy: a run is in progress. failed: nothing changed; the reason may
 * be shown.
 */
export type RevertAnswer =
  | {
      readonly state: 'reverted';
      readonly version: number;
      readonly generation: number;
      readonly rowCount: number;
    }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'nothing' | 'busy' };

export interface Operations {
  readonly liftableGuards: readonly string[];
  /** The run may publish over the named guards once. Does not wait for it. */
  requestSync(
    layer: MirrorId,
    options: { readonly liftedGuards: readonly string[]; readonly by: string },
  ): SyncAnswer;
  /**
   * Publishes the previous version again and holds the layer until a sync is requested. Never
   * rejects; absent: not supported.
   */
  readonly revert?: (layer: MirrorId, by: string) => Promise<RevertAnswer>;
}

/** A layer's published version as a file for other programs. */
export interface SnapshotFile {
  readonly path: string;
  readonly version: number;
}
