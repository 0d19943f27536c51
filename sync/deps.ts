/** What a sync is given, and what it tells. Nothing here is read from anywhere: all is handed in. */
import type { Clock } from '../src/kernel/clock.ts';
import type { Log } from '../src/kernel/log.ts';
import type { Store } from '../src/db/connect.ts';
import type { Catalogue, Layer } from '../src/layers/catalogue.ts';
import type { MirrorId } from '../src/layers/keys.ts';
import type { ContractChange } from '../src/layers/contract.ts';
import type { Downloads, FetchedFile } from '../src/downloads/client.ts';
import type { TableFile } from '../src/downloads/listing.ts';
import type { DownloadSource, FileSource, SourceHost } from '../src/layers/source.ts';
import type { WfsClient } from '../src/wfs/client.ts';
import type { Workers } from '../workers/pool.ts';
import type { PageRun } from '../src/wfs/paging.ts';
import type { Archive } from './archive.ts';
import type { Refusal } from './check.ts';
import type { Way } from './mirrors/features/origin.ts';
import type { Unread } from './mirrors/features/unread.ts';

/** API keys by host. Secrets: they go into requests and nowhere else. */
export type ApiKeys = Readonly<Partial<Record<SourceHost, string>>>;

export interface SyncDeps {
  readonly store: Store;
  readonly workers: Pick<Workers, 'parsePage' | 'parseDownload' | 'parseTable'>;
  readonly wfs: Pick<WfsClient, 'fetchPage' | 'fetchHits' | 'fetchColumns'>;
  /** Absent: every layer is read by WFS. */
  readonly downloads?: Pick<Downloads, 'list' | 'fetch'> | undefined;
  readonly catalogue: Catalogue;
  readonly keys: ApiKeys;
  readonly clock: Clock;
  readonly log: Log;
  /** Keeps what the upstreams send; absent: nothing is kept. */
  readonly archive?: Archive | undefined;
  /** Told of each version right after it is committed, in this process. Never awaited. */
  readonly onPublished?: (publication: Publication) => void;
}

export type Trigger = 'start' | 'schedule' | 'command' | 'operator' | 'expired' | 'dated';

/** The phases of a run, in order; `sync_run.phase` holds one of them. */
export const PHASES = ['claim', 'fetch', 'diff', 'check', 'derive', 'apply', 'announce'] as const;
export type Phase = (typeof PHASES)[number];

/** One version of one layer, as readers can see it from now on. */
export interface Publication {
  readonly layer: MirrorId;
  readonly version: number;
  readonly generation: number;
  readonly rowCount: number;
}

/** Changed rows by what changed about them. */
export interface ChangeClasses {
  /** The same shape, bit for bit, with other attributes or another standing. */
  attribute: number;
  /** Another shape in the same place, within the tolerances of classify.ts. */
  redigitised: number;
  /** Another shape. */
  real: number;
  /** Not compared: more rows than are. */
  unclassed: number;
}

/** The file a run read. */
export interface FileRead {
  readonly name: string;
  readonly bytes: number;
  readonly md5: string;
}

/** What a run has counted; kept as `sync_run.counts`. */
export interface RunCounts {
  /** How the layer was read; null until that is decided. */
  source: Way | null;
  /** The file it was read from. */
  file: (FileRead & Pick<TableFile, 'version' | 'generation' | 'generatedAt'>) | null;
  /** Pages of the WFS, or parts of the file. */
  pages: number;
  bytes: number;
  /** Distinct totals the pages announced; empty: the server knows none. */
  announced: number[];
  received: number;
  parsed: number;
  mapped: number;
  skipped: Record<string, number>;
  staged: number;
  unreadable: number;
  repaired: number;
  /** Sum of what repairs changed, square metres. */
  repairedAreaM2: number;
  /** Areas that cover a place twice, so that even-odd would tell them apart; square metres they differ by. */
  coveredTwice: number;
  coveredTwiceM2: number;
  /** Rings that a repair left and that were dropped: flat or reversed once rounded (D43). */
  slivers: number;
  lostInRepair: number;
  outsideDenmark: number;
  /** See Evidence in check.ts. */
  unplaced: number;
  columns: ContractChange;
  placesAsked: number;
  placesWrong: number;
  canaryAsked: number;
  canaryChanged: number;
  inserted: number;
  changed: number;
  removed: number;
  /** `changed`, by class. */
  changes: ChangeClasses;
  /** What was given up while paging: orders refused, pages halved. */
  notes: string[];
}

export function noCounts(): RunCounts {
  return {
    source: null,
    file: null,
    pages: 0,
    bytes: 0,
    announced: [],
    received: 0,
    parsed: 0,
    mapped: 0,
    skipped: {},
    staged: 0,
    unreadable: 0,
    repaired: 0,
    repairedAreaM2: 0,
    coveredTwice: 0,
    coveredTwiceM2: 0,
    slivers: 0,
    lostInRepair: 0,
    outsideDenmark: 0,
    unplaced: 0,
    columns: { added: [], missing: [], retyped: [], drifting: [] },
    placesAsked: 0,
    placesWrong: 0,
    canaryAsked: 0,
    canaryChanged: 0,
    inserted: 0,
    changed: 0,
    removed: 0,
    changes: { attribute: 0, redigitised: 0, real: 0, unclassed: 0 },
    notes: [],
  };
}

/** Where a run is. `announced` is null while, or because, no total is known. */
export interface Progress {
  readonly layer: MirrorId;
  readonly phase: Phase;
  readonly pages: number;
  readonly features: number;
  readonly announced: number | null;
  readonly elapsedMs: number;
}

interface Ran {
  readonly layer: MirrorId;
  /** null: the store could not even be asked. */
  readonly runId: string | null;
  readonly counts: RunCounts;
  readonly elapsedMs: number;
}

/** How a run ended. Only `published` moved what readers see. */
export type RunOutcome =
  | (Ran & { readonly state: 'published'; readonly publication: Publication })
  | (Ran & { readonly state: 'unchanged' })
  /** A dry run that would have published; it leaves no trace. */
  | (Ran & { readonly state: 'would-publish' })
  /** Guards refused; the first is the cause on record. Never an empty list. */
  | (Ran & {
      readonly state: 'refused';
      readonly refusals: readonly Refusal[];
      /** Whether an earlier copy answers on; without one nothing does. */
      readonly hasCopy: boolean;
    })
  | (Ran & { readonly state: 'failed'; readonly phase: Phase; readonly reason: string })
  /** Another run of the layer is going on, in this process or another. */
  | { readonly layer: MirrorId; readonly state: 'busy'; readonly sinceMs: number }
  /** Nobody asked for this run, and a person has put the layer back: it stays as it is. */
  | {
      readonly layer: MirrorId;
      readonly state: 'held';
      readonly sinceMs: number;
      readonly by: string;
    };

/** What an earlier reading brought: the pages of a WFS, a file, or the files of many tables. */
export type Replayed =
  | { readonly way: 'wfs'; readonly pages: () => PageRun }
  | ({ readonly way: 'files' } & ReplayedFile<FileSource['format']>)
  | {
      readonly way: 'tables';
      readonly files: readonly ReplayedFile[];
      /** Tables that came as pages of a WFS. */
      readonly readings: readonly ReplayedReading[];
    };

/** The pages of one table. */
export interface ReplayedReading {
  readonly entity: string;
  readonly pages: () => PageRun;
}

/** A file as it lies in the archive. */
export interface ReplayedFile<Format extends string = DownloadSource['format']> {
  readonly file: TableFile;
  readonly format: Format;
  /** Throws when the bytes are not those that were archived. */
  readonly fetch: () => Promise<FetchedFile>;
}

/** An earlier reading, to be run again. */
export interface Replay<Read extends Replayed = Replayed> {
  readonly read: Read;
  /** When it was read, milliseconds UTC: what it proves is as old as that. */
  readonly readAtMs: number;
  /** Who asked: what is published of it is held in that name, as a revert is. */
  readonly by: string;
}

/** Of a layer of features. */
export type FeatureReplay = Replay<Exclude<Replayed, { way: 'tables' }>>;

/** A claimed run, handed from phase to phase; SyncRun makes it. */
export interface ClaimedRun {
  readonly id: string;
  readonly startedAtMs: number;
  readonly counts: RunCounts;
  readonly liftedGuards: readonly string[];
  /** Aborts when the caller gives up, the run takes too long, or its claim is lost. */
  readonly signal: AbortSignal;
  /** Tells progress; called after each page and at each phase. */
  readonly report: () => void;
  /** Moves to a phase, on record; throws when the claim is lost or the run given up. */
  readonly enter: (phase: Phase) => Promise<void>;
}

/** A run of a layer of features. */
export interface Run extends Omit<ClaimedRun, 'enter' | 'liftedGuards'> {
  readonly layer: Layer;
  /** null: the upstream is read. */
  readonly replay: FeatureReplay | null;
  /** What could not be read so far; grows while the source goes by. */
  readonly unread: Unread[];
}
