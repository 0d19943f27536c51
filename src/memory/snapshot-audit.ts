/**
 * Compares the two engines all the time at low priority: some points by memory and store, some
 * properties by file and store. It also reads memory for flipped bits. On the first difference the
 * layer's snapshot goes out of service, the store answers, and an alarm is raised.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { LayerId } from '../layers/keys.ts';
import { BBR, LINE_KEYS, THEMES } from '../layers/keys.ts';
import type { LinesQuestion, LinesRead } from '../registers/lines/store.ts';
import type { CoveringAreas } from '../registers/areas/store.ts';
import type { PointUtm32 } from '../geo/point.ts';
import { compareAreas, compareLines } from './snapshot-differences.ts';
import type { Comparison } from './snapshot-differences.ts';
import type { LayerLoader } from './layer-loader.ts';
import type { RecordComparison } from '../registers/property/audit.ts';
import type { PropertiesInService, PropertyLoader } from '../registers/property/load.ts';
import { probesOf } from '../snapshot/probes.ts';
import type { Random } from '../snapshot/probes.ts';
import { Scrubber } from './snapshot-scrub.ts';
import type { SnapshotSet } from './snapshot-set.ts';

export interface SelfAuditDeps {
  readonly memory: Pick<LayerLoader, 'current' | 'suspend'>;
  /** The store's statements; they throw when it does not answer. */
  readonly readLines: (question: LinesQuestion) => Promise<LinesRead>;
  readonly readCoveringAreas: (points: readonly PointUtm32[]) => Promise<CoveringAreas>;
  /** Compares the file of properties with the store; absent or null: there is none. */
  readonly properties?: AuditedProperties | null;
  readonly catalogue: Catalogue;
  readonly searchRadiusM: number;
  readonly clock: Clock;
  /** Called for every alarm, in one line. */
  readonly alarm: (message: string) => void;
  readonly random: Random;
  /** Overrides LIMITS. */
  readonly intervals?: Partial<AuditIntervals>;
}

export interface AuditedProperties {
  readonly memory: Pick<PropertyLoader, 'current' | 'suspend'>;
  /** Throws when the store does not answer. */
  readonly compare: (held: PropertiesInService, nowMs: number) => Promise<RecordComparison | null>;
}

export interface AuditIntervals {
  /** Between two statements, milliseconds. */
  readonly roundMs: number;
  /** Time to read all of memory once, milliseconds. */
  readonly scrubMs: number;
}

/** Why a snapshot was taken out of service. */
export interface AuditAlarm {
  readonly layer: LayerId | typeof BBR;
  readonly version: number;
  readonly atMs: number;
  /** answer: the engines disagree. memory: bits changed since loading. */
  readonly kind: 'answer' | 'memory';
  /** The first difference as JSON, or the checksum failure. */
  readonly detail: string;
}

/** Counts since the process started. */
export interface AuditView {
  readonly compared: number;
  readonly differences: number;
  /** Rounds skipped because the service was busy or the store unavailable. */
  readonly skipped: { readonly busy: number; readonly storeUnavailable: number };
  readonly scrubbedBytes: number;
  readonly lastComparedAtMs: number | null;
  /** Latest last; at most LIMITS.auditAlarmsKept. */
  readonly alarms: readonly AuditAlarm[];
}

export interface SelfAudit {
  start(): void;
  stop(): Promise<void>;
  /** One comparison. Rejects when the store does not answer. */
  round(): Promise<void>;
  view(): AuditView;
}

/** Share of a core above which a round is skipped, up to a maximum in a row. */
const BUSY = 0.85;
const LEFT_OUT_IN_A_ROW = 5;

/** Every so many rounds compares properties. */
const PROPERTIES_EVERY = 3;

/** Steps of one pass over memory, small enough not to be noticed. */
const SCRUB_STEPS = 600;

export function createSelfAudit(deps: SelfAuditDeps): SelfAudit {
  return new Auditor(deps);
}

class Auditor implements SelfAudit {
  readonly #deps: SelfAuditDeps;
  readonly #intervals: AuditIntervals;
  readonly #scrubber = new Scrubber();
  readonly #stop = new AbortController();
  readonly #alarms: AuditAlarm[] = [];
  readonly #counts = {
    compared: 0,
    differences: 0,
    busy: 0,
    storeUnavailable: 0,
    scrubbedBytes: 0,
  };
  #lastComparedAtMs: number | null = null;
  #running: Promise<unknown> | null = null;
  #scrubbed: SnapshotSet | null = null;
  #rounds = 0;

  constructor(deps: SelfAuditDeps) {
    this.#deps = deps;
    this.#intervals = {
      roundMs: LIMITS.auditRoundMs,
      scrubMs: LIMITS.auditScrubMs,
      ...deps.intervals,
    };
  }

  start(): void {
    this.#running ??= Promise.all([this.#compareOnAndOn(), this.#scrubOnAndOn()]);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  view(): AuditView {
    const { compared, differences, busy, storeUnavailable, scrubbedBytes } = this.#counts;
    return {
      compared,
      differences,
      skipped: { busy, storeUnavailable },
      scrubbedBytes,
      lastComparedAtMs: this.#lastComparedAtMs,
      alarms: [...this.#alarms],
    };
  }

  async round(): Promise<void> {
    this.#rounds += 1;
    const { memory, properties } = this.#deps;
    if (properties?.memory.current && this.#rounds % PROPERTIES_EVERY === 0) {
      await this.#roundOfProperties(properties, properties.memory.current);
    } else if (memory.current !== null) await this.#roundOfLayers(memory.current);
  }

  async #roundOfLayers(set: SnapshotSet): Promise<void> {
    const result = await (this.#rounds % 2 === 0
      ? this.#compareAreas(set)
      : this.#compareLines(set));
    if (result === null) return;
    this.#count(result);
    for (const { layer, ...difference } of result.differences) {
      const detail = JSON.stringify(difference);
      this.#takeOut(set, { layer, kind: 'answer', detail });
    }
  }

  async #roundOfProperties(
    { memory, compare }: AuditedProperties,
    held: PropertiesInService,
  ): Promise<void> {
    const result = await compare(held, this.#deps.clock.nowMs());
    if (result === null) return;
    this.#count(result);
    const [first] = result.differences;
    if (first === undefined || memory.current !== held) return;
    memory.suspend(BBR, held.buffer);
    const { version } = held.copy;
    this.#raise({ layer: BBR, version, kind: 'answer', detail: JSON.stringify(first) });
  }

  #count({ compared, differences }: Comparison | RecordComparison): void {
    this.#counts.compared += compared;
    this.#counts.differences += differences.length;
    this.#lastComparedAtMs = this.#deps.clock.nowMs();
  }

  async #compareLines(set: SnapshotSet): Promise<Comparison | null> {
    const { catalogue, searchRadiusM, readLines } = this.#deps;
    const keys = LINE_KEYS.filter((key) => set.layers.has(key));
    const points = this.#points(set, keys);
    if (points.length === 0) return null;
    const lines = keys.map((key) => catalogue.lines[key]);
    const question = { points, lines, radiusM: searchRadiusM };
    const ours = set.readLines(question);
    return ours === null ? null : compareLines(question, ours, await readLines(question));
  }

  async #compareAreas(set: SnapshotSet): Promise<Comparison | null> {
    const points = this.#points(set, THEMES);
    const ours = points.length === 0 ? null : set.readCoveringAreas(points);
    if (ours === null) return null;
    return compareAreas(points, ours, await this.#deps.readCoveringAreas(points));
  }

  #points(set: SnapshotSet, layers: readonly LayerId[]): PointUtm32[] {
    const snapshots = layers.flatMap((layer) => set.layers.get(layer)?.snapshot ?? []);
    return probesOf(snapshots, { count: LIMITS.auditPoints, random: this.#deps.random });
  }

  #takeOut(
    set: SnapshotSet,
    { layer, kind, detail }: Pick<AuditAlarm, 'kind' | 'detail'> & { readonly layer: LayerId },
  ): void {
    const found = set.layers.get(layer);
    // Several points of a round may concern one snapshot: one alarm is enough.
    if (found === undefined || !this.#isInService(layer, found.snapshot.buffer)) return;
    this.#deps.memory.suspend(layer, found.snapshot.buffer);
    this.#raise({ layer, version: found.copy.version, kind, detail });
  }

  #raise(alarm: Omit<AuditAlarm, 'atMs'>): void {
    this.#alarms.push({ ...alarm, atMs: this.#deps.clock.nowMs() });
    if (this.#alarms.length > LIMITS.auditAlarmsKept) this.#alarms.shift();
    const { layer, version, kind, detail } = alarm;
    const what = kind === 'answer' ? 'answers otherwise than the store' : 'is damaged in memory';
    this.#deps.alarm(
      `ALARM: the snapshot of ${layer} version ${version} ${what} and is out of service: ${detail}`,
    );
  }

  #isInService(layer: LayerId, buffer: SharedArrayBuffer): boolean {
    return this.#deps.memory.current?.layers.get(layer)?.snapshot.buffer === buffer;
  }

  async #compareOnAndOn(): Promise<void> {
    let utilization = performance.eventLoopUtilization();
    let leftOut = 0;
    while (await this.#wait(this.#intervals.roundMs)) {
      const now = performance.eventLoopUtilization();
      const busy = performance.eventLoopUtilization(now, utilization).utilization;
      utilization = now;
      if (busy > BUSY && leftOut < LEFT_OUT_IN_A_ROW) {
        leftOut += 1;
        this.#counts.busy += 1;
        continue;
      }
      leftOut = 0;
      await this.round().catch(() => {
        this.#counts.storeUnavailable += 1;
      });
    }
  }

  async #scrubOnAndOn(): Promise<void> {
    while (await this.#wait(this.#intervals.scrubMs / SCRUB_STEPS)) this.#scrubAPiece();
  }

  #scrubAPiece(): void {
    const set = this.#deps.memory.current;
    if (set === null) return;
    const snapshots = [...set.layers].map(([layer, { snapshot }]) => ({ layer, snapshot }));
    if (set !== this.#scrubbed) {
      this.#scrubbed = set;
      this.#scrubber.buffers = snapshots.map(({ snapshot }) => snapshot.buffer);
    }
    const total = snapshots.reduce((sum, { snapshot }) => sum + snapshot.buffer.byteLength, 0);
    const piece = Math.ceil(total / SCRUB_STEPS);
    const damaged = this.#scrubber.read(piece);
    this.#counts.scrubbedBytes += piece;
    const layer = snapshots.find(({ snapshot }) => snapshot.buffer === damaged)?.layer;
    if (layer === undefined) return;
    this.#takeOut(set, { layer, kind: 'memory', detail: 'its checksum does not match' });
  }

  /** false: stop. */
  async #wait(ms: number): Promise<boolean> {
    const { signal } = this.#stop;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}
