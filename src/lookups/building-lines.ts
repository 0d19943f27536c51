/**
 * The main question: which building lines are in force at a point. Each line climbs the ladder on
 * its own; what nothing could answer is unavailable and has no yes or no. One call is one statement,
 * so every answer of a batch that the store gave is of one generation (D19).
 */
import type { Clock } from '../kernel/clock.ts';
import type { Point } from '../geo/point.ts';
import type { Catalogue, LineLayer } from '../layers/catalogue.ts';
import type { LineKey } from '../layers/keys.ts';
import type {
  LineMeasure,
  LinesQuestion,
  LinesRead,
  StoredFeature,
} from '../registers/building-lines/store.ts';
import type {
  BuildingLinesAnswer,
  FeatureHit,
  LineAnswer,
  MeasuredLine,
  Provenance,
  Watcher,
} from './answers.ts';
import { FROM_ORIGIN, firstRung, lastRung, provenanceOf } from './ladder.ts';

export interface BuildingLinesDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  /** Throws when the store does not answer. */
  readonly readStore: (question: LinesQuestion) => Promise<LinesRead>;
  /** The register's own answer for one line at one point; throws when it cannot be read whole. */
  readonly askOrigin: (line: LineLayer, point: Point, signal: AbortSignal) => Promise<LineMeasure>;
  /** Told of a layer whose copy is too old, so that a sync can be asked for. */
  readonly onExpired?: (line: LineKey) => void;
  readonly watcher?: Watcher;
}

export interface BuildingLines {
  /** Points and lines in the order asked; every line of every point has an answer. */
  at(
    points: readonly Point[],
    lines: readonly LineKey[],
    options: { readonly signal: AbortSignal },
  ): Promise<{
    readonly generation: number;
    readonly value: readonly BuildingLinesAnswer[];
  }>;
}

const NOTHING_STORED: LinesRead = { rung: 'store', generation: 0, copies: new Map(), measures: [] };

export function createBuildingLines(deps: BuildingLinesDeps): BuildingLines {
  return {
    at: async (points, lines, { signal }) => {
      const layers = lines.map((key) => deps.catalogue.lines[key]);
      const question = {
        points: points.map(({ utm32 }) => utm32),
        lines: layers,
        radiusM: deps.searchRadiusM,
      };
      // A store that is down leaves the origin, as if nothing had been mirrored.
      const read = await deps.readStore(question).catch(() => NOTHING_STORED);
      const climb: Climb = { deps, read, signal };
      const value = await Promise.all(
        points.map(async (point, n) => ({
          point,
          searchRadiusM: deps.searchRadiusM,
          lines: await Promise.all(
            layers.map((layer, m) => answerLine(climb, layer, { point, stored: at(read, n, m) })),
          ),
        })),
      );
      if (deps.watcher !== undefined) tell(deps.watcher, value);
      return { generation: read.generation, value };
    },
  };
}

function tell(watcher: Watcher, value: readonly BuildingLinesAnswer[]): void {
  for (const { lines } of value) {
    for (const answer of lines) {
      const by = answer.status === 'ok' ? answer.provenance.rung : 'unavailable';
      watcher.answered(answer.line, by);
    }
  }
}

interface Climb {
  readonly deps: BuildingLinesDeps;
  readonly read: LinesRead;
  readonly signal: AbortSignal;
}

function at(read: LinesRead, point: number, line: number): LineMeasure | null {
  return read.measures[point]?.[line] ?? null;
}

interface Asked {
  readonly point: Point;
  readonly stored: LineMeasure | null;
}

async function answerLine(
  { deps, read, signal }: Climb,
  layer: LineLayer,
  { point, stored }: Asked,
): Promise<LineAnswer> {
  const line = layer.id;
  const nowMs = deps.clock.nowMs();
  const copy = stored === null ? null : (read.copies.get(line) ?? null);
  if (copy !== null && stored !== null && firstRung(copy, layer.freshness, nowMs) === 'copy') {
    return measured(line, stored, provenanceOf(read.rung, copy, nowMs));
  }
  if (copy !== null) deps.onExpired?.(line);
  try {
    return measured(line, await deps.askOrigin(layer, point, signal), FROM_ORIGIN);
  } catch (error) {
    deps.watcher?.originFailed(line, error);
    // Whatever the origin's failure was: an old copy answers and says so, or nothing does.
    if (copy !== null && stored !== null && lastRung(copy, layer.freshness, nowMs) === 'stale') {
      return measured(line, stored, provenanceOf('stale', copy, nowMs));
    }
    return { status: 'unavailable', line };
  }
}

function measured(line: LineKey, measure: LineMeasure, provenance: Provenance): MeasuredLine {
  const { within, uncertain, distanceM, count, hit, repealed } = measure;
  return {
    status: 'ok',
    line,
    within,
    uncertain,
    distanceM,
    count,
    hit: hit === null ? null : featureHit(hit, true),
    repealed: repealed.map((feature) => ({
      ...featureHit(feature, false),
      distanceM: feature.distanceM,
    })),
    provenance,
  };
}

function featureHit({ objectId, areaM2, attributes }: StoredFeature, inForce: boolean): FeatureHit {
  return { objectId, inForce, attributes, areaM2 };
}
