/** What the kill test and the process it kills say to each other. */
import type { LayerId } from '../../src/layers/keys.ts';
import type { Phase } from '../../sync/deps.ts';

export type KillAt =
  /** On entering a phase. */
  | { readonly kind: 'phase'; readonly phase: Phase }
  /** At a report of progress: each page, each phase. */
  | { readonly kind: 'report'; readonly number: number }
  /** At a statement of the run: before it is sent, or as soon as it is, its answer unseen. */
  | { readonly kind: 'statement'; readonly number: number; readonly moment: 'before' | 'sent' }
  /** By the parent, so long after it began. */
  | { readonly kind: 'moment'; readonly afterMs: number }
  | { readonly kind: 'never' };

export interface ChildOrder {
  readonly layer: LayerId;
  readonly upstreamUrl: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The file that says how far it came: a phase, or OVER. It outlives the process. */
  readonly trace: string;
  readonly at: KillAt;
}

/** Said in the trace once the run has ended by itself: too late for a kill. */
export const OVER = 'over';

export type ChildReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun' }
  | {
      readonly kind: 'ended';
      readonly state: string;
      readonly statements: number;
      readonly reports: number;
      readonly ms: number;
    }
  | { readonly kind: 'broken'; readonly reason: string };
