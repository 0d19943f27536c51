/**
 * One line at one point, live: one window of the search radius, widened only for the edge of a
 * zone. An incomplete answer is a failure, never a no.
 */
import type { LineMeasure } from '../../core/held/layer-reads.ts';
import type { Clock } from '../../kernel/clock.ts';
import { cacheByCount } from '../../kernel/cache.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Point } from '../../geo/point.ts';
import { believableTotal } from '../../layers/believable.ts';
import type { OriginQuestion } from '../../layers/believable.ts';
import type { LineLayer } from '../../layers/catalogue.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import type { LiveWfs } from '../../wfs/live.ts';
import { pageTask } from '../../wfs/page-task.ts';
import type { MeasuredWindow, MeasureWindowTask } from './window.ts';

export interface LineOriginDeps {
  readonly live: LiveWfs;
  readonly clock: Clock;
  /** By host; a host that needs a key and has none is not queried. */
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly measureWindow: (
    task: MeasureWindowTask,
    signal?: AbortSignal,
  ) => Promise<MeasuredWindow>;
  /** D23. */
  readonly searchRadiusM: number;
}

export type AskLine = (
  layer: LineLayer,
  point: Point,
  asking: OriginQuestion,
) => Promise<LineMeasure>;

export function isLiveWith(keys: LineOriginDeps['keys']): (line: LineLayer) => boolean {
  return ({ source: { apiKeyParameter, host } }) =>
    apiKeyParameter === null || keys[host] !== undefined;
}

/** Throws UpstreamFailure. Cached for LIMITS.originAnswerTtlMs. */
export function createLineOrigin(deps: LineOriginDeps): AskLine {
  const kept = cacheByCount<LineMeasure>(LIMITS.originAnswersKept, LIMITS.originAnswerTtlMs);
  return async (layer, point, { signal, ...asking }) => {
    const { xUtm32, yUtm32 } = point.utm32;
    const key = `${layer.id} ${layer.source.url} ${xUtm32} ${yUtm32}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.originDeadlineMs)]);
    const measure = await widen(deps, layer, { ...asking, point, signal: deadline });
    kept.set(key, measure);
    return measure;
  };
}

interface Call extends OriginQuestion {
  readonly point: Point;
}

/**
 * Inside a zone a farther edge may be the window's end. Past the largest window the answer is a yes
 * without a distance.
 */
async function widen(deps: LineOriginDeps, layer: LineLayer, call: Call): Promise<LineMeasure> {
  for (let halfM = deps.searchRadiusM; ; halfM *= 2) {
    const measure = await measureIn(deps, layer, { ...call, halfM });
    const proven = !measure.within || measure.distanceM === null || -measure.distanceM <= halfM;
    if (proven) return measure;
    if (halfM * 2 > LIMITS.originHalfWindowM) return { ...measure, distanceM: null };
  }
}

async function measureIn(
  { live, clock, keys, measureWindow, searchRadiusM }: LineOriginDeps,
  layer: LineLayer,
  { point, signal, holder, sourceRows, halfM }: Call & { readonly halfM: number },
): Promise<LineMeasure> {
  const { source } = layer;
  const apiKey = keys[source.host] ?? null;
  if (source.apiKeyParameter !== null && apiKey === null) {
    throw new UpstreamFailure('refused', `${source.host} wants an API key and none is configured`);
  }
  const { xUtm32: x, yUtm32: y } = point.utm32;
  const bbox = { minX: x - halfM, minY: y - halfM, maxX: x + halfM, maxY: y + halfM };
  const whole = believableTotal(layer.guards, sourceRows);
  const answer = await live.window(source, { bbox }, { apiKey, signal, holder, whole });
  // Callers of one window share its bytes, and the thread takes ownership of what it gets.
  const page = pageTask(layer, Uint8Array.from(answer.bytes), clock.nowMs());
  const task = { page, box: bbox, point: point.utm32, radiusM: searchRadiusM };
  const { unseenColumns, ...measure } = await live.read(holder, () => measureWindow(task, signal));
  await live.describes(source, unseenColumns, { apiKey, signal, holder });
  return measure;
}
