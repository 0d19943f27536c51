/**
 * A job keeps the data in memory at its beginning while it can; then it takes the newest and
 * reports that (D19).
 */
import type { Clock } from '../kernel/clock.ts';
import { JOB_LIMITS } from './limits.ts';
import { layerOf } from '../layers/catalogue.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { ADDRESSES } from '../layers/keys.ts';
import type { LayerId } from '../layers/keys.ts';
import type { CoveredLands } from '../core/land/covered-lands.ts';
import { areFreshOfTheirMoment } from '../core/standing/freshness.ts';
import { sharedSnapshot } from '../core/held/snapshot-set.ts';
import type { SnapshotSet } from '../core/held/snapshot-set.ts';
import type { SharedSnapshot } from '../snapshot/layer.ts';
import { kindOfJob } from '../core/rows/kind.ts';
import type { JobKinds } from '../core/rows/kind.ts';
import type { AccessMemory, HeldAddresses } from '../core/rows/access-memory.ts';
import type { FindAccess } from '../core/rows/row-reader.ts';
import type { Job } from '../core/rows/job-types.ts';
import type { JobMemory } from '../core/rows/chunk-types.ts';

export interface JobDataOptions {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly layers: () => SnapshotSet | null;
  readonly kinds: JobKinds;
  readonly addresses: AccessMemory;
  /** What sources cover (D142); absent: the country. */
  readonly lands?: CoveredLands;
}

/** The land of each snapshot and of the addresses; null: the country. */
export type ChunkData = Omit<JobMemory, 'radiusM'>;

type OfKind = Pick<Job, 'kind' | 'columns'>;

interface Kept<T> {
  readonly value: T;
  usedAtMs: number;
}

/** Keeps the newest generation, and some that jobs still use. */
class GenerationCache<T extends { readonly generation: number }> {
  readonly #kept = new Map<number, Kept<T>>();

  of(generation: number | null, current: T | null, nowMs: number): T | null {
    const known = generation === null ? undefined : this.#kept.get(generation);
    const value = known?.value ?? current;
    if (value === null) return null;
    this.#kept.set(value.generation, { value, usedAtMs: nowMs });
    this.#tidy(nowMs);
    return value;
  }

  get generations(): number[] {
    return [...this.#kept.keys()];
  }

  #tidy(nowMs: number): void {
    const old = [...this.#kept].sort(([, a], [, b]) => b.usedAtMs - a.usedAtMs);
    for (const [i, [generation, { usedAtMs }]] of old.entries()) {
      const isIdle = nowMs - usedAtMs > JOB_LIMITS.generationIdleMs;
      if (i >= JOB_LIMITS.generationsKept || isIdle) this.#kept.delete(generation);
    }
  }
}

export class JobData {
  readonly #options: JobDataOptions;
  readonly #layers = new GenerationCache<SnapshotSet>();
  readonly #addresses = new GenerationCache<HeldAddresses>();
  /** Generations of answers made without memory. */
  readonly #seen = new Set<number>();

  constructor(options: JobDataOptions) {
    this.#options = options;
  }

  /** null: nothing is in memory. */
  get generations(): readonly number[] | null {
    const layers = this.#options.layers();
    const addresses = this.#options.addresses.current();
    if (layers === null && addresses === null) return null;
    const current = [layers, addresses].flatMap((each) => (each === null ? [] : [each.generation]));
    const { generations: a } = this.#layers;
    return [...new Set([...current, ...a, ...this.#addresses.generations, ...this.#seen])];
  }

  /** Kept from now on. null: nothing in memory for it. */
  newest(job: OfKind): number | null {
    const { clock, layers, addresses } = this.#options;
    const nowMs = clock.nowMs();
    const { needs } = kindOfJob(this.#options.kinds, job).kind;
    if (needs.layers.length > 0) return this.#layers.of(null, layers(), nowMs)?.generation ?? null;
    if (needs.addresses === 'beside') return null;
    return this.#addresses.of(null, addresses.current(), nowMs)?.generation ?? null;
  }

  answeredFrom(generation: number | null): void {
    if (generation === null) return;
    this.#seen.delete(generation);
    this.#seen.add(generation);
    for (const old of this.#seen) if (this.#seen.size > MOST_SEEN) this.#seen.delete(old);
  }

  /** null: the lookups must be asked. */
  of(job: OfKind, generation: number | null): ChunkData | null {
    if ((this.#options.lands?.refresh() ?? null) !== null) return null;
    const nowMs = this.#options.clock.nowMs();
    const { needs } = kindOfJob(this.#options.kinds, job).kind;
    if (needs.layers.length > 0) return this.#ofLayers(needs.layers, generation, nowMs);
    if (needs.addresses === 'beside') return null;
    const addresses = this.#addresses.of(generation, this.#options.addresses.current(), nowMs);
    const addressIndex = this.#addressIndexOf(addresses);
    if (addresses === null || addressIndex === null) return null;
    // The lookups handle unreadable addresses.
    if ((addresses.copy.unanswered ?? null) !== null) return null;
    const { generation: ofAddresses } = addresses;
    return { generation: ofAddresses, snapshots: [], addressIndex, ...this.#covered([]) };
  }

  #ofLayers(ids: readonly LayerId[], generation: number | null, nowMs: number): ChunkData | null {
    const set = this.#layers.of(generation, this.#options.layers(), nowMs);
    if (set === null) return null;
    const snapshots = this.#shared(set, ids);
    if (snapshots === null) return null;
    // For rows that name an access address instead of a point.
    const addresses = this.#addresses.of(generation, this.#options.addresses.current(), nowMs);
    // `findAccess` considers what could not be read of them.
    if ((addresses?.copy.unanswered ?? null) !== null) return null;
    const addressIndex = this.#addressIndexOf(addresses);
    return { generation: set.generation, snapshots, addressIndex, ...this.#covered(ids) };
  }

  #covered(ids: readonly LayerId[]): Pick<ChunkData, 'lands' | 'addressLand'> {
    const { lands } = this.#options;
    return {
      lands: lands?.all(ids)?.map((land) => land && land.shared) ?? null,
      addressLand: lands?.of(ADDRESSES)?.shared ?? null,
    };
  }

  #addressIndexOf(addresses: HeldAddresses | null): SharedArrayBuffer | null {
    return addresses !== null && this.#options.addresses.mayAnswer(addresses)
      ? addresses.buffer
      : null;
  }

  get lacksAddresses(): boolean {
    return this.#options.addresses.isLacking();
  }

  get findAccess(): FindAccess {
    return this.#options.addresses.findAccess;
  }

  /** null: the lookups try other sources. */
  #shared(set: SnapshotSet, ids: readonly LayerId[]): SharedSnapshot[] | null {
    const { catalogue, clock } = this.#options;
    const layers = ids.map((id) => layerOf(catalogue, id));
    if (!areFreshOfTheirMoment(set, layers, clock.nowMs())) return null;
    return ids.flatMap((id) => {
      const held = set.layers.get(id);
      return held === undefined ? [] : [sharedSnapshot(held)];
    });
  }
}

const MOST_SEEN = 100;
