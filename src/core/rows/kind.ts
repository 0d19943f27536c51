/** Pure, so that threads can use it. */
import type { Area } from '../../account/permissions.ts';
import type { Failure } from '../../kernel/failures.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { LayerId } from '../../layers/keys.ts';
import type { JsonWriter } from '../../answers/json-writer.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import type { JobMemory } from './chunk-types.ts';
import { answeredKind } from './job-types.ts';
import type { AnsweredKind, Kind, KindTerms, RoleColumns } from './job-types.ts';
import type { FindAccess, RowReader } from './row-reader.ts';

export interface LabelParts {
  readonly catalogue: Catalogue;
  readonly isInvented: boolean;
}

/** A thread loads the module, which exports the kind under its name, and no other register. */
export interface KindInMemory<Q, A> {
  readonly module: string;
  open(memory: JobMemory): RowAnswerer<Q, A>['answer'];
}

/** A method, so that a kind of any question is a kind. */
interface RowAnswerer<Q, A> {
  answer(question: Q): A | Failure;
}

export interface SlowAnswers<A> {
  /** D19; null: nothing answered. */
  readonly generation: number | null;
  readonly value: readonly (A | Failure)[];
}

export type ColumnTypes = Readonly<Partial<Record<string, 'number' | 'boolean'>>>;

/** `Q`: a row as a question, `A`: its answer, `L`: the lookups of its register. */
export interface RowKind<Q, A, L> {
  readonly columns: readonly string[];
  readonly types: ColumnTypes;
  /** Throws the Failure that is the row's error. */
  question(row: RowReader, findAccess: FindAccess): Q;
  /** Up to JOB_LIMITS.rowsAtATime questions, as the routes would. */
  askAll(lookups: L, questions: readonly Q[], deadline: Deadline): Promise<SlowAnswers<A>>;
  writeCsv(out: JsonWriter, answer: A, question: Q): void;
  writeJson(out: JsonWriter, answer: A, question: Q): void;
  /** A GeoJSON geometry, or null (D73). */
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

/** A job that asks a question for every row; the area is the question's (D64). */
export interface JobKind<Q, A, L, Labels> {
  readonly name: AnsweredKind;
  /** Written into job-kinds.generated.json; absent: jobs cannot name it. */
  readonly terms?: KindTerms;
  readonly needs: KindNeeds;
  labels(parts: LabelParts): Labels;
  rows(labels: Labels): RowKind<Q, A, L>;
  /** Absent: the lookups answer every row. */
  readonly memory?: KindInMemory<Q, A>;
}

/** Any types: what one of its methods returns only goes to another of its own. */
export type AnyRows = RowKind<unknown, unknown, unknown>;
export type AnyKind = JobKind<unknown, unknown, unknown, unknown>;

export interface ServedKind {
  readonly kind: AnyKind;
  readonly area: Area | null;
  readonly lookups: unknown;
  readonly rows: AnyRows;
  readonly labels: string;
}

export type JobKinds = ReadonlyMap<AnsweredKind, ServedKind>;

export function servedKind(
  kind: AnyKind,
  { area, lookups }: Pick<ServedKind, 'area' | 'lookups'>,
  parts: LabelParts,
): ServedKind {
  const labels = JSON.stringify(kind.labels(parts));
  return { kind, area, lookups, labels, rows: rowsOf(kind, labels) };
}

export function rowsOf(kind: AnyKind, labels: string): AnyRows {
  return kind.rows(JSON.parse(labels));
}

/** Throws where no question states it. */
export function kindOfJob(
  kinds: JobKinds,
  job: { readonly kind: Kind; readonly columns: RoleColumns },
): ServedKind {
  const name = answeredKind(job);
  const found = kinds.get(name);
  if (found === undefined) throw new Error(`No register answers jobs of ${name}.`);
  return found;
}
