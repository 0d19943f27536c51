/** What an operator can do to a layer, as an interface; whoever runs the sync provides it. */
import type { MirrorId } from '../layers/keys.ts';

/**
 * queued: a run will follow. running: one waits or goes on already. full: too many layers wait.
 * stopped: the sync of this process is not running. unconfigured: the layer's host wants an API key
 * and none is configured, so no run could do anything.
 */
export type SyncAnswer = 'queued' | 'running' | 'full' | 'stopped' | 'unconfigured';

/**
 * reverted: the previous version is published again, under a new version and generation.
 * nothing: there is no earlier version to go back to. busy: a run of the layer is going on.
 * failed: nothing changed; the reason is fit to be shown.
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
  /** Guards a person may lift for one run; the others are rows lost on the way. */
  readonly liftableGuards: readonly string[];
  /** Asks for a run, which may publish over the guards named, this once. Never waits for it. */
  requestSync(
    layer: MirrorId,
    options: { readonly liftedGuards: readonly string[]; readonly by: string },
  ): SyncAnswer;
  /**
   * Publishes the previous version again and holds the layer until someone asks for a sync.
   * Rejects never; absent where reverting is not built in.
   */
  readonly revert?: (layer: MirrorId, by: string) => Promise<RevertAnswer>;
}

/** The published version of a layer as a file that other programs open. */
export interface SnapshotFile {
  /** Where it should lie; it may be gone or not yet written. */
  readonly path: string;
  readonly version: number;
}
