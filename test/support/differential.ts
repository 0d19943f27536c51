/**
 * Memory held against the statements of a store over many points: anywhere among the features, and
 * on and beside their edges. Every layer at every point is one comparison.
 */
import type { LineMeasure } from '../../src/core/held/layer-reads.ts';
import type { Store } from '../../src/db/connect.ts';
import type { PointUtm32 } from '../../src/geo/point.ts';
import { LINE_LAYERS } from '../../src/registers/lines/mirror.ts';
import { LINE_KEYS, THEMES } from '../../src/layers/keys.ts';
import { compareAreas, compareLines } from '../../src/core/held/snapshot-differences.ts';
import type { EngineDifference } from '../../src/core/held/snapshot-differences.ts';
import type { SnapshotSet } from '../../src/core/held/snapshot-set.ts';
import { readLines } from '../../src/registers/lines/store.ts';
import { readCoveringAreas } from '../../src/registers/areas/store.ts';
import type { LayerSnapshot } from '../../src/snapshot/layer.ts';
import { pointAmong, pointBeside, randomFrom } from '../../src/snapshot/probes.ts';

/** Points of one statement: many, because only the engines are of interest. */
const POINTS_A_STATEMENT = 200;
const SHOWN = 5;

export interface ProbePlan {
  readonly random: number;
  readonly edge: number;
  readonly seed: number;
  /**
   * Points exactly on vertices and edges and a nanometre beside them: there the answer is rounding,
   * and the engines round as PostGIS 3.3 does, not as the embedded store.
   */
  readonly exact: boolean;
}

/** The same plan over the same snapshots gives the same points. */
export function* probesOf(set: SnapshotSet, plan: ProbePlan): Generator<PointUtm32> {
  const random = randomFrom(plan.seed);
  const snapshots = [...set.layers.values()]
    .map(({ snapshot }) => snapshot)
    .filter(({ meta }) => meta.vertexCount > 0);
  for (let i = 0; i < plan.random; i++) {
    yield pointAmong(snapshots[i % snapshots.length]!, random)!;
  }
  for (let i = 0; i < plan.edge; i++) {
    const snapshot = snapshots[i % snapshots.length]!;
    const isExact = plan.exact && Math.floor(i / snapshots.length) % 2 === 0;
    yield isExact ? pointOn(snapshot, random) : pointBeside(snapshot, random)!;
  }
}

/** A vertex, the middle of an edge, somewhere on it, or a nanometre off. */
function pointOn({ meta, xy }: LayerSnapshot, random: () => number): PointUtm32 {
  const v = 2 * Math.floor(random() * (meta.vertexCount - 1));
  const kind = Math.floor(4 * random());
  const along = [0, 0.5, random(), random()][kind]!;
  const off = kind === 3 ? 1e-9 : 0;
  return {
    xUtm32: xy[v]! + along * (xy[v + 2]! - xy[v]!) + off * (2 * random() - 1),
    yUtm32: xy[v + 1]! + along * (xy[v + 3]! - xy[v + 1]!) + off * (2 * random() - 1),
  };
}

/**
 * Asks both of every point, and gives the first few differences. `told` hears of the progress. Of two features that both
 * go through the point, closer than a coordinate can tell (a nanometre), each engine names one: a tie, and no difference.
 */
export async function holdAgainst(
  { set, store }: { readonly set: SnapshotSet; readonly store: Pick<Store, 'db'> },
  points: Iterable<PointUtm32>,
  told: (compared: number) => void = () => undefined,
) {
  const lines = LINE_KEYS.filter((key) => set.layers.has(key)).map((key) => LINE_LAYERS[key]);
  const hasAreas = THEMES.every((theme) => set.layers.has(theme));
  const differences: EngineDifference[] = [];
  let compared = 0;
  let differing = 0;
  let ties = 0;
  for (const some of batchesOf(points)) {
    const question = { points: some, lines, radiusM: 500 };
    const results = [
      lines.length === 0
        ? null
        : compareLines(question, set.readLines(question), await readLines(store, question)),
      hasAreas
        ? compareAreas(some, set.readCoveringAreas(some), await readCoveringAreas(store, some))
        : null,
    ];
    for (const result of results) {
      const real = (result?.differences ?? []).filter((difference) => !isTie(difference));
      compared += result?.compared ?? 0;
      differing += real.length;
      ties += (result?.differences.length ?? 0) - real.length;
      differences.push(...real);
    }
    differences.splice(SHOWN);
    told(compared);
  }
  return { compared, differences, differing, ties };
}

const TIE_M = 1e-8;

function isTie({ memory, store }: EngineDifference): boolean {
  const [ours, theirs] = [memory, store] as (Partial<LineMeasure> | undefined)[];
  const isNear = (measure: Partial<LineMeasure> | undefined): boolean =>
    typeof measure?.distanceM === 'number' && Math.abs(measure.distanceM) < TIE_M;
  const isAlike = ours?.within === theirs?.within && ours?.count === theirs?.count;
  return isNear(ours) && isNear(theirs) && isAlike;
}

function* batchesOf(points: Iterable<PointUtm32>): Generator<PointUtm32[]> {
  let some: PointUtm32[] = [];
  for (const point of points) {
    some.push(point);
    if (some.length < POINTS_A_STATEMENT) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
