/** Equal to the PostGIS statement (D23 to D31). Runs no nearer than the best are not measured. */
import type { PointUtm32 } from '../geo/point.ts';
import { LIMITS } from '../kernel/limits.ts';
import { CellReader, foundCells } from './cells.ts';
import { EdgeKernel } from './edges.ts';
import { SnapshotRefused } from './format.ts';
import { FEATURE, RUN, RUN_WORDS } from './grid.ts';
import { InsideFinder } from './inside.ts';
import type { LayerSnapshot } from './layer.ts';
import { NearList } from './near-list.ts';
import { OwnBoundary } from './own-boundary.ts';

/** `distanceM`: signed, to the feature's own boundary. */
export interface NearFeature {
  readonly feature: number;
  readonly distanceM: number;
}

export interface LineMeasure {
  readonly within: boolean;
  /** D25. */
  readonly uncertain: boolean;
  /** Signed (D27, D28); null: nothing in force within the radius. */
  readonly distanceM: number | null;
  /** In force within the radius (D30). */
  readonly count: number;
  /** D26; null when not within. */
  readonly hit: number | null;
  /** D31. */
  readonly repealed: readonly NearFeature[];
}

/** Rounding tolerance of a box's upper bound. */
const SLACK_M2 = 1;
const NONE: readonly NearFeature[] = [];
/** Rounding tolerance for a box inside the radius. */
const MARGIN_M = 1e-3;
/** For skipping a box: edges may lie TOUCH_M outside theirs. */
const TOLERANCE_M = 1e-5;

/** Boxes are compared as integers, in 256ths of their steps: some millimetres. */
const UNITS_PER_CELL = 0x10000;
/** A step, and a unit for the rounding of a cell's corner. */
const STEP_UNITS = 0x101;

// State of the last engine used, shared by a thread's engines as `foundCells`.
/** The best so far; surely within the radius; possibly within it; at most the best. */
const squares = new Float64Array(4);
const maybe = { runs: new Uint32Array(256), nearest: new Float64Array(256) };

export class LineEngine {
  readonly snapshot: LayerSnapshot;
  readonly #isArea: boolean;
  readonly #lists: Uint32Array;
  readonly #cells: CellReader;
  readonly #kernel: EdgeKernel;
  readonly #inside: InsideFinder;
  readonly #own: OwnBoundary;
  readonly #repealed: NearList;
  readonly #onLine: NearList;
  /** By feature: the query that counted it last. */
  readonly #seen: Uint32Array;
  #query = 0;
  #radiusM = 0;
  #count = 0;
  #isWithin = false;
  #hasRepealed = false;
  #kept = 0;
  readonly #boxStepM: number;
  #bestEdge = 0;

  /** Throws SnapshotRefused for an area layer without zone edges, which inside distances need. */
  constructor(snapshot: LayerSnapshot) {
    this.#isArea = snapshot.meta.geometry === 'area';
    if (this.#isArea && !snapshot.meta.hasZones) throw new SnapshotRefused('it has no zone edges');
    this.snapshot = snapshot;
    this.#lists = snapshot.lists;
    this.#cells = new CellReader(snapshot);
    this.#kernel = new EdgeKernel(snapshot, 'distance');
    this.#inside = new InsideFinder(snapshot, this.#cells, this.#kernel);
    this.#own = new OwnBoundary(snapshot, this.#cells, this.#kernel);
    this.#boxStepM = this.#cells.cellM / 256;
    const count = snapshot.meta.featureCount;
    this.#repealed = new NearList(count);
    this.#onLine = new NearList(count);
    this.#seen = new Uint32Array(count);
  }

  /** `radiusM`: D23. */
  measure(point: PointUtm32, radiusM: number): LineMeasure {
    this.#cells.moveTo(point);
    this.#begin(point, radiusM);
    if (this.#isArea) this.#lookInside();
    this.#scan();
    if (this.#isWithin) this.#findZoneEdge();
    else this.#findNearest();
    const distanceM = this.#distance();
    const onLine = !this.#isArea && distanceM !== null && distanceM <= LIMITS.onLineToleranceM;
    const within = this.#isWithin || onLine;
    if (onLine) this.#lookAlong();
    const hit = within ? this.#chooseHit() : null;
    return {
      within,
      uncertain: hit !== null && (this.snapshot.featureFlags[hit]! & FEATURE.adopted) === 0,
      distanceM,
      count: this.#count,
      hit,
      repealed: this.#hasRepealed ? this.#listRepealed() : NONE,
    };
  }

  #begin(point: PointUtm32, radiusM: number): void {
    this.#kernel.moveTo(point.xUtm32, point.yUtm32);
    this.#query += 1;
    if (this.#query > 0xffffffff) {
      this.#seen.fill(0);
      this.#query = 1;
    }
    this.#radiusM = radiusM;
    this.#count = 0;
    this.#isWithin = false;
    this.#hasRepealed = false;
    squares[0] = Infinity;
    squares[1] = radiusM > MARGIN_M ? (radiusM - MARGIN_M) ** 2 : -1;
    squares[2] = (radiusM + TOLERANCE_M) ** 2;
    squares[3] = Infinity;
    this.#kept = 0;
  }

  /** Covering features are counted here, so the scan need not find their edges. */
  #lookInside(): void {
    this.#inside.find();
    const { found } = this.#inside;
    for (let i = 0; i < found.length; i++) {
      const feature = found.items[i]!;
      this.#seen[feature] = this.#query;
      if ((this.snapshot.featureFlags[feature]! & FEATURE.repealed) !== 0) {
        this.#meetRepealed();
        continue;
      }
      this.#isWithin = true;
      this.#count += 1;
    }
  }

  #meetRepealed(): void {
    if (!this.#hasRepealed) this.#repealed.clear();
    this.#hasRepealed = true;
  }

  #scan(): void {
    const found = this.#cells.readNear(this.#radiusM + TOLERANCE_M);
    if (found === 0) return;
    this.#makeRoom(found);
    this.#readCells(found);
  }

  /**
   * The hot loop. Branch mispredictions cost more than arithmetic: sides are sorted by sign bits,
   * candidates stored before they are judged. `past` and `over` are positive outside the box. A run
   * touches each side of its box, give or take a step, so its distance is at most `sideX`, `sideY`.
   * Inside a zone its own edges are measured, as `bound` says from the start.
   */
  #readCells(found: number): void {
    const lists = this.#lists;
    const { lists: cellLists, corners } = foundCells;
    const seen = this.#seen;
    const query = this.#query;
    const { perM, squareM, surely, possibly, slack } = this.#inUnits();
    const { runs, nearest: nearests } = maybe;
    let bound = this.#isWithin ? -1 : Infinity;
    let [kept, count] = [0, this.#count];
    for (let cell = 0; cell < found; cell++) {
      const list = cellLists[cell]!;
      const cellWest = Math.floor(corners[2 * cell]! * perM) | 0;
      const cellSouth = Math.floor(corners[2 * cell + 1]! * perM) | 0;
      const from = list + 2 + lists[list]!;
      const end = from + RUN_WORDS * lists[list + 1]!;
      for (let at = from; at < end; at += RUN_WORDS) {
        const word = lists[at]!;
        const box = lists[at + 3]!;
        const west = (cellWest + ((box & 255) << 8)) | 0;
        const south = (cellSouth + (box & 0xff00)) | 0;
        const east = (cellWest + ((box >>> 8) & 0xff00) + STEP_UNITS) | 0;
        const north = (cellSouth + ((box >>> 16) & 0xff00) + STEP_UNITS) | 0;
        const midX = (west + east) | 0;
        const midY = (south + north) | 0;
        const past = (midX & ~(midX >> 31)) - east;
        const over = (midY & ~(midY >> 31)) - north;
        const x = past & ~(past >> 31);
        const y = over & ~(over >> 31);
        const nearest = x * x + y * y;
        if (nearest > possibly) continue;
        if ((word & (RUN.repealed | RUN.zoneOnly)) !== 0) {
          this.#readSpecial(at, nearest * squareM);
          continue;
        }
        const farX = east - (midX & (midX >> 31));
        const farY = north - (midY & (midY >> 31));
        const sideX = (past ^ (past >> 31)) - (past >> 31) + STEP_UNITS;
        const sideY = (over ^ (over >> 31)) - (over >> 31) + STEP_UNITS;
        const alongY = sideX * sideX + farY * farY;
        const alongX = farX * farX + sideY * sideY;
        const atMost = alongX < alongY ? alongX : alongY;
        if (this.#isWithin && (word & RUN.hasZone) !== 0) this.#offerZone(at, nearest * squareM);
        runs[kept] = at;
        nearests[kept] = nearest * squareM;
        kept += Number(nearest <= bound);
        if (atMost + slack < bound) bound = atMost + slack;
        const feature = word & RUN.feature;
        if (atMost < surely) {
          count += Number(seen[feature] !== query);
          seen[feature] = query;
        } else if (seen[feature] !== query && this.#reaches(at)) {
          seen[feature] = query;
          count += 1;
        }
      }
    }
    this.#count = count;
    this.#kept = kept;
    squares[3] = bound * squareM;
  }

  /** Squared: a cell has 65,536 units a side. */
  #inUnits() {
    const perM = UNITS_PER_CELL / this.#cells.cellM;
    const squareM = 1 / (perM * perM);
    const [surely, possibly] = [squares[1]! / squareM, squares[2]! / squareM];
    return { perM, squareM, surely, possibly, slack: SLACK_M2 / squareM };
  }

  /** Reading the runs here also warms the cache. */
  #makeRoom(found: number): void {
    const cellLists = foundCells.lists;
    let runs = 0;
    for (let cell = 0; cell < found; cell++) runs += this.#lists[cellLists[cell]! + 1]!;
    if (runs < maybe.runs.length) return;
    maybe.runs = new Uint32Array(2 * runs);
    maybe.nearest = new Float64Array(2 * runs);
  }

  #findNearest(): void {
    if (this.#count === 0) return;
    for (let i = 0; i < this.#kept; i++) {
      const nearest = maybe.nearest[i]!;
      if (nearest <= squares[3]! && nearest < squares[0]!) {
        this.#measureRun(maybe.runs[i]!);
      }
    }
  }

  #boxNearest(at: number, cell: number): number {
    const box = this.#lists[at + 3]!;
    const west = foundCells.corners[2 * cell]! + (box & 255) * this.#boxStepM;
    const south = foundCells.corners[2 * cell + 1]! + ((box >>> 8) & 255) * this.#boxStepM;
    const east = foundCells.corners[2 * cell]! + (((box >>> 16) & 255) + 1) * this.#boxStepM;
    const north = foundCells.corners[2 * cell + 1]! + ((box >>> 24) + 1) * this.#boxStepM;
    const x = west > 0 ? west : Math.min(0, east);
    const y = south > 0 ? south : Math.min(0, north);
    return x * x + y * y;
  }

  /** Repealed features have their own list; zone edges matter only from inside. */
  #readSpecial(at: number, nearest: number): void {
    const word = this.#lists[at]!;
    if ((word & RUN.zoneOnly) !== 0) {
      if (this.#isWithin) this.#offerZone(at, nearest);
      return;
    }
    if (this.#seen[word & RUN.feature] === this.#query) return;
    this.#meetRepealed();
    this.#addTo(this.#repealed, at);
  }

  /** `nearest`: squared distance to the run's box. */
  #offerZone(at: number, nearest: number): void {
    if (nearest < squares[0]!) this.#measureZone(at);
  }

  #measureZone(at: number): void {
    const best = squares[0]!;
    const square = this.#kernel.leastZoneSquare(this.#lists[at + 1]!, this.#lists[at + 2]!, best);
    if (square >= best) return;
    squares[0] = square;
    this.#bestEdge = this.#kernel.nearestEdge;
  }

  #measureRun(at: number): void {
    const best = squares[0]!;
    const square = this.#kernel.leastSquare(this.#lists[at + 1]!, this.#lists[at + 2]!, best);
    if (square >= best) return;
    squares[0] = square;
    this.#bestEdge = this.#kernel.nearestEdge;
  }

  #reaches(at: number): boolean {
    return this.#kernel.reaches(this.#lists[at + 1]!, this.#lists[at + 2]!, this.#radiusM);
  }

  #addTo(near: NearList, at: number): void {
    const square = this.#kernel.leastSquare(this.#lists[at + 1]!, this.#lists[at + 2]!, Infinity);
    near.offer(this.#lists[at]! & RUN.feature, square, this.#kernel.nearestEdge);
  }

  /** Searches beyond the radius (D27). */
  #findZoneEdge(): void {
    if (squares[0]! <= this.#radiusM ** 2) return;
    const cells = this.#cells;
    const last = cells.lastRing();
    // The scan has read closer rings.
    let k = Math.floor(this.#radiusM / (cells.cellM * Math.SQRT2));
    for (; k <= last && cells.ringDistance(k) < squares[0]!; k++) {
      const found = cells.readRing(k, squares[0]!);
      for (let i = 0; i < found; i++) this.#readZone(i);
    }
    if (squares[0] === Infinity) throw new SnapshotRefused('a zone has no edges');
  }

  #readZone(cell: number): void {
    const lists = this.#lists;
    const list = foundCells.lists[cell]!;
    const from = list + 2 + lists[list]!;
    const end = from + RUN_WORDS * lists[list + 1]!;
    for (let at = from; at < end; at += RUN_WORDS) {
      if ((lists[at]! & RUN.hasZone) === 0) continue;
      this.#offerZone(at, this.#boxNearest(at, cell));
    }
  }

  #distance(): number | null {
    if (this.#count === 0) return null;
    const distanceM = this.#kernel.distanceTo(this.#bestEdge);
    return this.#isWithin && distanceM > 0 ? -distanceM : distanceM;
  }

  /** D28. */
  #lookAlong(): void {
    const reach = (LIMITS.onLineToleranceM + TOLERANCE_M) ** 2;
    this.#onLine.clear();
    for (let k = 0; k <= 1; k++) {
      const found = this.#cells.readRing(k, reach);
      for (let i = 0; i < found; i++) this.#readAlong(foundCells.lists[i]!);
    }
  }

  #readAlong(list: number): void {
    const lists = this.#lists;
    const from = list + 2 + lists[list]!;
    const end = from + RUN_WORDS * lists[list + 1]!;
    for (let at = from; at < end; at += RUN_WORDS) {
      if ((lists[at]! & RUN.repealed) === 0) this.#addTo(this.#onLine, at);
    }
  }

  /** D26: adopted first, then the deepest (the nearest line), then the lowest object id. */
  #chooseHit(): number | null {
    const candidates = this.#isArea ? this.#inside.found : this.#onLine.features;
    let best = -1;
    let bestM = Infinity;
    for (let i = 0; i < candidates.length; i++) {
      const feature = candidates.items[i]!;
      const flags = this.snapshot.featureFlags[feature]!;
      if ((flags & FEATURE.repealed) !== 0) continue;
      const isAhead = best < 0 || this.#compareAdopted(feature, best) < 0;
      if (!isAhead && this.#compareAdopted(feature, best) > 0) continue;
      const distanceM = this.#isArea ? this.#signedDepth(feature) : this.#distanceAlong(i);
      if (!this.#isArea && distanceM > LIMITS.onLineToleranceM) continue;
      if (!isAhead && !this.#isBetter({ feature, distanceM }, best, bestM)) continue;
      best = feature;
      bestM = distanceM;
    }
    return best < 0 ? null : best;
  }

  #isBetter(candidate: NearFeature, best: number, bestM: number): boolean {
    if (candidate.distanceM !== bestM) return candidate.distanceM < bestM;
    return this.snapshot.featureRank[candidate.feature]! < this.snapshot.featureRank[best]!;
  }

  #compareAdopted(a: number, b: number): number {
    const { featureFlags } = this.snapshot;
    return (featureFlags[b]! & FEATURE.adopted) - (featureFlags[a]! & FEATURE.adopted);
  }

  /** A single candidate need not be measured. */
  #signedDepth(feature: number): number {
    return this.#inside.found.length === 1 ? 0 : -this.#own.distanceTo(feature);
  }

  #distanceAlong(i: number): number {
    return this.#kernel.distanceTo(this.#onLine.edges.items[i]!);
  }

  /** D31: nearest first, the deepest being nearest; up to the limit. */
  #listRepealed(): readonly NearFeature[] {
    const near: NearFeature[] = [];
    const { found } = this.#inside;
    for (let i = 0; this.#isArea && i < found.length; i++) {
      const feature = found.items[i]!;
      if ((this.snapshot.featureFlags[feature]! & FEATURE.repealed) === 0) continue;
      const distanceM = this.#own.distanceTo(feature);
      near.push({ feature, distanceM: distanceM > 0 ? -distanceM : distanceM });
    }
    for (let i = 0; i < this.#repealed.length; i++) {
      const distanceM = this.#kernel.distanceTo(this.#repealed.edges.items[i]!);
      if (distanceM > this.#radiusM) continue;
      near.push({ feature: this.#repealed.features.items[i]!, distanceM });
    }
    if (near.length === 0) return NONE;
    const { featureRank } = this.snapshot;
    near.sort(
      (a, b) => a.distanceM - b.distanceM || featureRank[a.feature]! - featureRank[b.feature]!,
    );
    return near.slice(0, LIMITS.repealedPerLine);
  }
}
