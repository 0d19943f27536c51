/**
 * Answers rows in a thread from memory, or by the lookups. Stops before an answer without a
 * reserved unit.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../kernel/failures.ts';
import { beat } from '../kernel/pulse.ts';
import { isServerUnavailable } from '../kernel/server-unavailable.ts';
import { UpstreamFailure } from '../wfs/failure.ts';
import { JOB_LIMITS } from './limits.ts';
import type { Deadline } from '../kernel/deadline.ts';
import { Slice } from '../kernel/turns.ts';
import { decodeRows } from './chunk-rows.ts';
import type { ChunkOutput, ChunkQuestion } from '../core/rows/chunk-types.ts';
import { ResultWriter } from './files/result-writer.ts';
import { RowReader } from '../core/rows/row-reader.ts';
import type { FindAccess } from '../core/rows/row-reader.ts';
import type { AnyRows } from '../core/rows/kind.ts';

export interface MemoryOptions {
  readonly kind: AnyRows;
  readonly ask: (question: unknown) => unknown;
  readonly findAccess: FindAccess;
  readonly generation: number;
}

export function answerFromMemory(
  question: ChunkQuestion,
  { kind, ask, findAccess, generation }: MemoryOptions,
): ChunkOutput {
  const rows = decodeRows(question.input);
  const reader = new RowReader(question, rows);
  const writer = WRITER.begin(question.inputColumns, generation);
  for (let n = question.skip; n < rows.length; n++) {
    beat();
    const row = rows[n] ?? [];
    const at = { row, number: question.firstRow + n };
    const asked = questionOf(reader, row, { kind, findAccess });
    const answer = asked instanceof Failure ? asked : orFailure(() => ask(asked));
    if (answer instanceof Failure) writer.error(at, answer);
    else if (writer.succeeded === question.mostAnswers) break;
    else writer.answer(at, kind, { question: asked, answer });
  }
  return writer.take();
}

const WRITER = new ResultWriter();

function questionOf(
  reader: RowReader,
  row: RowReader['row'],
  { kind, findAccess }: Pick<MemoryOptions, 'kind' | 'findAccess'>,
): unknown {
  reader.row = row;
  return orFailure(() => kind.question(reader, findAccess));
}

function orFailure(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

export interface SlowOptions {
  readonly kind: AnyRows;
  readonly lookups: unknown;
  readonly findAccess: FindAccess;
  readonly deadline: Deadline;
}

/** Passed on to lookups, it ends questions to registers and nothing else (D267). */
function liveIn({ firstRow }: ChunkQuestion, { signal }: Deadline): AbortSignal {
  const { chunkMs, rows } = JOB_LIMITS.live;
  if (firstRow > rows) return AbortSignal.abort();
  return AbortSignal.any([signal, AbortSignal.timeout(chunkMs)]);
}

/** As the routes answer; retries an unavailable register (D75). Throws an outage of the store. */
export async function answerByLookups(
  question: ChunkQuestion,
  given: SlowOptions,
): Promise<ChunkOutput & { readonly generation: number | null }> {
  const { kind, deadline } = given;
  const options = { ...given, live: liveIn(question, deadline) };
  const rows = decodeRows(question.input);
  const reader = new RowReader(question, rows);
  const { rowsAtATime } = JOB_LIMITS;
  const writer = new ResultWriter();
  let generation: number | null = null;
  const slice = new Slice();
  writer.begin(question.inputColumns, null);
  for (let from = question.skip; from < rows.length; from += rowsAtATime) {
    deadline.signal.throwIfAborted();
    const some = rows.slice(from, from + rowsAtATime);
    const answers = await askWithRetries(reader, some, options);
    generation = answers.generation ?? generation;
    writer.generation = generation;
    for (const [i, row] of some.entries()) {
      if (slice.isOver) await slice.next();
      const at = { row, number: question.firstRow + from + i };
      const answer = answers.value[i];
      if (answer instanceof Failure) writer.error(at, answer);
      else if (writer.succeeded === question.mostAnswers) return { ...writer.take(), generation };
      else writer.answer(at, kind, { answer, question: answers.asked[i] });
    }
  }
  return { ...writer.take(), generation };
}

async function askWithRetries(
  reader: RowReader,
  rows: readonly RowReader['row'][],
  options: SlowOptions & { readonly live: AbortSignal },
) {
  const { live } = options;
  let ofStore: unknown;
  const storeFailed = (error: unknown) => (ofStore = error);
  const asking = { ...options, deadline: { ...options.deadline, signal: live, storeFailed } };
  const asked: unknown[] = [];
  const value: unknown[] = [];
  let generation: number | null = null;
  let open = rows.map((_row, i) => i);
  for (let tries = 1; open.length > 0; tries++) {
    ofStore = undefined;
    // Addresses of a row that names one.
    for (const i of open) value[i] = asked[i] = questionOf(reader, rows[i] ?? [], options);
    const askable = open.filter((i) => !(asked[i] instanceof Failure));
    if (askable.length > 0) {
      const questions = askable.map((i) => asked[i]);
      const answers = await askOnce(questions, asking);
      generation = answers.generation ?? generation;
      for (const [n, i] of askable.entries()) value[i] = answers.value[n];
    }
    open = open.filter((i) => isPassing(value[i], ofStore));
    if (tries === JOB_LIMITS.rowTries || live.aborted) {
      const causes = open.flatMap((i) => [(value[i] as Failure).cause, ofStore]);
      const outage = causes.find(isOutageOfStore);
      if (outage instanceof Error) throw outage;
      break;
    }
    if (open.length > 0) {
      await sleep(JOB_LIMITS.rowRetryMs * tries, undefined, { signal: options.deadline.signal });
    }
  }
  return { generation, asked, value };
}

async function askOnce(questions: readonly unknown[], { kind, lookups, deadline }: SlowOptions) {
  try {
    return await kind.askAll(lookups, questions, deadline);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { generation: null, value: questions.map(() => error) };
  }
}

function isOutageOfStore(cause: unknown): boolean {
  return isServerUnavailable(cause) && !(cause instanceof UpstreamFailure);
}

/** A server has failed. What a copy lacks a sync must bring. */
function isPassing(answer: unknown, ofStore: unknown): boolean {
  if (!(answer instanceof Failure) || answer.retryAfterS === undefined) return false;
  return (answer.cause ?? ofStore) !== undefined;
}
