/**
 * The first difference between memory, files and the store takes the snapshot out of service and
 * raises an alarm.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryAudit } from '../ops/overview.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Store } from '../db/connect.ts';
import type { LayerId } from '../layers/keys.ts';
import type { PointUtm32 } from '../geo/point.ts';
import type { Comparison } from '../core/held/snapshot-differences.ts';
import type { LayerLoader } from './layer-loader.ts';
import type { ComparedRecords, RecordAudit } from '../core/record-audit.ts';
import type { RegisterLayers } from '../core/register-layers.ts';
import { probesOf } from '../snapshot/probes.ts';
import type { Random } from '../snapshot/probes.ts';
import { Scrubber } from './snapshot-scrub.ts';
import type { SnapshotSet } from '../core/held/snapshot-set.ts';

export interface SelfAuditDeps {
  readonly memory: Pick<LayerLoader, 'current' | 'suspend'>;
  readonly store: Pick<Store, 'db'>;
  readonly sources: readonly RegisterLayers[];
  readonly records: readonly RecordAudit[];
  readonly catalogue: Catalogue;
  readonly searchRadiusM: number;
  readonly clock: Clock;
  readonly alarm: (message: string) => void;
  readonly random: Random;
  readonly intervals?: Partial<AuditIntervals>;
}

export interface AuditIntervals {
  readonly roundMs: number;
  readonly scrubMs: number;
}

export type AuditAlarm = MemoryAudit['alarms'][number] & { readonly detail: string };

export interface AuditView extends MemoryAudit {
  /** Latest last; at most LIMITS.auditAlarmsKept. */
  readonly alarms: readonly AuditAlarm[];
}

/** Share of a core above which a round is skipped, a few times in a row. */
const BUSY = 0.85;
const LEFT_OUT_IN_A_ROW = 5;

/** Records are compared every third round, of one register at a time. */
const RECORDS_EVERY = 3;

/** Steps of one pass over memory; few where little is held. */
const SCRUB_STEPS = { least: 120, most: 600, bytes: 1024 * 1024 };

export class SelfAudit {
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

  /** Rejects when the store does not answer. */
  async round(): Promise<void> {
    this.#rounds += 1;
    const { memory, records } = this.#deps;
    const isOfRecords = this.#rounds % RECORDS_EVERY === 0;
    const held = isOfRecords ? records.filter((each) => each.isInService()) : [];
    const one = held[Math.floor(this.#rounds / RECORDS_EVERY) % held.length];
    if (one !== undefined) await this.#roundOfRecords(one);
    else if (memory.current !== null) await this.#roundOfLayers(memory.current);
  }

  async #roundOfLayers(set: SnapshotSet): Promise<void> {
    const { sources, store, catalogue, searchRadiusM: radiusM } = this.#deps;
    const held = sources.filter(
      (each) => 'compare' in each && each.layers.some((layer) => set.layers.has(layer)),
    );
    const source = held[this.#rounds % held.length];
    const pointsIn = (layers: readonly LayerId[]) => this.#points(set, layers);
    const result = await source?.compare?.(set, store, { catalogue, radiusM, pointsIn });
    if (result === null || result === undefined) return;
    this.#count(result);
    for (const { layer, ...difference } of result.differences) {
      const detail = JSON.stringify(difference);
      this.#takeOut(set, { layer, kind: 'answer', detail });
    }
  }

  async #roundOfRecords({ mirror, compare }: RecordAudit): Promise<void> {
    const result = await compare(this.#deps.random, this.#deps.clock.nowMs());
    if (result === null) return;
    this.#count(result);
    const [first] = result.differences;
    if (first === undefined || !result.takeOut()) return;
    const { version } = result;
    this.#raise({ layer: mirror, version, kind: 'answer', detail: JSON.stringify(first) });
  }

  #count({ compared, differences }: Comparison | ComparedRecords): void {
    this.#counts.compared += compared;
    this.#counts.differences += differences.length;
    this.#lastComparedAtMs = this.#deps.clock.nowMs();
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
    let steps = SCRUB_STEPS.least;
    while (await this.#wait(this.#intervals.scrubMs / steps)) steps = this.#scrubAPiece();
  }

  #scrubAPiece(): number {
    const { least, most, bytes } = SCRUB_STEPS;
    const set = this.#deps.memory.current;
    if (set === null) return least;
    const snapshots = [...set.layers].map(([layer, { snapshot }]) => ({ layer, snapshot }));
    if (set !== this.#scrubbed) {
      this.#scrubbed = set;
      this.#scrubber.buffers = snapshots.map(({ snapshot }) => snapshot.buffer);
    }
    const total = snapshots.reduce((sum, { snapshot }) => sum + snapshot.buffer.byteLength, 0);
    const steps = Math.min(most, Math.max(least, Math.ceil(total / bytes)));
    const piece = Math.ceil(total / steps);
    const damaged = this.#scrubber.read(piece);
    this.#counts.scrubbedBytes += piece;
    const layer = snapshots.find(({ snapshot }) => snapshot.buffer === damaged)?.layer;
    if (layer !== undefined) {
      this.#takeOut(set, { layer, kind: 'memory', detail: 'its checksum does not match' });
    }
    return steps;
  }

  /** false: stop. */
  async #wait(ms: number): Promise<boolean> {
    const { signal } = this.#stop;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}
