/** What the kill test and the process it kills say to each other. */
import type { MirrorId } from '../../src/layers/keys.ts';
import type { Phase } from '../../sync/deps.ts';

export type KillAt =
  | { readonly kind: 'phase'; readonly phase: Phase }
  /** At a report of progress: each page, each phase. */
  | { readonly kind: 'report'; readonly number: number }
  /** At a statement of the run: before it is sent, or as soon as it is, its answer unseen. */
  | { readonly kind: 'statement'; readonly number: number; readonly moment: 'before' | 'sent' }
  /** By the parent, so long after it began. */
  | { readonly kind: 'moment'; readonly afterMs: number }
  /** So long after it has begun to build the file of properties, behind a publication. */
  | { readonly kind: 'records'; readonly afterMs: number }
  | { readonly kind: 'never' };

/** Said in the trace while the file of properties is built; the phases of a run are over then. */
export const RECORDS = 'records';

export interface ChildOrder {
  readonly layer: MirrorId;
  readonly upstreamUrl: string;
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** The file that says how far it came: a phase, or OVER. It outlives the process. */
  readonly trace: string;
  /** Where the file of properties is built behind a publication; null: it is not. */
  readonly records: string | null;
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
