import type { RetentionDays } from '../src/kernel/retention.ts';
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
import type { Workers } from '../src/core/tasks/workers.ts';
import type { PageRun } from '../src/wfs/paging.ts';
import type { Archive } from './archive.ts';
import type { Refusal } from './check.ts';
import type { Leader, Lease } from './lease.ts';
import type { Way } from './mirrors/features/origin.ts';
import type { Reach } from './reach.ts';
import type { Unread } from './mirrors/features/unread.ts';

/** Secrets by host, only used in requests. */
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
  /** Absent: hosts are asked without a try. */
  readonly reach?: Pick<Reach, 'require' | 'requireOne' | 'table'> | undefined;
  /** Absent: raw responses are not kept. */
  readonly archive?: Archive | undefined;
  /** Absent: a program that runs what a person asks, apart from the services. */
  readonly leader?: Pick<Leader, 'current'>;
  /** Absent: nothing past its retention is removed. */
  readonly retention?: RetentionDays;
  /** Absent: DAWA's replication is not numbered. */
  readonly isReplicated?: boolean;
  /** Called for each version right after its commit, in this process. Never awaited. */
  readonly onPublished?: (publication: Publication) => void;
}

export type Trigger = 'start' | 'schedule' | 'command' | 'operator' | 'expired' | 'dated';

/** In order; stored in `sync_run.phase`. */
export const PHASES = ['claim', 'fetch', 'diff', 'check', 'derive', 'apply', 'announce'] as const;
export type Phase = (typeof PHASES)[number];

export interface Publication {
  readonly layer: MirrorId;
  readonly version: number;
  readonly generation: number;
  readonly rowCount: number;
}

export interface ChangeClasses {
  /** The same shape, bit for bit, with other attributes or standing. */
  attribute: number;
  /** A new shape in the same place, within the tolerances of classify.ts. */
  redigitised: number;
  real: number;
  unclassed: number;
}

export interface FileRead {
  readonly name: string;
  readonly bytes: number;
  readonly md5: string;
}

/** Stored as `sync_run.counts`. */
export interface RunCounts {
  source: Way | null;
  file: (FileRead & Pick<TableFile, 'version' | 'generation' | 'generatedAt'>) | null;
  pages: number;
  bytes: number;
  /** Distinct totals; empty: the server knows none. */
  announced: number[];
  received: number;
  parsed: number;
  mapped: number;
  skipped: Record<string, number>;
  staged: number;
  unreadable: number;
  repaired: number;
  repairedAreaM2: number;
  /**
   * Doubly covered land, which even-odd would read differently; the difference in square metres.
   */
  coveredTwice: number;
  coveredTwiceM2: number;
  /** Rings dropped after a repair: flat or reversed once rounded (D43). */
  slivers: number;
  lostInRepair: number;
  outsideDenmark: number;
  unplaced: number;
  doubledIds: readonly string[];
  columns: ContractChange;
  placesAsked: number;
  placesWrong: number;
  canaryAsked: number;
  canaryChanged: number;
  inserted: number;
  changed: number;
  removed: number;
  changes: ChangeClasses;
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
    doubledIds: [],
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
  /** null: the store could not be asked. */
  readonly runId: string | null;
  readonly counts: RunCounts;
  readonly elapsedMs: number;
}

/** Only `published` changed what readers see. */
export type RunOutcome =
  | (Ran & { readonly state: 'published'; readonly publication: Publication })
  | (Ran & { readonly state: 'unchanged' })
  | (Ran & { readonly state: 'would-publish' })
  /** The first refusal is the recorded cause. Never empty. */
  | (Ran & {
      readonly state: 'refused';
      readonly refusals: readonly Refusal[];
      readonly hasCopy: boolean;
    })
  | (Ran & { readonly state: 'failed'; readonly phase: Phase; readonly reason: string })
  | { readonly layer: MirrorId; readonly state: 'busy'; readonly sinceMs: number }
  /** A person has reverted the layer: an automatic run leaves it. */
  | {
      readonly layer: MirrorId;
      readonly state: 'held';
      readonly sinceMs: number;
      readonly by: string;
    };

export type Replayed =
  | { readonly way: 'wfs'; readonly pages: () => PageRun }
  | ({ readonly way: 'files' } & ReplayedFile<FileSource['format']>)
  | {
      readonly way: 'tables';
      readonly files: readonly ReplayedFile[];
      readonly readings: readonly ReplayedReading[];
    };

export interface ReplayedReading {
  readonly entity: string;
  readonly pages: () => PageRun;
}

export interface ReplayedFile<Format extends string = DownloadSource['format']> {
  readonly file: TableFile;
  readonly format: Format;
  /** Throws when the bytes differ from the archived ones. */
  readonly fetch: () => Promise<FetchedFile>;
}

export interface Replay<Read extends Replayed = Replayed> {
  readonly read: Read;
  /** Its result is verified as of then. */
  readonly readAtMs: number;
  /** The result is held in this name, like a revert. */
  readonly by: string;
}

export type FeatureReplay = Replay<Exclude<Replayed, { way: 'tables' }>>;

export interface ClaimedRun {
  readonly id: string;
  /** What the leader began publishes only while it leads; absent: a person asked. */
  readonly lease?: Lease | undefined;
  readonly startedAtMs: number;
  readonly counts: RunCounts;
  readonly liftedGuards: readonly string[];
  readonly signal: AbortSignal;
  readonly report: () => void;
  /** Records the next phase; throws when the claim is lost or the run aborted. */
  readonly enter: (phase: Phase) => Promise<void>;
}

export interface Run extends Omit<ClaimedRun, 'enter' | 'liftedGuards'> {
  readonly layer: Layer;
  /** null: the upstream is read. */
  readonly replay: FeatureReplay | null;
  readonly unread: Unread[];
}
