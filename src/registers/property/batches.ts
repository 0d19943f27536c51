/** Batches of properties, rendered by threads from one file of records (D19). */
import type { FindBuilt } from './built.ts';
import type { Properties, PropertiesDeps } from './lookup.ts';
import type { Workers } from '../../core/tasks/workers.ts';
import type { BatchTask } from '../../core/tasks/thread-task.ts';
import { bodyBuffers } from '../../kernel/buffer-pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Asker, Deadline } from '../../kernel/deadline.ts';
import { Failure } from '../../kernel/failures.ts';
import { Last } from '../../kernel/last.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { CodeList } from '../../layers/code-lists.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { BBR } from '../../layers/keys.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { UnansweredPlaces } from '../../geo/unanswered.ts';
import type { AddressesInMemory } from '../addresses/copy.ts';
import { joinedCopy, standingOf } from '../../core/standing/standing.ts';
import type { PropertiesInService } from './load.ts';
import type { MunicipalitiesRead } from '../areas/municipalities.ts';
import { ThreadBreaker } from '../../kernel/thread-breaker.ts';
import { unreadOf } from './answers.ts';
import type { Joins, PropertiesAnswer, UnreadOfRegisters } from './answers.ts';
import { isCurrent } from './file.ts';
import { addressProvenance, registerJoins } from './joins.ts';
import type { JoinDeps, RegisterJoins } from './joins.ts';

export interface PropertyBatchTask {
  /** The same object while unchanged, so that a thread receives it once. */
  readonly context: PropertyBatchContext;
  readonly bfes: readonly number[];
  readonly generation: number;
  readonly unread: UnreadOfRegisters;
  readonly joined: RegisterJoins & {
    readonly bbr: Provenance;
    readonly addresses: Provenance | null;
    readonly unreadAddresses: UnansweredPlaces | null;
    readonly municipalities: Pick<
      NonNullable<Joins['municipalities']>,
      'generation' | 'provenance'
    > | null;
  };
  readonly buffer: Uint8Array;
  /** Not 0 once the caller no longer waits. */
  readonly cancelled?: Int32Array<SharedArrayBuffer>;
}

export interface PropertyBatchContext {
  readonly file: { readonly index: SharedArrayBuffer; readonly path: string };
  readonly addressIndex: SharedArrayBuffer | null;
  readonly municipalities: MunicipalitiesRead['byCode'];
  readonly isInvented: boolean;
}

export interface PropertyBatch extends Pick<PropertiesAnswer, 'generation' | 'provenance'> {
  readonly found: number;
  /** One code list for each unlisted code (D55). */
  readonly unlisted: readonly CodeList[];
  readonly length: number;
  readonly longBody: Uint8Array<ArrayBuffer> | null;
}

/**
 * null: a record is not in the file, or the batch was aborted. Throws Failure `overloaded` when too
 * many batches wait, the reason of an abort, and an Error where the file cannot be read.
 */
export interface PropertyThreads {
  propertyBatch(task: PropertyBatchTask, asker?: Asker): Promise<PropertyBatch | null>;
}

const PROPERTY_BATCH: BatchTask<PropertyBatchTask, PropertyBatch | null> = {
  file: new URL('./batches.thread.ts', import.meta.url),
  transfer: () => [],
  full: () => new Failure('overloaded'),
};

export function propertyThreads(workers: Pick<Workers, 'batches'>): PropertyThreads {
  return { propertyBatch: workers.batches(PROPERTY_BATCH) };
}

export interface PropertyBatchBody extends Pick<
  PropertyBatch,
  'generation' | 'provenance' | 'found'
> {
  readonly body: Buffer;
}

export interface PropertyBatches {
  /**
   * Current properties in the order of the distinct numbers. null, then use `Properties.find`: too
   * few, the file is not in service or outdated, or no thread is free in time. Throws Failure
   * `overloaded` when too many batches wait.
   */
  render(bfes: readonly number[], deadline: Deadline): Promise<PropertyBatchBody | null>;
}

export type PropertyBatchesDeps = Pick<
  PropertiesDeps,
  'municipalities' | 'onUnlistedCode' | 'watcher'
> &
  JoinDeps & {
    readonly clock: Clock;
    readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
    readonly file: () => PropertiesInService | null;
    /** Without their buffer the request thread answers. */
    readonly addresses: () => (AddressesInMemory & { readonly buffer?: SharedArrayBuffer }) | null;
    readonly isInvented: boolean;
    readonly threads: PropertyThreads;
    readonly threadWaitMs?: number;
    readonly onThreadFailed?: (cause: unknown) => void;
  };

export function createPropertyBatches(deps: PropertyBatchesDeps): PropertyBatches {
  const { threads, watcher, onUnlistedCode } = deps;
  const { threadWaitMs: waitMs = LIMITS.property.threadWaitMs } = deps;
  const breaker = new ThreadBreaker(waitMs);
  const contexts = new Last<PropertyBatchContext>();
  return {
    render: async (bfes, deadline) => {
      const { threadRecords, bodyBytesPerRecord } = LIMITS.property;
      const question = bfes.length < threadRecords ? null : questionOf(deps, contexts);
      if (question === null) return null;
      const { bbr } = question.joined;
      const most = Math.min(bfes.length * bodyBytesPerRecord, LIMITS.bodyPooledBytes);
      const buffer = bodyBuffers.acquire(most);
      // After an abort the thread may still write, so the buffer is not returned to the pool.
      const batch = await breaker
        .ask((asker) => threads.propertyBatch({ ...question, bfes, buffer }, asker), deadline)
        .catch((error: unknown) => {
          // The request thread must not take over what the threads have no time for.
          if (deadline.signal.aborted || error instanceof Failure) throw error;
          deps.onThreadFailed?.(error);
          breaker.pause();
          return null;
        });
      if (batch === null) return null;
      const { length, longBody, unlisted, ...facts } = batch;
      watcher?.answered(BBR, bbr.rung, bfes.length);
      for (const list of unlisted) onUnlistedCode?.(list);
      const body = longBody === null ? buffer.subarray(0, length) : Buffer.from(longBody.buffer);
      return { ...facts, body };
    },
  };
}

type Question = Omit<PropertyBatchTask, 'bfes' | 'buffer' | 'cancelled'>;

function questionOf(
  deps: PropertyBatchesDeps,
  contexts: Last<PropertyBatchContext>,
): Question | null {
  const nowMs = deps.clock.nowMs();
  const named = deps.municipalities().all?.() ?? null;
  const held = deps.file();
  if (named === null || held === null) return null;
  if (held.generation < named.generation || !isCurrent(held, nowMs)) return null;
  const moment = { nowMs, by: 'snapshot' } as const;
  const bbr = joinedCopy(deps, deps.catalogue.registers[BBR], { copy: held.copy, ...moment });
  const addresses = deps.addresses();
  if (bbr === null || (addresses !== null && addresses.buffer === undefined)) return null;
  const addressIndex = addresses?.buffer ?? null;
  const joins = registerJoins(deps, held, moment);
  const joined = { copy: held.locations, provenance: joins.locations };
  return {
    context: contexts.of([held.records, addressIndex, named.byCode], () => ({
      file: { index: held.buffer, path: held.records.path },
      addressIndex,
      municipalities: named.byCode,
      isInvented: deps.isInvented,
    })),
    generation: held.generation,
    unread: unreadOf({ ...held, bbr: held.copy }),
    joined: {
      bbr,
      ...joins,
      ...ofAddresses(deps, addresses, { nowMs, joined }),
      municipalities: namesOf(deps, named, nowMs),
    },
  };
}

function ofAddresses(
  deps: PropertyBatchesDeps,
  addresses: ReturnType<PropertyBatchesDeps['addresses']>,
  moment: Parameters<typeof addressProvenance>[2],
): Pick<Question['joined'], 'addresses' | 'unreadAddresses'> {
  if (addresses === null) return { addresses: null, unreadAddresses: null };
  return {
    addresses: addressProvenance(deps, addresses, moment),
    unreadAddresses: addresses.copy.unanswered ?? null,
  };
}

function namesOf(
  { catalogue }: PropertyBatchesDeps,
  { generation, copy, by }: MunicipalitiesRead,
  nowMs: number,
): PropertyBatchTask['joined']['municipalities'] {
  const { last: provenance } = standingOf(copy, catalogue.areas.kommune.freshness, { nowMs, by });
  return provenance && { generation, provenance };
}

export interface PropertyLookups {
  readonly properties: Properties;
  /** Absent: the request thread writes batches. */
  readonly propertyBatches?: PropertyBatches;
  readonly built: FindBuilt;
}
