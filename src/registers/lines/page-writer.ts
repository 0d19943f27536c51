import type { PointUtm32 } from '../../geo/point.ts';
import { LineRenderer, linesBatch } from './answer.ts';
import type { LineLabels } from './answer.ts';
import { renderBatch } from '../../answers/batch-writer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import type { BuildingLinesAnswer, LineAnswer } from '../../answers/answer.ts';
import { Last } from '../../kernel/last.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import { TEN_FROM_MEMORY, answererOf } from '../../core/held/line-measures.ts';
import { coveredLines } from './covered.ts';
import { placedEngine } from './engines.ts';
import { openLands } from '../../core/tasks/lands.ts';
import { isCancelled } from '../../core/tasks/cancelled.ts';
import type { HandedOver } from '../../core/tasks/protocol.ts';
import type { LinesPage, LinesPageTask } from './pages.ts';

const out = new JsonWriter();

/** The result of an aborted batch is not used. */
export function answerLines(task: LinesPageTask): HandedOver<LinesPage> {
  const answers = answersOf(task);
  if (answers === null) return { value: GIVEN_UP, give: [] };
  const items = answers.map(({ point: { wgs84 } }, n) => ({ ...wgs84, ...idOf(task, n) }));
  renderBatch(out, linesBatch(rendererOf(task.context.labels), { items, answers }));
  const { written } = out;
  const { length } = written;
  if (length <= task.buffer.length) {
    task.buffer.set(written);
    return { value: { length, longBody: null, ...lackingIn(answers) }, give: [] };
  }
  const longBody = Uint8Array.from(written);
  return { value: { length, longBody, ...lackingIn(answers) }, give: [longBody.buffer] };
}

const ALL_ANSWERED = { unansweredPoints: 0, unavailable: null, uncovered: null } as const;
const GIVEN_UP: LinesPage = { length: 0, longBody: null, ...ALL_ANSWERED };

/** Counts unanswered points; if the copies answer everywhere, nothing is checked twice. */
function lackingIn(
  answers: readonly BuildingLinesAnswer[],
): Omit<LinesPage, 'length' | 'longBody'> {
  const isLacking = ({ status }: LineAnswer) => status === 'unavailable';
  if (!answers.some(({ lines }) => lines.some(isLacking))) return ALL_ANSWERED;
  const count = (is: (line: LineAnswer) => boolean) =>
    LINE_KEYS.map((_, m) => answers.filter(({ lines }) => lines.slice(m, m + 1).some(is)).length);
  const unavailable = count(isLacking);
  const uncovered = count((line) => line.status !== 'ok' && line.covered !== undefined);
  const unansweredPoints = answers.filter(({ lines }) => lines.every(isLacking)).length;
  return { unansweredPoints, unavailable, uncovered };
}

function answersOf(task: LinesPageTask): BuildingLinesAnswer[] | null {
  const { context, points, degrees } = task;
  const { snapshots, radiusM } = context;
  const lands = context.lands && openLands(context.lands);
  const engines = LINE_KEYS.map((line) => {
    const snapshot = snapshots.find(({ layer }) => layer === line);
    return snapshot === undefined ? { engine: null, line } : placedEngine(snapshot);
  });
  const answerAt = answererOf(engines, radiusM);
  const answers: BuildingLinesAnswer[] = [];
  for (let n = 0; 2 * n + 1 < points.length; n++) {
    if (isCancelled(task, n)) return null;
    const utm32: PointUtm32 = { xUtm32: points[2 * n] ?? NaN, yUtm32: points[2 * n + 1] ?? NaN };
    const wgs84 = { lon: degrees[2 * n] ?? NaN, lat: degrees[2 * n + 1] ?? NaN };
    const answer = answerAt({ utm32, wgs84 }, TEN_FROM_MEMORY);
    answers.push(lands === undefined ? answer : coveredLines(answer, lands));
  }
  return answers;
}

function idOf({ ids }: LinesPageTask, n: number): { readonly id?: string } {
  const id = ids?.[n];
  return id === undefined ? {} : { id };
}

/** Labels are constant while a service runs. */
const renderer = new Last<LineRenderer>();

function rendererOf(labels: LinesPageTask['context']['labels']): LineRenderer {
  return renderer.of([labels], () => {
    return new LineRenderer(JSON.parse(Buffer.from(labels).toString('utf8')) as LineLabels);
  });
}
