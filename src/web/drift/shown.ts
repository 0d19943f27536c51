/** What the page makes of the answers, and what its parts are drawn with. */
import type { DifferenceMap } from './difference-map.ts';
import type { Board, Change, Changes, Day, Difference, History, Layer } from './types.ts';
import type { RunPage, RunWithIssues } from './types.ts';

/** The runs of an open layer, or why there are none. */
export interface RunList {
  readonly list: readonly RunWithIssues[];
  readonly unread: RunPage['ulaeste'];
  readonly next: string | null;
  readonly error: string | null;
}

/** Two versions of a layer: which are chosen, and what differs or why that is not known. */
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
  /** What the layer went through, or why that is not known; null while it is fetched. */
  past: History | string | null;
  /** The latest run that was known when they were fetched: another one, and they are fetched again. */
  latest: string;
  readonly comparison: Comparison;
}

export interface Shown {
  readonly data: Board;
  readonly changes: Changes | null;
  /** Or why they are not known. */
  readonly days: readonly Day[] | string | null;
  readonly open: ReadonlyMap<string, Opened>;
  /** The window is a phone's. */
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
  /** Draws what is known anew. */
  readonly redraw: () => void;
}

export interface LayerContext {
  readonly can: Board['kan'];
  /** null: it is closed. */
  readonly open: Opened | null;
  readonly narrow: boolean;
  readonly act: Acts;
}
