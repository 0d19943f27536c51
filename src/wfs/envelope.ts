/** What an upstream answer turned out to be: the vocabulary of the two scanners. */

/** Bytes of an answer, the end not included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A whole feature collection. Counts are null where absent or "unknown": unknown is never 0. */
export interface FeaturesEnvelope {
  readonly kind: 'features';
  readonly format: 'gml' | 'geojson';
  /** Member elements or features counted in the bytes. */
  readonly members: number;
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  /**
   * Byte range of the members. Outside it lie time stamp and announced counts, so equal ranges mean
   * equal content. Empty when there is no member.
   */
  readonly body: ByteRange;
  /** The first and the last feature, without what wraps or separates them; null for no member. */
  readonly first: ByteRange | null;
  readonly last: ByteRange | null;
}

export type Envelope =
  | FeaturesEnvelope
  /** An OGC exception report, whole or in the middle of a collection. */
  | { readonly kind: 'exception'; readonly text: string }
  | { readonly kind: 'html' }
  | { readonly kind: 'other'; readonly what: string }
  /** XML that is not to be parsed, whatever it may hold. */
  | { readonly kind: 'unsafe'; readonly what: string }
  /** A feature collection whose end is missing. */
  | { readonly kind: 'truncated'; readonly format: 'gml' | 'geojson'; readonly members: number };

/** One document read as it arrives. */
export interface Scanner {
  push(chunk: Uint8Array): void;
  /** What it already surely is, before the end: rubbish needs no further reading. */
  settled(): Envelope | null;
  end(): Envelope;
}

/** A count as written: a number, or null for anything else ("unknown", absent, negative). */
export function countOf(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}
