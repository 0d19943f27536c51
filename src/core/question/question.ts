/**
 * One question of a register as a value, from which its route, document, permission, bill
 * (`src/http/v1/questions.ts`) and place on the fast path follow.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { Words } from '../../layers/words.ts';
import type { Area } from '../../account/permissions.ts';
import type { JsonPart } from '../../answers/json-pieces.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Point } from '../../geo/point.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { JobKind } from '../rows/kind.ts';
import type { AnswerHeaders } from './schemas.ts';

/** Suggestions and the address then fetched by its id are one unit together (D153). */
export type TypingAct = 'suggest' | 'choose';

export interface Answered<V> {
  readonly value: V;
  readonly facts: AnswerFacts;
  /** D62. */
  readonly units: number;
}

/**
 * JSON: text, bytes (of `bodyBuffers` where pooled), or pieces, with a tag where a GET repeats
 * them.
 */
export type Body = string | Buffer | JsonPieces;

export interface JsonPieces {
  readonly parts: readonly JsonPart[];
  readonly tag?: string;
}

export interface QuestionShape {
  readonly key: string;
  readonly called: Words;
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Danish texts by the English; absent: the register's document has them. */
  readonly danish?: Readonly<Record<string, string>>;
  readonly params?: TProperties;
  readonly query?: TProperties;
  /** Makes it a batch: POST, and a plan with batches. */
  readonly body?: TSchema;
  readonly answer: TSchema;
  /** Absent: `areas`. */
  readonly headers?: AnswerHeaders;
  /** Its answers have an ETag (304). */
  readonly isTagged?: boolean;
  /** Statuses in addition to those of every keyed request and of every body. */
  readonly failures: readonly number[];
}

export interface Question<G> extends QuestionShape {
  /** `/v1/dagi/:tema/:kode`; a batch ends in `:batch`. */
  readonly path: string;
  /** The area that a key's permission must open (D64); null: no key, never billed. */
  readonly area: Area | null;
  readonly typing?: TypingAct;
  readonly isForPages: boolean;
  readonly bodyLimit?: number;
  /** null: one. Throws invalid_request for too many items of a batch. */
  readonly mostUnits: ((body: unknown) => number) | null;
  /** Throws a Failure. */
  ask(ground: G, given: unknown, asker: Deadline): Answered<unknown> | Promise<Answered<unknown>>;
  json(value: unknown, ground: G, given: unknown): Body | Promise<Body>;
  readonly atOnce: AtOnce<G> | null;
  readonly jobKinds: readonly JobKind<unknown, unknown, G, unknown>[];
}

export interface AtOnce<G> {
  isReady(ground: G): boolean;
  answer(
    ground: G,
    point: Point,
    to: JsonWriter,
  ): Pick<Answered<unknown>, 'facts' | 'units'> | null;
}

type Parameters<P> = P extends TProperties ? Static<TObject<P>> : unknown;

type Given<P, Q, B> = Parameters<P> & Parameters<Q> & (B extends TSchema ? Static<B> : unknown);

interface Stated<P, Q, B> extends Omit<QuestionShape, 'params' | 'query' | 'body'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly path: string;
  readonly area: Area | null;
  readonly typing?: TypingAct;
  readonly isForPages?: boolean;
  readonly bodyLimit?: number;
}

interface Asking<G, V, Y> {
  mostUnits?(body: Y): number;
  ask(ground: G, given: Y, asker: Deadline): Answered<V> | Promise<Answered<V>>;
  json(value: V, ground: G, given: Y): Body | Promise<Body>;
  readonly atOnce?: AtOnce<G>;
  readonly jobKinds?: Question<G>['jobKinds'];
}

export function question<
  G,
  V,
  const P extends TProperties | undefined = undefined,
  const Q extends TProperties | undefined = undefined,
  const B extends TSchema | undefined = undefined,
>(stated: Stated<P, Q, B> & Asking<G, V, Given<P, Q, B>>): Question<G> {
  return {
    isForPages: false,
    mostUnits: null,
    atOnce: null,
    jobKinds: [],
    ...stated,
  } as Question<G>;
}
