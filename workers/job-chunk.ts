/** Worker task: the rows of a chunk of a job, from shared memory to the bytes of its files. */
import { answerFromMemory } from '../src/jobs/answer-chunk.ts';
import type { JobChunk, JobChunkTask } from '../src/core/rows/chunk-types.ts';
import type { AnyKind, AnyRows, KindInMemory, KindLabels } from '../src/core/rows/kind.ts';
import { findAccessIn } from '../src/registers/addresses/find-access.ts';
import { Kept } from '../src/core/tasks/job-memory.ts';
import { lowerThreadPriority } from '../src/core/tasks/lower-priority.ts';
import { handOver } from '../src/core/tasks/pool-move.ts';

lowerThreadPriority();

export default async function run(task: JobChunkTask): Promise<JobChunk> {
  const { generation } = task;
  const { default: loaded } = (await import(task.module)) as { readonly default: KindInMemory };
  // Opened when the first row asks.
  let ask: ((question: never) => unknown) | null = null;
  const part = answerFromMemory(task, {
    kind: labelledRows(loaded.kind, task),
    ask: (question) => (ask ??= loaded.open(task))(question as never),
    findAccess: findAccessIn(task),
    generation,
  });
  return handOver(part, [part.results.buffer, part.errors.buffer]);
}

const rows = new Kept<AnyRows>();

function labelledRows(kind: AnyKind, { labels }: JobChunkTask): AnyRows {
  const text = Buffer.from(labels).toString('utf8');
  return rows.of(`${kind.name} ${text}`, () =>
    kind.rows((JSON.parse(text) as KindLabels)[kind.name]),
  );
}
