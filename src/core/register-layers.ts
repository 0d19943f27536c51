import type { Db, Store } from '../db/connect.ts';
import type { PointUtm32 } from '../geo/point.ts';
import type { Catalogue, Layer } from '../layers/catalogue.ts';
import type { AreaId, LayerId } from '../layers/keys.ts';
import type { Comparison } from './held/snapshot-differences.ts';
import type { SnapshotSet } from './held/snapshot-set.ts';

/** `edges`: of the dissolved zones of a layer of lines. */
export type LayerList = 'features' | 'edges';

export interface RegisterLayers {
  readonly layers: readonly LayerId[];
  /** Attribution on maps. */
  readonly source: string;
  /** `trx`: a transaction with one snapshot, so that the batches are consistent. */
  rows(trx: Db, layer: LayerId, list: LayerList): AsyncGenerator;
  /** The slow work, before the publishing transaction. Throws when it cannot be complete. */
  readonly derive: (store: Store, run: DerivedRun) => Promise<Derived>;
  /** Absent: its layers have no dates. */
  readonly ahead?: LayersAhead;
  /** WKB; absent: its layers are no municipalities. */
  readonly landOf?: (
    store: Pick<Store, 'db'>,
    municipalities: readonly string[],
  ) => Promise<readonly Uint8Array[]>;
  /**
   * Absent: memory holds none of its layers. null: memory lacks a layer, or there is no point.
   * Throws when the store does not answer.
   */
  compare?(
    set: SnapshotSet,
    store: Pick<Store, 'db'>,
    asked: ComparedLayers,
  ): Promise<Comparison | null>;
}

export interface DerivedRun {
  readonly id: string;
  readonly layer: Layer;
  readonly signal: AbortSignal;
}

export interface Derived {
  /** Inside the transaction, after the rows. Returns the other layers with changed rows. */
  readonly apply: (trx: Db) => Promise<readonly AreaId[]>;
}

export interface ComparedLayers {
  readonly catalogue: Catalogue;
  /** D23. */
  readonly radiusM: number;
  readonly pointsIn: (layers: readonly LayerId[]) => readonly PointUtm32[];
}

export interface AheadVersion {
  readonly layer: AreaId;
  readonly version: number;
  readonly content: string;
  readonly regions: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface PublishedContent {
  readonly version: number;
  readonly publishedAtMs: number;
  readonly content: string;
}

export interface LayersAhead {
  /** Derives what is slow for rows to come, and drops it for rows that are gone. */
  derive(db: Db, layer: LayerId): Promise<void>;
  digest(db: Db, layer: AreaId): Promise<string>;
  /** A digest of the published regions, from which an area's region follows. */
  regionsDigest(db: Db): Promise<string>;
  read(db: Db): Promise<readonly AheadVersion[]>;
  /** Throws where nothing is published. */
  content(db: Db, layer: LayerId): Promise<PublishedContent>;
  /** The current rows lead to the prepared content. */
  leadsTo(db: Db, ahead: AheadVersion): Promise<boolean>;
  rows(trx: Db, ahead: AheadVersion): AsyncGenerator;
}
