import { answerFromMemory } from '../src/jobs/answer-chunk.ts';
import type { JobChunk, JobChunkTask } from '../src/core/rows/chunk-types.ts';
import { rowsOf } from '../src/core/rows/kind.ts';
import type { AnyKind, AnyRows } from '../src/core/rows/kind.ts';
import { findAccessIn } from '../src/registers/addresses/find-access.ts';
import { Last } from '../src/kernel/last.ts';
import { lowerThreadPriority } from '../src/core/tasks/lower-priority.ts';
import { handOver } from '../src/core/tasks/pool-move.ts';

lowerThreadPriority();

const lastRows = new Last<AnyRows>();

export default async function run(task: JobChunkTask): Promise<JobChunk> {
  const { generation, kind: name, labels } = task;
  const exported = (await import(task.module)) as Readonly<Partial<Record<string, AnyKind>>>;
  const { [name]: kind } = exported;
  if (kind?.memory === undefined) throw new Error(`No kind ${name} is exported by its module.`);
  const { memory } = kind;
  let ask: ((question: unknown) => unknown) | null = null;
  const part = answerFromMemory(task, {
    kind: lastRows.of([name, labels], () => rowsOf(kind, labels)),
    ask: (question) => (ask ??= memory.open(task))(question),
    findAccess: findAccessIn(task),
    generation,
  });
  return handOver(part, [part.results.buffer, part.errors.buffer]);
}
