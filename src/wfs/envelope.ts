/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Counts are null where absent or "unknown": unknown is never 0. */
export interface FeaturesEnvelope {
  readonly kind: 'features';
  readonly format: 'gml' | 'geojson';
  readonly members: number;
  readonly numberMatched: number | null;
  readonly numberReturned: number | null;
  /**
   * The members, without time stamp and announced counts: equal ranges mean equal content. Empty
   * without members.
   */
  readonly body: ByteRange;
  /** Without wrappers and separators; null without members. */
  readonly first: ByteRange | null;
  readonly last: ByteRange | null;
}

export type Envelope =
  | FeaturesEnvelope
  | { readonly kind: 'exception'; readonly text: string }
  | { readonly kind: 'html' }
  | { readonly kind: 'other'; readonly what: string }
  | { readonly kind: 'unsafe'; readonly what: string }
  | { readonly kind: 'truncated'; readonly format: 'gml' | 'geojson'; readonly members: number };

export interface Scanner {
  push(chunk: Uint8Array): void;
  /** A certain result before the end, so that garbage is not read further. */
  settled(): Envelope | null;
  end(): Envelope;
}

/** null for anything but a non-negative number ("unknown", absent, negative). */
export function countOf(text: string | null | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}
