/** How times are taken: contestants interleaved in one run, the best or the median of rounds. */

type Contestants = Readonly<Record<string, (round: number) => unknown>>;
type Results<C extends Contestants> = { [K in keyof C]: Awaited<ReturnType<C[K]>>[] };

/**
 * Lets every contestant take its turn in every round, so that all of them meet the same load of the
 * machine, and gives each one's results in the order of the rounds. Rounds below 0 are warm-ups:
 * they are run like the others and left out.
 */
export async function interleave<C extends Contestants>(
  contestants: C,
  { rounds, warmUps = 0 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Results<C>> {
  const entries = Object.entries(contestants);
  const results = Object.fromEntries(entries.map(([name]): [string, unknown[]] => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    for (const [name, run] of entries) {
      const result = await run(round);
      if (round >= 0) results[name]?.push(result);
    }
  }
  return results as Results<C>;
}

/** The middle one; the upper of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** `fraction` 0.99 is the p99, 1 the largest. */
export function quantile(values: ArrayLike<number>, fraction: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(fraction * (sorted.length - 1))] ?? NaN;
}

const SLICE = 100;
const SLICE_ROUNDS = 5;

/**
 * Microseconds an item. Items go in slices short enough to be left alone by the scheduler, and of each
 * slice the fastest round counts: a busy machine slows this down but does not show in it. `work`
 * returns something, so that it cannot be left out.
 */
export function microsecondsPerItem<T>(items: readonly T[], work: (item: T) => number): number {
  const best = new Float64Array(Math.ceil(items.length / SLICE)).fill(Infinity);
  let kept = 0;
  for (let round = 0; round < SLICE_ROUNDS; round++) {
    for (const slice of best.keys()) {
      const some = items.slice(slice * SLICE, (slice + 1) * SLICE);
      const start = performance.now();
      for (const item of some) kept += work(item);
      best[slice] = Math.min(best[slice]!, performance.now() - start);
    }
  }
  if (Number.isNaN(kept)) throw new Error('A benchmark answered NaN.');
  return (best.reduce((a, b) => a + b, 0) * 1000) / items.length;
}

const STATEMENT_MS = 2_000;

/** Items a second of calls that take `size` of them, one call after the other; the first ones warm up. */
export async function itemsPerSecond(
  { size, warmUps }: { readonly size: number; readonly warmUps: number },
  call: (n: number) => Promise<unknown>,
): Promise<number> {
  for (let n = 0; n < warmUps; n++) await call(n);
  const start = performance.now();
  let calls = 0;
  while (performance.now() - start < STATEMENT_MS) {
    await call(warmUps + calls);
    calls += 1;
  }
  return (1000 * calls * size) / (performance.now() - start);
}

/** Processor time of this thread, microseconds: not moved by a busy machine. */
export function threadCpuUs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

export async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Processor time of this process, microseconds, its threads included. */
export async function processCpuUs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
