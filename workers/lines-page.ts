/** Worker task: many points against the ten lines in shared memory, as the body of their answer. */
import type { PointUtm32 } from '../src/geo/point.ts';
import { LineRenderer, linesBatch } from '../src/http/v1/natur/render.ts';
import type { LineWords } from '../src/http/v1/natur/render.ts';
import { layBatch } from '../src/http/wire/batch-writer.ts';
import { JsonWriter } from '../src/http/wire/json-writer.ts';
import type { BuildingLinesAnswer, Provenance } from '../src/lookups/answers.ts';
import { answerWith } from '../src/lookups/line-measures.ts';
import type { LineEngine } from '../src/snapshot/lines.ts';
import { lineEngine } from './engines.ts';
import { isGivenUp } from './given-up.ts';
import { handOver } from './pool-move.ts';
import type { LinesPage, LinesPageTask } from './protocol.ts';

const out = new JsonWriter();
/** Rides in headers, which the request thread writes. */
const FROM_MEMORY: Provenance = { rung: 'snapshot', ageS: 0 };

/** Of a batch that was given up, what comes back is of no use to anybody. */
export default function run(task: LinesPageTask): LinesPage {
  const answers = answersOf(task);
  if (answers === null) return { length: 0, longBody: null };
  const items = answers.map(({ point: { wgs84 } }, n) => ({ ...wgs84, ...idOf(task, n) }));
  layBatch(out, linesBatch(rendererOf(task.words), { items, answers }));
  const { written } = out;
  const { length } = written;
  if (length <= task.room.length) {
    task.room.set(written);
    return { length, longBody: null };
  }
  const longBody = Uint8Array.from(written);
  return handOver({ length, longBody }, [longBody.buffer]);
}

function answersOf(task: LinesPageTask): BuildingLinesAnswer[] | null {
  const { snapshots, points, degrees, radiusM } = task;
  const engines: LineEngine[] = snapshots.map(lineEngine);
  const answers: BuildingLinesAnswer[] = [];
  for (let n = 0; 2 * n + 1 < points.length; n++) {
    if (isGivenUp(task, n)) return null;
    const utm32: PointUtm32 = { xUtm32: points[2 * n] ?? NaN, yUtm32: points[2 * n + 1] ?? NaN };
    const wgs84 = { lon: degrees[2 * n] ?? NaN, lat: degrees[2 * n + 1] ?? NaN };
    const at = { point: utm32, radiusM };
    const lines = engines.map((engine) => answerWith(engine, at, FROM_MEMORY));
    answers.push({ point: { utm32, wgs84 }, searchRadiusM: radiusM, lines });
  }
  return answers;
}

function idOf({ ids }: LinesPageTask, n: number): { readonly id?: string } {
  const id = ids?.[n];
  return id === undefined ? {} : { id };
}

/** The renderer of the words that came last: they are the same as long as a service runs. */
let kept: { readonly words: string; readonly renderer: LineRenderer } | null = null;

function rendererOf(shared: LinesPageTask['words']): LineRenderer {
  const words = Buffer.from(shared).toString('utf8');
  if (kept?.words !== words) {
    kept = { words, renderer: new LineRenderer(JSON.parse(words) as LineWords) };
  }
  return kept.renderer;
}
