/** What is asked of the reading of one upstream answer, and what it comes to. */
import type { MappingId } from '../layers/catalogue.ts';
import type { SeenColumns } from '../layers/contract.ts';
import type { Standing } from '../layers/feature.ts';
import type { LayerId } from '../layers/keys.ts';
import type { ReadPlace } from './remains.ts';

/** What the reader must know of the layer. */
export interface PageInput {
  readonly mapping: MappingId;
  readonly geometryKind: 'area' | 'line';
  readonly geometryProperty: string;
  /** Unique attribute of the source, the key of the mirror. */
  readonly keyProperty: string;
  /** The CRS that was asked for: holds where an answer names none. */
  readonly srsName: string;
  /** DAGI only: see WfsSource. */
  readonly dagiScale: string | null;
  /** DAGI only: see MappingOptions. */
  readonly nowMs?: number | null;
}

/** Parse one upstream answer and map its features. Worker: `parse-page.ts`. */
export interface ParsePageTask extends PageInput {
  readonly layer: LayerId;
  readonly format: 'gml' | 'geojson';
  readonly typeName: string;
  /** The answer as received. Handed over: unreadable for the sender afterwards. */
  readonly bytes: Uint8Array;
}

/** One mapped feature ready for the stage table. */
export interface EncodedFeature {
  readonly key: string;
  readonly objectId: string;
  readonly standing: Standing;
  readonly adopted: boolean;
  /** Canonical JSON of LineAttributes or AreaAttributes: keys sorted, no white space. */
  readonly attributes: string;
  /** Geometry as 2D little-endian WKB, EPSG:25832 metres, untouched but for the dropped Z. */
  readonly wkb: Uint8Array;
  /** SHA-256 over standing, adopted, object id, attributes and WKB: equal hash, equal feature. */
  readonly hash: Uint8Array;
}

/** A feature that cannot be read. */
export interface PageIssue {
  readonly key: string | null;
  /** As EncodedFeature: of an area its code; null where that cannot be read either. */
  readonly objectId: string | null;
  readonly reason: string;
  /** Where it lies, as far as what came tells (D143); null: it does not. */
  readonly place: ReadPlace | null;
  /** Its geometry as it came, cut to LIMITS.unreadRawChars; empty: there was none. */
  readonly raw: string;
}

/** A feature that is to come and cannot be read: no answer from its instant on, milliseconds UTC. */
export interface UnreadAhead extends PageIssue {
  readonly beginsAtMs: number;
}

/** The outcome of one page. `members` is counted in the raw bytes, not by the parser. */
export interface ParsedPage {
  readonly members: number;
  /** Announced totals; null where absent or "unknown". Unknown is never 0. */
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  readonly features: readonly EncodedFeature[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly issues: readonly PageIssue[];
  /** Mapped all the same, by what a deciding column does not say: reason to number of rows. */
  readonly doubts: Readonly<Record<string, number>>;
  /** Kinds of the columns seen. */
  readonly columns: SeenColumns;
  /** When the first of these rows starts or stops being true by itself, milliseconds UTC. */
  readonly nextChangeMs: number | null;
  /** Rows to come, and ends of rows in effect. Not among `features`: those are in effect now. */
  readonly dated: readonly DatedRow[];
  /** Rows to come that cannot be read; they are counted among `skipped`. */
  readonly unreadAhead: readonly UnreadAhead[];
}

/**
 * Something a register announces with its date, milliseconds UTC. `beginsAtMs` and `feature` are
 * null together: the row is in effect and its end is known. `endsAtMs` null: no end is known.
 */
export interface DatedRow {
  readonly key: string;
  readonly beginsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly feature: EncodedFeature | null;
}
