/**
 * The areas straight from the register, when the mirror has no copy or an old one: the areas whose
 * box meets the point, read and decided in full. Whatever is not whole is a failure, never "none".
 */
import { wkbCovers } from '../../geo/covers.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Point } from '../../geo/point.ts';
import type { AreaLayer } from '../../layers/catalogue.ts';
import type { AreaAttributes } from '../../layers/feature.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import type { LiveWfs } from '../../wfs/live.ts';
import { pageTask } from '../../wfs/page-task.ts';
import type { EncodedFeature, ParsePageTask, ParsedPage } from '../../../workers/protocol.ts';
import type { CoveringArea } from './store.ts';

export interface AreaOriginDeps {
  readonly live: LiveWfs;
  /** API keys by host; a host that wants one and has none is not asked. */
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly workers: {
    parsePage(task: ParsePageTask, signal?: AbortSignal): Promise<ParsedPage>;
  };
}

export interface AreaOrigin {
  /** Every area of the theme that covers the point (D44). Throws UpstreamFailure. */
  covering(layer: AreaLayer, point: Point, signal: AbortSignal): Promise<CoveringArea[]>;
  /** The area with the four-digit code; null when the register holds none. Throws UpstreamFailure. */
  byCode(layer: AreaLayer, code: string, signal: AbortSignal): Promise<OriginArea | null>;
}

export function createAreaOrigin(deps: AreaOriginDeps): AreaOrigin {
  return {
    covering: (layer, point, signal) => {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.originDeadlineMs)]);
      return askCoveringAreas(deps, { layer, signal: deadline }, point);
    },
  };
}

interface OriginCall {
  readonly layer: AreaLayer;
  readonly signal: AbortSignal;
}

/** Half a window around a point, metres: enough for any server's rounding of the box. */
const HALF_WINDOW_M = 1;

async function askCoveringAreas(
  deps: AreaOriginDeps,
  call: OriginCall,
  { utm32 }: Point,
): Promise<CoveringArea[]> {
  const { source, id: theme } = call.layer;
  const apiKey = deps.keys[source.host] ?? null;
  if (source.apiKeyParameter !== null && apiKey === null) {
    throw new UpstreamFailure('refused', `${source.host} wants an API key and none is configured`);
  }
  const answer = await deps.live.window(
    source,
    {
      minX: utm32.xUtm32 - HALF_WINDOW_M,
      minY: utm32.yUtm32 - HALF_WINDOW_M,
      maxX: utm32.xUtm32 + HALF_WINDOW_M,
      maxY: utm32.yUtm32 + HALF_WINDOW_M,
    },
    { apiKey, signal: call.signal },
  );
  const features = await readWhole(deps, call, answer.bytes);
  return features
    .filter(({ wkb }) => wkbCovers(wkb, utm32))
    .map(({ attributes }) => {
      const { code, name } = JSON.parse(attributes) as AreaAttributes;
      return { theme, code, name };
    });
}

/** The mapped features of an answer of which nothing was lost on the way. */
async function readWhole(
  deps: AreaOriginDeps,
  { layer, signal }: OriginCall,
  shared: Uint8Array,
): Promise<readonly EncodedFeature[]> {
  // Callers of one window share its bytes, and the thread takes what it is given.
  const page = await deps.workers.parsePage(pageTask(layer, Uint8Array.from(shared)), signal);
  const [issue] = page.issues;
  if (issue !== undefined) {
    throw new UpstreamFailure('unreadable', `${layer.source.typeName}: ${issue.reason}`);
  }
  return page.features;
}
