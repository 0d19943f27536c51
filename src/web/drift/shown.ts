/** What the page makes of the answers, and what its parts are drawn with. */
import type { Board, Change, History, Layer, RunPage, RunWithIssues } from './types.ts';

/** What an open layer went through, or why that is not known. */
export type HistoryRead =
  | { readonly history: History; readonly error: null }
  | { readonly history: null; readonly error: string };

/** The runs of an open layer, or why there are none. */
export interface RunList {
  readonly list: readonly RunWithIssues[];
  readonly unread: RunPage['ulaeste'];
  readonly next: string | null;
  readonly error: string | null;
}

export interface Acts {
  readonly sync: (layer: Layer) => Promise<void>;
  readonly release: (layer: Layer) => Promise<void>;
  readonly revert: (layer: Layer) => Promise<void>;
  readonly confirm: (change: Change) => Promise<void>;
  readonly unconfirm: (change: Change) => Promise<void>;
  readonly download: (layer: Layer) => Promise<void>;
  readonly toggle: (layer: Layer) => void;
  readonly more: (layer: Layer) => Promise<void>;
}

/** What a layer is drawn with, beside itself. */
export interface LayerContext {
  readonly can: Board['kan'];
  /** The time it was, milliseconds. */
  readonly now: number;
  readonly open: boolean;
  /** null while they are fetched. */
  readonly runs: RunList | null;
  readonly past: HistoryRead | null;
  /** Where two versions are compared; it lasts while the rest is drawn anew. */
  readonly compare: HTMLElement | null;
  /** The window is a phone's. */
  readonly narrow: boolean;
  readonly act: Acts;
}
