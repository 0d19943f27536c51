/** One mirrored feature, after an upstream's names and codes have been translated by a mapping. */

/** Standing of a registration (D24). Rows that are old versions or not public are never mapped. */
export type Standing = 'in_force' | 'repealed';

/** What a building-line feature carries into `traef` and `ophaevede`. Times are ISO 8601 UTC. */
export interface LineAttributes {
  readonly statusCode: string | null;
  readonly statusName: string;
  readonly category: string | null;
  readonly natureType: string | null;
  readonly protectionReason: string | null;
  readonly monumentType: string | null;
  readonly dating: string | null;
  readonly protectionStatus: string | null;
  readonly dykeType: string | null;
  readonly documentUrl: string | null;
  readonly validFrom: string | null;
  readonly registeredAt: string | null;
  readonly municipalityName: string | null;
  readonly municipalityCvr: string | null;
}

/** What a DAGI area carries. `regionCode` only where the register itself has one. */
export interface AreaAttributes {
  readonly code: string;
  readonly name: string;
  readonly regionCode: string | null;
}

/** A row that is not in effect yet. */
export interface Upcoming<A> {
  readonly key: string;
  readonly objectId: string;
  readonly standing: Standing;
  readonly adopted: boolean;
  readonly attributes: A;
  /** Milliseconds UTC; `endsAtMs` null: not known. */
  readonly beginsAtMs: number;
  readonly endsAtMs: number | null;
}

/** A row that is not in effect yet and cannot be read. */
export interface UnreadUpcoming {
  readonly key: string | null;
  readonly beginsAtMs: number;
  readonly fault: string;
}

/** The result of mapping one upstream feature. `key` is unique within the layer. */
export type Mapped<A> =
  | {
      readonly kind: 'feature';
      readonly key: string;
      /** `objekt_id` of the answer; not always unique (heritage: one locality, several zones). */
      readonly objectId: string;
      readonly standing: Standing;
      readonly adopted: boolean;
      readonly attributes: A;
      /** When the row stops being true by itself, milliseconds UTC. */
      readonly changesAtMs?: number;
      /**
       * A column that decides about the row says nothing that can be read. The mirror takes the row
       * as the mapping does; a live answer, which nothing has checked against a copy, may not.
       */
      readonly doubt?: string;
    }
  /**
   * Rightly not mirrored: an old version, not public, another scale. Counted, never an issue.
   * `changesAtMs`: when it will be true.
   */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      readonly changesAtMs?: number | null;
      /** What the row will be from then on: kept beside the mirror, where nobody is answered from. */
      readonly upcoming?: Upcoming<A> | UnreadUpcoming;
    }
  /** Unreadable: becomes a sync_issue row; too many refuse the run. */
  | { readonly kind: 'issue'; readonly key: string | null; readonly reason: string };

/** Upstream properties of one feature as read: strings from GML, typed values from JSON. */
export type UpstreamProperties = Readonly<Record<string, unknown>>;

export type Mapping = (
  properties: UpstreamProperties,
) => Mapped<LineAttributes> | Mapped<AreaAttributes>;
