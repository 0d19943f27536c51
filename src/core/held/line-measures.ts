/** Turns an engine's measures into answers: feature numbers become attributes. */
import type { LineAttributes } from '../../layers/feature.ts';
import { LINE_KEYS } from '../../layers/keys.ts';
import type { LineKey } from '../../layers/keys.ts';
import { remember } from '../../kernel/remember.ts';
import type { Point, PointUtm32 } from '../../geo/point.ts';
import { worthOf } from '../../geo/unanswered.ts';
import type { Unanswered } from '../../geo/unanswered.ts';
import type { LineMeasure, StoredFeature } from './layer-reads.ts';
import { lineAttributesReader } from '../../snapshot/attributes.ts';
import type { LayerSnapshot } from '../../snapshot/layer.ts';
import type { LineEngine, LineMeasure as EngineMeasure } from '../../snapshot/lines.ts';
import type {
  BuildingLinesAnswer,
  FeatureHit,
  LineAnswer,
  MeasuredLine,
  Provenance,
  RepealedHit,
} from '../../answers/answer.ts';

/** Equals the store's measure. `radiusM`: D23. */
export function measureWith(engine: LineEngine, point: PointUtm32, radiusM: number): LineMeasure {
  return storedMeasure(engine.snapshot, engine.measure(point, radiusM));
}

function storedMeasure(snapshot: LayerSnapshot, measure: EngineMeasure): LineMeasure {
  const { within, uncertain, distanceM, count, hit, repealed } = measure;
  return {
    within,
    uncertain,
    distanceM,
    count,
    hit: hit === null ? null : storedFeature(snapshot, hit),
    repealed:
      repealed.length === 0
        ? NONE
        : repealed.map((near) => ({
            ...storedFeature(snapshot, near.feature),
            distanceM: near.distanceM,
          })),
  };
}

const NONE: LineMeasure['repealed'] = [];

const readers = new WeakMap<LayerSnapshot, ReturnType<typeof lineAttributesReader>>();

function storedFeature(snapshot: LayerSnapshot, index: number): StoredFeature {
  const { objectId, areaM2 } = snapshot.identify(index);
  return { objectId, areaM2, attributes: readerOf(snapshot)(index) };
}

function readerOf(snapshot: LayerSnapshot): (feature: number) => LineAttributes {
  return remember(readers, snapshot, () => lineAttributesReader(snapshot));
}

export type LineAnswerer = (
  point: Point,
  provenances: readonly (Provenance | null)[],
) => BuildingLinesAnswer;

/** The caller of a thread writes provenance into headers and records. */
export const TEN_FROM_MEMORY: readonly Provenance[] = LINE_KEYS.map(() => ({
  rung: 'snapshot',
  ageS: 0,
}));

/** `unanswered`: where the copy is unavailable; null: nowhere. */
export interface PlacedEngine {
  readonly engine: LineEngine;
  readonly unanswered: readonly Unanswered[] | null;
}

export interface LineGap {
  readonly engine: null;
  readonly line: LineKey;
}

/** `searchRadiusM`: D23. */
export function answererOf(
  engines: readonly (PlacedEngine | LineGap)[],
  searchRadiusM: number,
): LineAnswerer {
  return (point, provenances) => {
    const lines = engines.map((placed, m): LineAnswer => {
      if (placed.engine === null) return { status: 'unavailable', line: placed.line };
      const { engine, unanswered } = placed;
      const measure = engine.measure(point.utm32, searchRadiusM);
      const line = answerOf(engine, measure, provenances[m]);
      return unanswered === null ? line : besides(line, unanswered, { point, searchRadiusM });
    });
    return { point, searchRadiusM, lines };
  };
}

/** Limits a measured line by unreadable or uncovered places near it (D142, D143). */
export function besides(
  line: MeasuredLine,
  unanswered: readonly Unanswered[] | null,
  { point, searchRadiusM: radiusM }: Pick<BuildingLinesAnswer, 'point' | 'searchRadiusM'>,
): LineAnswer {
  switch (worthOf(unanswered, point.utm32, { measured: line, radiusM })) {
    case 'all':
      return line;
    case 'within':
      return { ...line, distanceM: null };
    case 'nothing':
      return { status: 'unavailable', line: line.line };
  }
}

function answerOf(
  { snapshot }: LineEngine,
  { within, uncertain, distanceM, count, hit, repealed }: EngineMeasure,
  provenance: Provenance | null | undefined,
): MeasuredLine {
  if (!provenance) throw new Error('A line was left out.');
  return {
    status: 'ok',
    line: snapshot.meta.layer as LineKey,
    within,
    uncertain,
    distanceM,
    count,
    hit: hit === null ? null : featureHit(storedFeature(snapshot, hit), true),
    repealed:
      repealed.length === 0 ? NO_HITS : repealed.map((near) => repealedNear(snapshot, near)),
    provenance,
  };
}

export function measured(
  line: LineKey,
  { within, uncertain, distanceM, count, hit, repealed }: LineMeasure,
  provenance: Provenance,
): MeasuredLine {
  return {
    status: 'ok',
    line,
    within,
    uncertain,
    distanceM,
    count,
    hit: hit === null ? null : featureHit(hit, true),
    repealed: repealed.length === 0 ? NO_HITS : repealed.map(repealedHit),
    provenance,
  };
}

function repealedNear(
  snapshot: LayerSnapshot,
  { feature, distanceM }: EngineMeasure['repealed'][number],
): RepealedHit {
  const { objectId, areaM2 } = snapshot.identify(feature);
  return { objectId, inForce: false, attributes: readerOf(snapshot)(feature), areaM2, distanceM };
}

const NO_HITS: MeasuredLine['repealed'] = [];

function repealedHit(feature: LineMeasure['repealed'][number]): RepealedHit {
  return { ...featureHit(feature, false), distanceM: feature.distanceM };
}

function featureHit({ objectId, areaM2, attributes }: StoredFeature, inForce: boolean): FeatureHit {
  return { objectId, inForce, attributes, areaM2 };
}
