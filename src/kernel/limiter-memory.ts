import { randomBytes } from 'node:crypto';
import { machineMs } from './clock.ts';
import { LIMITER_SIZES } from './limiter-sizes.ts';
import { MOST_REQUEST_THREADS } from './thread-plan.ts';

/** Made by one thread and sent to the others. */
export interface LimiterMemory {
  readonly threads: number;
  /** Makes colliding names impossible to choose. */
  readonly secret: string;
  /** On the machine's monotonic clock. */
  readonly originMs: number;
  /** By kind and name. Where there is one thread, they are made when they are first used. */
  readonly tables: Record<string, SharedArrayBuffer>;
  readonly boards: SharedArrayBuffer;
}

export type LimiterKind = keyof typeof LIMITER_SIZES;
export type LimiterName<K extends LimiterKind> = keyof (typeof LIMITER_SIZES)[K] & string;

export const SLOTS_IN_SET = 16;
const SLOTS_PER_HOLDER = 2;
/** Moments that a window remembers. */
export const MOMENTS = 64;

/** Untouched pages cost nothing. */
export function createLimiterMemory(threads: number): LimiterMemory {
  if (threads < 1 || threads > MOST_REQUEST_THREADS) {
    throw new RangeError(
      `Limits are shared by 1 to ${MOST_REQUEST_THREADS} threads, not ${threads}.`,
    );
  }
  const memory = {
    ...{ threads, secret: randomBytes(32).toString('hex'), originMs: machineMs(), tables: {} },
    boards: new SharedArrayBuffer(8 * (BOARD_NUMBERS + threads)),
  };
  if (threads > 1) for (const { kind, name } of allTables()) tableMemory(memory, kind, name);
  return memory;
}

export interface TableMemory {
  /** The lock, then what the kind adds. */
  readonly head: Int32Array;
  readonly keys: Float64Array;
  readonly ms: Float64Array;
  readonly values: Float64Array;
  /** Of counters and permits a row for each thread, of windows the moments of each slot. */
  readonly more: Float64Array;
}

const HEAD_WORDS = 4 + MOST_REQUEST_THREADS;
/** Version, fraction, before and beginning of the share; lock and number of the outage. */
export const BOARD_NUMBERS = 6;

export function tableMemory<K extends LimiterKind>(
  { threads, tables }: Pick<LimiterMemory, 'threads' | 'tables'>,
  kind: K,
  name: LimiterName<K>,
): TableMemory {
  const holders = LIMITER_SIZES[kind][name] as number;
  const slots = Math.ceil((SLOTS_PER_HOLDER * holders) / SLOTS_IN_SET) * SLOTS_IN_SET;
  const more = MORE[kind](slots, threads);
  const buffer = (tables[`${kind} ${name}`] ??= new SharedArrayBuffer(
    4 * HEAD_WORDS + 8 * (3 * slots + more),
  ));
  const column = (nth: number, length = slots): Float64Array =>
    new Float64Array(buffer, 4 * HEAD_WORDS + 8 * nth * slots, length);
  const head = new Int32Array(buffer, 0, HEAD_WORDS);
  return { head, keys: column(0), ms: column(1), values: column(2), more: column(3, more) };
}

const MORE: Readonly<Record<LimiterKind, (slots: number, threads: number) => number>> = {
  // The last of a row is the thread's total.
  counters: (slots, threads) => threads * (slots + 1),
  permits: (slots, threads) => threads * (slots + 1),
  windows: (slots) => slots * MOMENTS,
  buckets: () => 0,
  sums: () => 0,
};

interface TableName {
  readonly kind: LimiterKind;
  readonly name: never;
}

export function allTables(): readonly TableName[] {
  return Object.entries(LIMITER_SIZES).flatMap(([kind, sizes]) =>
    Object.keys(sizes).map((name) => ({ kind, name }) as TableName),
  );
}
