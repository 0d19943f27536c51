/**
 * A line without an answer has no yes or no. A batch from the store is one statement, so one
 * generation (D19).
 */
import { remember } from '../../kernel/remember.ts';
import type { LineMeasure, LinesQuestion, LinesRead } from '../../core/held/layer-reads.ts';
import type { Deadline } from '../../kernel/deadline.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Last } from '../../kernel/last.ts';
import { Slice } from '../../kernel/turns.ts';
import type { Point } from '../../geo/point.ts';
import type { Catalogue, LineLayer } from '../../layers/catalogue.ts';
import type { LineKey } from '../../layers/keys.ts';
import type { AskLine } from './origin.ts';
import type {
  BuildingLinesAnswer,
  LineAnswer,
  MeasuredLine,
  Provenance,
  Watcher,
} from '../../answers/answer.ts';
import { FreshReaders } from '../../core/standing/freshness.ts';
import type { FreshReader } from '../../core/standing/freshness.ts';
import { unansweredOf } from '../../geo/unanswered.ts';
import type { CoveredLands, Lands } from '../../core/land/covered-lands.ts';
import { coveredLines, outsideLand } from './covered.ts';
import { besides, measured } from '../../core/held/line-measures.ts';
import { RegisterStates, reportedState } from '../../core/standing/register-state.ts';
import type { RegisterReading } from '../../core/standing/register-state.ts';
import type { SnapshotSet } from '../../core/held/snapshot-set.ts';
import { FROM_ORIGIN, standingOf } from '../../core/standing/standing.ts';

export interface BuildingLinesDeps {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  /** D23. */
  readonly searchRadiusM: number;
  readonly memory?: () => SnapshotSet | null;
  readonly readStore: (question: LinesQuestion) => Promise<LinesRead>;
  /** Throws when the register cannot be read whole. */
  readonly askOrigin: AskLine;
  readonly isLive?: (line: LineLayer) => boolean;
  readonly onExpired?: (line: LineKey) => void;
  readonly watcher?: Watcher;
  /** Covered land by line (D142); absent: the country. */
  readonly lands?: CoveredLands;
}

/** Fresh, of one generation; what nothing answers is unavailable. */
export interface SyncLines {
  readonly generation: number;
  at(point: Point): BuildingLinesAnswer;
}

export interface BuildingLines {
  /** null: a line is not fresh or must come from elsewhere. Absent: never synchronous. */
  tryAnswerSync?(lines: readonly LineKey[]): SyncLines | null;
  /** In the order of the request; every line of every point has an answer. */
  at(
    points: readonly Point[],
    lines: readonly LineKey[],
    deadline: Deadline,
  ): Promise<{
    readonly generation: number;
    readonly value: readonly BuildingLinesAnswer[];
  }>;
}

const NOTHING_STORED: LinesRead = {
  rung: 'store',
  generation: 0,
  copies: new Map(),
  refused: null,
  measures: [],
};

export function createBuildingLines(deps: BuildingLinesDeps): BuildingLines {
  const readers = new FreshReaders(deps);
  const registerStates = new RegisterStates();
  const layersOf = layersByKeys(deps.catalogue);
  const lastUsed = new Last<SyncLines>();
  return {
    tryAnswerSync: (lines) => {
      const found = readers.of(deps.memory?.() ?? null, layersOf(lines));
      if (found === null || (deps.lands?.refresh() ?? null) !== null) return null;
      return lastUsed.of([found], () => syncLines(deps, found, lines));
    },
    at: async (points, lines, deadline) => {
      const layers = layersOf(lines);
      const register = registerStates.begin();
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) await pending;
      // One set for the whole answer, even if another is loaded meanwhile (D19).
      const set = deps.memory?.() ?? null;
      const found = readers.of(set, layers);
      const lands = deps.lands?.all(lines) ?? null;
      const whole =
        found === null
          ? await climbAll({ deps, register, set, lands }, { points, layers, deadline })
          : await answerFromMemory(found, points);
      const answer = lands === null ? whole : covered(whole, lands);
      if (deps.watcher !== undefined) tell(deps.watcher, answer.value);
      return answer;
    },
  };
}

function covered({ generation, value }: Answer, lands: Lands): Answer {
  return { generation, value: value.map((answer) => coveredLines(answer, lands)) };
}

function layersByKeys(catalogue: Catalogue): (keys: readonly LineKey[]) => readonly LineLayer[] {
  const known = new WeakMap<readonly LineKey[], readonly LineLayer[]>();
  const layersOf = (keys: readonly LineKey[]) => keys.map((key) => catalogue.lines[key]);
  return (keys) => remember(known, keys, layersOf);
}

interface Question {
  readonly points: readonly Point[];
  readonly layers: readonly LineLayer[];
  readonly deadline: Deadline;
}

type Answer = Awaited<ReturnType<BuildingLines['at']>>;

/** Without a promise per line. A long batch yields between points. */
async function answerFromMemory(
  { generation, reader, provenances }: FreshReader,
  points: readonly Point[],
): Promise<Answer> {
  const value: BuildingLinesAnswer[] = [];
  const slice = points.length > 1 ? new Slice() : null;
  for (const point of points) {
    if (slice?.isOver === true) await slice.next();
    value.push(reader.answerAt(point, provenances));
  }
  return { generation, value };
}

function syncLines(
  deps: BuildingLinesDeps,
  found: FreshReader,
  keys: readonly LineKey[],
): SyncLines {
  const { watcher } = deps;
  const { generation, reader, provenances } = found;
  return {
    generation,
    at: (point) => {
      const lands = deps.lands?.all(keys) ?? null;
      const whole = reader.answerAt(point, provenances);
      const answer = lands === null ? whole : coveredLines(whole, lands);
      if (watcher !== undefined) tell(watcher, [answer]);
      return answer;
    },
  };
}

async function climbAll(
  common: Pick<Climb, 'deps' | 'register' | 'set' | 'lands'>,
  { points, layers, deadline }: Question,
): Promise<Answer> {
  const { deps } = common;
  const { searchRadiusM } = deps;
  const places = points.map(({ utm32 }) => utm32);
  const question = { points: places, lines: layers, radiusM: searchRadiusM };
  const { generation, reads } = await readCopies({ ...common, deadline }, question);
  const climb: Climb = { ...common, reads, deadline };
  const value = await Promise.all(
    points.map(async (point, n) => ({
      point,
      searchRadiusM,
      lines: await Promise.all(
        layers.map((layer, m) => coveredLine(climb, layer, { point, m, n })),
      ),
    })),
  );
  return { generation, value };
}

interface LineRead {
  readonly read: LinesRead;
  readonly column: number;
}

interface CopiesRead {
  readonly generation: number;
  readonly reads: readonly LineRead[];
}

/** All of one generation (D19). Without the store the origin is queried. */
async function readCopies(
  { deps, set, deadline }: Pick<Climb, 'deps' | 'set' | 'deadline'>,
  question: LinesQuestion,
): Promise<CopiesRead> {
  const { lines } = question;
  const fromStore = (some: LinesQuestion['lines']) =>
    deps.readStore({ ...question, lines: some }).catch((error: unknown) => {
      deadline.storeFailed?.(error);
      return NOTHING_STORED;
    });
  const only = (read: LinesRead): CopiesRead => ({
    generation: read.generation,
    reads: lines.map((_, column) => ({ read, column })),
  });
  const elsewhere = lines.filter(({ id }) => set?.isOnlyStored(id) ?? true);
  if (set === null || elsewhere.length === lines.length) return only(await fromStore(lines));
  const memory = set.readLines(question);
  if (elsewhere.length === 0) return only(memory);
  let stored = await fromStore(elsewhere);
  const isMirrored = elsewhere.some(({ id }) => (stored.copies.get(id) ?? null) !== null);
  if (isMirrored && stored.generation !== set.generation) {
    stored = await fromStore(lines);
    if (stored !== NOTHING_STORED) return only(stored);
  }
  const reads = lines.map((line, m): LineRead => {
    const column = elsewhere.indexOf(line);
    return column < 0 ? { read: memory, column: m } : { read: stored, column };
  });
  return { generation: set.generation, reads };
}

function tell(watcher: Watcher, value: readonly BuildingLinesAnswer[]): void {
  for (const { lines } of value) {
    for (const answer of lines) {
      if (answer.status === 'ok') watcher.answered(answer.line, answer.provenance.rung);
      else if (answer.covered === undefined) watcher.answered(answer.line, 'unavailable');
    }
  }
}

interface Climb {
  readonly deps: BuildingLinesDeps;
  readonly register: RegisterReading;
  readonly set: SnapshotSet | null;
  readonly lands: Lands | null;
  readonly reads: readonly LineRead[];
  readonly deadline: Deadline;
}

interface LineQuestion {
  readonly point: Point;
  readonly m: number;
  readonly n: number;
}

/** No source is queried about land that it does not cover. */
async function coveredLine(
  climb: Climb,
  layer: LineLayer,
  question: LineQuestion,
): Promise<LineAnswer> {
  const land = climb.lands?.[question.m] ?? null;
  if (land !== null && !land.covers(question.point.utm32)) return outsideLand(layer.id, land);
  return await answerLine(climb, layer, question);
}

function storedOf(from: Climb['reads'][number] | undefined, n: number, line: LineKey) {
  if (from === undefined) throw new Error(`No source was read for ${line}.`);
  const { read, column } = from;
  const stored = read.measures[n]?.[column] ?? null;
  return {
    stored,
    copy: stored === null ? null : (read.copies.get(line) ?? null),
    refused: read.refused?.has(line) ?? null,
    by: read.rung,
  };
}

async function answerLine(
  { deps, register: read, set, reads, deadline }: Climb,
  layer: LineLayer,
  { point, m, n }: LineQuestion,
): Promise<LineAnswer> {
  const line = layer.id;
  const { stored, copy, refused, by } = storedOf(reads[m], n, line);
  const nowMs = deps.clock.nowMs();
  const register = read.of(line, reportedState(copy, refused), set);
  const { first, last, wantsSync } = standingOf(copy, layer.freshness, { nowMs, by, register });
  if (wantsSync) deps.onExpired?.(line);
  if (first === 'unavailable') return { status: 'unavailable', line };
  const fromCopy = (provenance: Provenance): LineAnswer => {
    const line = given(layer, stored, provenance);
    const { searchRadiusM } = deps;
    return besides(line, unansweredOf(copy?.unanswered), { point, searchRadiusM });
  };
  if (first !== 'origin') return fromCopy(first);
  try {
    const { signal, holder } = deadline;
    const asking = { signal, holder, sourceRows: register.sourceRows };
    return given(layer, await deps.askOrigin(layer, point, asking), FROM_ORIGIN);
  } catch (error) {
    deps.watcher?.originFailed(line, error);
    // Whatever the origin's failure: an old copy answers marked stale, or the line is unavailable.
    if (last !== null && stored !== null) return fromCopy(last);
    return { status: 'unavailable', line, cause: error };
  }
}

function given(
  layer: LineLayer | undefined,
  measure: LineMeasure | null | undefined,
  provenance: Provenance,
): MeasuredLine {
  if (layer === undefined || !measure) throw new Error('A line was left out.');
  return measured(layer.id, measure, provenance);
}
