/** A kind of job: its question, lookup and written answers. Pure, so that threads can use it. */
import type { Area } from '../../account/permissions.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import type { JobMemory } from './chunk-types.ts';
import type { Kind } from './job-types.ts';
import type { FindAccess, RowReader } from './row-reader.ts';

/** What a kind states of its sources in files: JSON, which threads are handed too. */
export interface LabelParts {
  readonly catalogue: Catalogue;
  /** Whether the sources are the sample's. */
  readonly isInvented: boolean;
}

/** Opens what questions are answered from in a thread, at once. */
export type OpenMemory<Q = unknown, A = unknown> = (
  memory: JobMemory,
) => (question: Q) => A | Failure;

/** The default export of a kind's module of memory: a thread loads that kind and no other register. */
export interface KindInMemory {
  readonly kind: AnyKind;
  open(memory: JobMemory): (question: never) => unknown;
}

export interface SlowAnswers<A> {
  /** The data generation that answered (D19). */
  readonly generation: number;
  readonly value: readonly (A | Failure)[];
}

export type ColumnTypes = Readonly<Partial<Record<string, 'number' | 'boolean'>>>;

/** `Q`: a row as a question, `A`: its answer, `L`: the lookups of its register. */
export interface RowKind<Q, A, L> {
  /** Of the answer, in a CSV. */
  readonly columns: readonly string[];
  readonly types: ColumnTypes;
  /** Whether its answers have a position, for GeoJSON (D73). */
  readonly hasPlace: boolean;
  /** Throws the Failure that is the row's error. */
  question(row: RowReader, findAccess: FindAccess): Q;
  /** Up to JOB_LIMITS.rowsAtATime questions, as the routes would. */
  askAll(lookups: L, questions: readonly Q[], deadline: Deadline): Promise<SlowAnswers<A>>;
  /** The columns' cells, a comma between them. */
  writeCsv(out: JsonWriter, answer: A, question: Q): void;
  writeJson(out: JsonWriter, answer: A, question: Q): void;
  /** A GeoJSON geometry, or null. */
  writePlace(out: JsonWriter, answer: A, question: Q): void;
}

export interface KindNeeds {
  /** All must be fresh; the job's generation is theirs. */
  readonly layers: readonly LayerId[];
  /**
   * `beside`: only for rows that name an access address; without layers, the lookups answer every
   * row.
   */
  readonly addresses: 'needed' | 'beside';
}

/** All that the engine, its threads and its callers know of a kind. */
export interface JobKind<Q, A, L, Labels> {
  readonly name: Kind;
  /** Whose lookups it asks: a job is no way round what a key may not ask (D64). */
  readonly area: Area;
  readonly needs: KindNeeds;
  labels(parts: LabelParts): Labels;
  rows(labels: Labels): RowKind<Q, A, L>;
  /** A module with a `KindInMemory`; absent: the lookups answer every row. */
  readonly memory?: URL;
}

/** A kind whatever it asks: what one of its methods returns only goes to another of its own. */
export type AnyRows = RowKind<unknown, unknown, unknown>;
export type AnyKind = JobKind<unknown, unknown, unknown, unknown>;

export type JobKinds = ReadonlyMap<Kind, { readonly kind: AnyKind; readonly lookups: unknown }>;

/** Throws where no register answers it. */
export function kindOf(kinds: JobKinds, name: Kind): AnyKind {
  const found = kinds.get(name);
  if (found === undefined) throw new Error(`No register answers jobs of ${name}.`);
  return found.kind;
}

export type KindLabels = Readonly<Partial<Record<Kind, unknown>>>;

export function labelsOf(kinds: JobKinds, parts: LabelParts): KindLabels {
  return Object.fromEntries([...kinds].map(([name, { kind }]) => [name, kind.labels(parts)]));
}
