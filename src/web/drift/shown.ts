import type { DifferenceMap } from './difference-map.ts';
import type { Board, Change, Changes, Day, Difference, History, Layer } from './types.ts';
import type { RunPage, RunWithIssues } from './types.ts';

export interface RunList {
  readonly list: readonly RunWithIssues[];
  readonly unread: RunPage['ulaeste'];
  readonly next: string | null;
  readonly error: string | null;
}

export interface Comparison {
  /** Versions; null: as proposed. */
  from: number | null;
  to: number | null;
  isAsking: boolean;
  found: Difference | string | null;
  map: DifferenceMap | null;
  /** Draws the map of `found` where its place comes into the page. */
  draw: (place: Element | undefined) => void;
}

export interface Opened {
  /** null while they are fetched. */
  runs: RunList | null;
  /** Or why it is not known; null: being fetched. */
  past: History | string | null;
  /** Latest run known when they were fetched: after another one they are fetched again. */
  latest: string;
  readonly comparison: Comparison;
}

export interface Shown {
  readonly data: Board;
  readonly changes: Changes | null;
  /** Or why they are not known. */
  readonly days: readonly Day[] | string | null;
  readonly open: ReadonlyMap<string, Opened>;
  readonly narrow: boolean;
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
  readonly redraw: () => void;
}

export interface LayerContext {
  readonly can: Board['kan'];
  /** null: closed. */
  readonly open: Opened | null;
  readonly narrow: boolean;
  readonly act: Acts;
}
