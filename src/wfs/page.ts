import type { MappingId } from '../layers/catalogue.ts';
import type { SeenColumns } from '../layers/contract.ts';
import type { LayerId } from '../layers/keys.ts';
import type { ReadPlace } from './remains.ts';
import type { PageRows } from './whole.ts';
import type { MappingOptions } from '../layers/mappings/options.ts';
import type { FeatureFacts } from '../layers/feature.ts';

export interface PageInput extends MappingOptions {
  readonly mapping: MappingId;
  readonly geometryKind: 'area' | 'line';
  readonly geometryProperty: string;
  readonly srsName: string;
  /** The reader separates features of one id; otherwise such a page is refused. */
  readonly mayRepeatIds?: boolean;
}

export interface ParsePageTask extends PageInput {
  readonly layer: LayerId;
  readonly format: 'gml' | 'geojson';
  readonly typeName: string;
  readonly bytes: Uint8Array;
}

/** `attributes`: canonical JSON, keys sorted, no white space. */
export interface EncodedFeature extends FeatureFacts<string> {
  /** 2D little-endian WKB, EPSG:25832 metres, unchanged except for the dropped Z. */
  readonly wkb: Uint8Array;
  /** SHA-256 over standing, adopted, object id, attributes and WKB. */
  readonly hash: Uint8Array;
}

export interface PageIssue {
  readonly key: string | null;
  /** An area's code, as in EncodedFeature; null where that is unreadable too. */
  readonly objectId: string | null;
  readonly reason: string;
  /** As far as known (D143); null: unknown. */
  readonly place: ReadPlace | null;
  /** Its original geometry, cut to LIMITS.unreadRawChars; empty: none. */
  readonly raw: string;
}

/** An unreadable future feature: no answer from its instant on. */
export interface UnreadAhead extends PageIssue {
  readonly beginsAtMs: number;
}

/** `members` is counted in the raw bytes, not by the parser. */
export interface ParsedPage {
  readonly members: number;
  /** Announced; null where absent or "unknown", which is never 0. */
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  readonly features: readonly EncodedFeature[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly issues: readonly PageIssue[];
  /** Rows mapped despite an unreadable deciding column, by reason. */
  readonly doubts: Readonly<Record<string, number>>;
  readonly rows: PageRows;
  readonly columns: SeenColumns;
  /** When the first of these rows begins or ends by itself. */
  readonly nextChangeMs: number | null;
  /** Future rows, and ends of current rows. Not among `features`, which are current. */
  readonly dated: readonly DatedRow[];
  readonly unreadAhead: readonly UnreadAhead[];
}

/**
 * `beginsAtMs` and `feature` are null together, for a current row. `endsAtMs` null: no known end.
 */
export interface DatedRow {
  readonly key: string;
  readonly beginsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly feature: EncodedFeature | null;
}
