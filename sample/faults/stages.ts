/** The stages of an answer a fault can take hold of, and what it is given there. */
import type { LayerId } from '../../src/layers/keys.ts';
import type { Features, Schema } from '../data/feature.ts';
import type { Random } from '../data/random.ts';
import type { Reply } from '../http.ts';
import type { FeatureQuery } from '../wfs/query.ts';

/** Attributes that layers are keyed by. */
export const KEYS: readonly string[] = ['Objekt_id', 'id.lokalId', 'beskyttelse_areal_lbnr'];

/** How bytes reach the client; absent means at once and whole. */
export interface Transport {
  readonly delayMs?: number;
  /** Bytes of the body after which the connection is reset; -1 resets before the headers. */
  readonly resetAtByte?: number;
  /** Bytes after which nothing more comes though the connection stays open; -1: not even headers. */
  readonly stallAtByte?: number;
  /** Bytes of the body after which the connection is closed in good order, as by a data limit. */
  readonly closeAtByte?: number;
  /** Sent without a length: the end of the connection is the end of the body. */
  readonly unframed?: boolean;
  readonly bytesPerSecond?: number;
  /** Body written in slices of this size. */
  readonly sliceBytes?: number;
  /** Wait between the last byte and the end of the answer. */
  readonly closeDelayMs?: number;
}

/** A page and the whole it was cut from. */
export interface PageContext {
  readonly all: Features;
  readonly query: FeatureQuery;
}

export interface Counts {
  readonly matched: number | 'unknown';
  readonly returned: number;
}

/** What a fault is told: its rule's numbers, and chance that depends on nothing but the seed. */
export interface FaultContext {
  /** The rule's number, or the fault's default. */
  readonly value: number;
  /** Share of the features to spoil, 0 to 1. */
  readonly share: number;
  /** Attribute to spoil, or null for the fault's own choice. */
  readonly attribute: string | null;
  /** Differs from request to request. */
  readonly random: Random;
  /** The same for a feature in every request of one seed. */
  readonly randomFor: (name: string) => Random;
}

/** What is asked for, as faults tell requests apart. */
export type Operation =
  | 'capabilities'
  | 'schema'
  | 'features'
  | 'hits'
  | 'listing'
  | 'file'
  | 'coverage'
  // Of a register's own live source.
  | (string & {});

/** The hooks of one fault. Each gets the untouched thing and gives the spoiled one. */
export interface Fault {
  /** One line for a person. */
  readonly title: string;
  /** What `value` means, with its unit; absent where the rule needs no number. */
  readonly valueIs?: string;
  readonly defaultValue?: number;
  readonly defaultShare?: number;
  /** Operations it can spoil; all of them where absent. */
  readonly operations?: readonly Operation[];
  /** Answers in place of the server; null lets the request through. */
  readonly answer?: (context: FaultContext, query: FeatureQuery | null, url: URL) => Reply | null;
  readonly schema?: (schema: Schema, context: FaultContext, layer: LayerId) => Schema;
  /** What the register holds, before anything is asked of it. */
  readonly held?: (features: Features, context: FaultContext) => Features;
  /** Everything that matches, before the page is cut. */
  readonly all?: (all: Features, context: FaultContext, query: FeatureQuery) => Features;
  readonly query?: (query: FeatureQuery, context: FaultContext) => FeatureQuery;
  readonly page?: (page: Features, context: FaultContext, whole: PageContext) => Features;
  readonly counts?: (counts: Counts, context: FaultContext, query: FeatureQuery) => Counts;
  readonly crsName?: (name: string) => string;
  /** Largest page, announced as CountDefault and kept to. */
  readonly countDefault?: (context: FaultContext) => number;
  readonly reply?: (reply: Reply, context: FaultContext) => Reply;
  readonly transport?: (context: FaultContext) => Transport;
}
