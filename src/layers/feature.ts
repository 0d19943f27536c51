/** D24. Old versions and rows that are not public are never mapped. */
export type Standing = 'in_force' | 'repealed';

/** Content of `traef` and `ophaevede`. Times are ISO 8601 UTC. */
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

export interface AreaAttributes {
  readonly code: string;
  readonly name: string;
  readonly regionCode: string | null;
}

/** ISO 8601, judged when the condition is asked; `values` by the names of its fields. */
export interface ConditionAttributes {
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly values: Readonly<Record<string, string | number | boolean | null>>;
}

/** What is kept of a feature beside its shape. */
export interface FeatureFacts<A> {
  readonly key: string;
  /** `objekt_id` of the answer; not always unique (heritage: one locality, several zones). */
  readonly objectId: string;
  readonly standing: Standing;
  readonly adopted: boolean;
  readonly attributes: A;
}

export interface Upcoming<A> extends FeatureFacts<A> {
  /** `endsAtMs` null: unknown. */
  readonly beginsAtMs: number;
  readonly endsAtMs: number | null;
}

export interface UnreadUpcoming {
  readonly key: string | null;
  readonly beginsAtMs: number;
  readonly fault: string;
}

/** `key` is unique within the layer. */
export type Mapped<A> =
  | (FeatureFacts<A> & {
      readonly kind: 'feature';
      readonly changesAtMs?: number;
      /**
       * A deciding column is unreadable. The mirror uses the row as mapped; an unguarded live
       * answer may not.
       */
      readonly doubt?: string;
    })
  /**
   * An old version, not public, another scale: counted, never an issue. `changesAtMs`: when it
   * becomes valid.
   */
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      readonly changesAtMs?: number | null;
      /** The row's future content; never answers. */
      readonly upcoming?: Upcoming<A> | UnreadUpcoming;
    }
  | { readonly kind: 'issue'; readonly key: string | null; readonly reason: string };

export type UpstreamProperties = Readonly<Record<string, unknown>>;

export type Mapping = (
  properties: UpstreamProperties,
) => Mapped<LineAttributes> | Mapped<AreaAttributes> | Mapped<ConditionAttributes>;
