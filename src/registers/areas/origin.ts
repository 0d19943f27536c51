/**
 * Live areas: reads those whose box meets the point and decides exactly. An incomplete answer is a
 * failure, never "none".
 */
import type { CoveringArea } from '../../core/held/layer-reads.ts';
import { boxesMeet, wkbBox } from '../../geo/box.ts';
import { wkbCovers } from '../../geo/covers.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Point } from '../../geo/point.ts';
import { believableTotal } from '../../layers/believable.ts';
import type { OriginQuestion } from '../../layers/believable.ts';
import type { AreaLayer } from '../../layers/catalogue.ts';
import type { AreaAttributes } from '../../layers/feature.ts';
import type { Theme } from '../../layers/keys.ts';
import { unseenIn } from '../../layers/contract.ts';
import { neededColumns } from '../../layers/mappings/needed.ts';
import { CODE_COLUMNS, SCALE_COLUMN } from '../../layers/mappings/dagi.ts';
import type { Select } from '../../wfs/window.ts';
import { UpstreamFailure } from '../../wfs/failure.ts';
import type { LiveWfs, Whole } from '../../wfs/live.ts';
import { dagiScaleOf, pageTask } from '../../wfs/page-task.ts';
import type { EncodedFeature, ParsePageTask, ParsedPage } from '../../wfs/page.ts';
import { byThemeThenCode } from './store.ts';

export interface AreaOriginDeps {
  readonly live: LiveWfs;
  /** By host; a host that needs a key and has none is not queried. */
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly workers: {
    parsePage(task: ParsePageTask, signal?: AbortSignal): Promise<ParsedPage>;
  };
}

export interface OriginArea extends AreaAttributes {
  readonly wkb: Uint8Array;
  readonly contentHash: string;
}

export interface AreaOrigin {
  /** Boundary included (D44). Throws UpstreamFailure. */
  covering(layer: AreaLayer<Theme>, point: Point, asking: OriginQuestion): Promise<CoveringArea[]>;
  /** By four-digit code; null: the register has none. Throws UpstreamFailure. */
  byCode(layer: AreaLayer<Theme>, code: string, asking: OriginQuestion): Promise<OriginArea | null>;
}

export function createAreaOrigin(deps: AreaOriginDeps): AreaOrigin {
  return {
    covering: (layer, point, asking) => askCoveringAreas(deps, callOf(layer, asking), point),
    byCode: (layer, code, asking) => askCode(deps, callOf(layer, asking), code),
  };
}

interface OriginCall extends OriginQuestion {
  readonly layer: AreaLayer<Theme>;
}

function callOf(layer: AreaLayer<Theme>, { signal, ...asking }: OriginQuestion): OriginCall {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.originDeadlineMs)]);
  return { ...asking, layer, signal: deadline };
}

/** Enough for any server's rounding of the box. */
const HALF_WINDOW_M = 1;

async function askCoveringAreas(
  deps: AreaOriginDeps,
  call: OriginCall,
  { utm32: { xUtm32: x, yUtm32: y } }: Point,
): Promise<CoveringArea[]> {
  const bbox = {
    minX: x - HALF_WINDOW_M,
    minY: y - HALF_WINDOW_M,
    maxX: x + HALF_WINDOW_M,
    maxY: y + HALF_WINDOW_M,
  };
  const features = await ask(deps, call, { bbox });
  if (!features.every(({ wkb }) => boxesMeet(wkbBox(wkb), bbox, HALF_WINDOW_M))) {
    const { typeName } = call.layer.source;
    throw new UpstreamFailure('unreadable', `${typeName}: an area outside the box asked for`);
  }
  return features
    .filter(({ wkb }) => wkbCovers(wkb, { xUtm32: x, yUtm32: y }))
    .map(({ attributes }) => {
      const { code, name } = JSON.parse(attributes) as AreaAttributes;
      return { theme: call.layer.id, code, name };
    })
    .sort(byThemeThenCode);
}

/**
 * Queries both spellings, since a register may hold codes unpadded; results are compared with the
 * code.
 */
async function askCode(
  deps: AreaOriginDeps,
  call: OriginCall,
  code: string,
): Promise<OriginArea | null> {
  const property = CODE_COLUMNS[call.layer.id];
  const values = [...new Set([code, String(Number(code))])];
  const features = await ask(deps, call, { where: { property, values } });
  for (const { attributes, wkb, hash } of features) {
    const area = JSON.parse(attributes) as AreaAttributes;
    if (area.code !== code) continue;
    const contentHash = Buffer.from(hash).toString('hex');
    return { code, name: area.name, regionCode: area.regionCode, wkb, contentHash };
  }
  return null;
}

async function ask(
  deps: AreaOriginDeps,
  call: OriginCall,
  select: Select,
): Promise<readonly EncodedFeature[]> {
  const { source } = call.layer;
  const apiKey = deps.keys[source.host] ?? null;
  if (source.apiKeyParameter !== null && apiKey === null) {
    throw new UpstreamFailure('refused', `${source.host} wants an API key and none is configured`);
  }
  const { signal, holder } = call;
  const whole = wholeOf(call);
  const answer = await deps.live.window(source, select, { apiKey, signal, holder, whole });
  const { features, unseen } = await readWhole(deps, call, answer.bytes);
  await deps.live.describes(source, unseen, { apiKey, signal, holder });
  if (features.length === 0 && !answer.saysNone) {
    throw new UpstreamFailure('incomplete', `${source.typeName}: none, of rows it may have lost`);
  }
  return features;
}

function wholeOf({ layer: { guards, source }, sourceRows }: OriginCall): Whole {
  const scale = dagiScaleOf(source);
  const bounds = believableTotal(guards, sourceRows);
  return scale === null
    ? bounds
    : { ...bounds, where: { property: SCALE_COLUMN, values: [scale] } };
}

async function readWhole(
  deps: AreaOriginDeps,
  { layer, signal, holder }: OriginCall,
  shared: Uint8Array,
): Promise<{ readonly features: readonly EncodedFeature[]; readonly unseen: readonly string[] }> {
  // Callers of one window share its bytes, and the thread takes ownership of what it gets.
  const task = pageTask(layer, Uint8Array.from(shared));
  const page = await deps.live.read(holder, () => deps.workers.parsePage(task, signal));
  const needed = neededColumns(layer.mapping, layer.source.keyProperty);
  const { unseen, complete } = unseenIn(page, needed);
  const gone = complete && unseen.length > 0 ? `the columns ${unseen.join(', ')} are gone` : null;
  const reason = page.issues[0]?.reason ?? Object.keys(page.doubts)[0] ?? gone;
  if (reason !== null) {
    throw new UpstreamFailure('unreadable', `${layer.source.typeName}: ${reason}`);
  }
  return { features: page.features, unseen };
}
