import { readTable } from '../src/downloads/read-table.ts';
import type { ParseTableTask, ParsedTable } from '../src/downloads/table-task.ts';
import { UpstreamFailure } from '../src/wfs/failure.ts';
import { handOver } from '../src/core/tasks/pool-move.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';

export default function run(task: ParseTableTask): ParsedTable | Refused {
  try {
    const parsed = readTable(task);
    const { current, former, closed, others } = parsed;
    return handOver(
      parsed,
      [current, former, closed, others].flatMap(({ arrays }) => arrays.map(({ buffer }) => buffer)),
    );
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error;
    return { refused: error.message };
  }
}
