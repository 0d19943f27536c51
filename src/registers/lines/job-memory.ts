/** Rows of `miljoe` in a thread: the ten lines from shared snapshots. */
import type { BuildingLinesAnswer } from '../../answers/answer.ts';
import type { Point } from '../../geo/point.ts';
import type { KindInMemory, OpenMemory } from '../../core/rows/kind.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { snapshotOf } from '../../core/tasks/job-memory.ts';
import { coveredLines } from './covered.ts';
import { placedEngine } from './engines.ts';
import { answeredAtAll, miljoe } from './job.ts';
import { TEN_FROM_MEMORY, answererOf } from '../../core/held/line-measures.ts';

const open: OpenMemory<Point, BuildingLinesAnswer> = (memory) => {
  const engines = LINE_KEYS.map((key) => placedEngine(snapshotOf(memory, key)));
  const answerAt = answererOf(engines, memory.radiusM);
  const lands = memory.lands && openLands(memory.lands);
  return (point) => {
    const answer = answerAt(point, TEN_FROM_MEMORY);
    return answeredAtAll(lands === null ? answer : coveredLines(answer, lands));
  };
};
export default { kind: miljoe, open } satisfies KindInMemory;
