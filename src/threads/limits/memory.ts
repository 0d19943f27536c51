import { randomBytes } from 'node:crypto';
import { LIMITER_SIZES } from '../../kernel/limiter-sizes.ts';
import { MOMENTS, SHARES_KEPT, SLOTS_IN_SET, SLOTS_PER_HOLDER, THREADS_MOST } from './sizes.ts';
import type { SlotMemory } from './slots.ts';

export interface CounterTable extends SlotMemory {
  readonly parts: Int32Array;
  readonly totals: Int32Array;
}

export interface WindowTable extends SlotMemory {
  readonly moments: BigInt64Array;
}

export interface PermitTable extends CounterTable {
  readonly given: Int32Array;
  readonly waiting: Int32Array;
}

type Tables<G extends keyof typeof LIMITER_SIZES, T> = Readonly<
  Record<keyof (typeof LIMITER_SIZES)[G], T>
>;

export interface LimiterMemory {
  readonly threads: number;
  readonly secret: string;
  /** On the machine's monotonic clock. */
  readonly originMs: number;
  readonly shareCount: Int32Array;
  readonly shares: Float64Array;
  readonly outage: BigInt64Array;
  readonly counters: Tables<'counters', CounterTable>;
  readonly buckets: Tables<'buckets', SlotMemory>;
  readonly windows: Tables<'windows', WindowTable>;
  readonly sums: Tables<'sums', SlotMemory>;
  readonly permits: Tables<'permits', PermitTable>;
}

/** Untouched pages cost nothing. */
export function createLimiterMemory(threads: number): SharedArrayBuffer {
  if (threads < 1 || threads > THREADS_MOST) {
    throw new RangeError(`Limits are shared by 1 to ${THREADS_MOST} threads, not ${threads}.`);
  }
  const measure = new Cursor(null);
  readTables(measure, threads);
  const buffer = new SharedArrayBuffer(measure.bytes);
  const head = headOf(new Cursor(buffer));
  head.threads[0] = threads;
  head.secret.set(randomBytes(SECRET_BYTES));
  head.originMs[0] = machineMs();
  return buffer;
}

export function openLimiterMemory(buffer: SharedArrayBuffer): LimiterMemory {
  const cursor = new Cursor(buffer);
  const head = headOf(cursor);
  const [threads = 1] = head.threads;
  const [originMs = 0] = head.originMs;
  const secret = Buffer.from(head.secret).toString('hex');
  return { ...head, threads, originMs, secret, ...tablesOf(cursor, threads) };
}

/** Equal in all threads, unlike `performance.now()`. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const SECRET_BYTES = 32;

/** Without a buffer it only measures. */
class Cursor {
  readonly #buffer: SharedArrayBuffer | null;
  bytes = 0;

  constructor(buffer: SharedArrayBuffer | null) {
    this.#buffer = buffer;
  }

  longs(length: number): BigInt64Array {
    return new BigInt64Array(...this.#next(length, 8));
  }

  doubles(length: number): Float64Array {
    return new Float64Array(...this.#next(length, 8));
  }

  ints(length: number): Int32Array {
    return new Int32Array(...this.#next(length, 4));
  }

  #next(length: number, each: number): [ArrayBufferLike, number, number] {
    const at = this.bytes;
    this.bytes += Math.ceil((length * each) / 8) * 8;
    return this.#buffer === null ? [NOTHING, 0, 0] : [this.#buffer, at, length];
  }
}

const NOTHING = new ArrayBuffer(0);

function headOf(cursor: Cursor) {
  const threads = cursor.ints(1);
  const originMs = cursor.doubles(1);
  const bytes = cursor.longs(SECRET_BYTES / 8);
  return {
    threads,
    originMs,
    secret: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    shareCount: cursor.ints(1),
    shares: cursor.doubles(3 * SHARES_KEPT),
    outage: cursor.longs(1),
  };
}

function readTables(cursor: Cursor, threads: number): void {
  headOf(cursor);
  tablesOf(cursor, threads);
}

function tablesOf(cursor: Cursor, threads: number) {
  const table = (slots: number): SlotMemory => ({
    keys: cursor.longs(slots),
    states: cursor.longs(slots),
    claims: cursor.ints(threads),
  });
  const counter = (slots: number): CounterTable => ({
    ...table(slots),
    parts: cursor.ints(threads * slots),
    totals: cursor.ints(1 + threads),
  });
  return {
    counters: each(LIMITER_SIZES.counters, counter),
    buckets: each(LIMITER_SIZES.buckets, table),
    windows: each(LIMITER_SIZES.windows, (slots) => ({
      ...table(slots),
      moments: cursor.longs(slots * MOMENTS),
    })),
    sums: each(LIMITER_SIZES.sums, table),
    permits: each(LIMITER_SIZES.permits, (slots) => ({
      ...counter(slots),
      given: cursor.ints(1),
      waiting: cursor.ints(threads),
    })),
  };
}

function each<N extends string, T>(
  sizes: Readonly<Record<N, number>>,
  make: (slots: number) => T,
): Readonly<Record<N, T>> {
  const made = Object.entries<number>(sizes).map(([name, holders]) => [
    name,
    make(slotsFor(holders)),
  ]);
  return Object.fromEntries(made) as Record<N, T>;
}

function slotsFor(holders: number): number {
  return Math.ceil((SLOTS_PER_HOLDER * holders) / SLOTS_IN_SET) * SLOTS_IN_SET;
}
