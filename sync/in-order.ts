/**
 * Runs `work` on `width` items at a time, the next one prefetched, and yields results in source
 * order. Any failure ends it.
 */
export async function* inOrder<T, R>(
  source: AsyncIterable<T>,
  options: {
    readonly width: number;
    readonly work: (item: T) => Promise<R>;
    readonly giveUp: () => void;
  },
): AsyncGenerator<R, void, void> {
  const { width, work, giveUp } = options;
  const items = source[Symbol.asyncIterator]();
  const window: Promise<R>[] = [];
  let incoming = heard(items.next());
  try {
    for (let next = await incoming; next.done !== true; next = await incoming) {
      window.push(heard(work(next.value)));
      incoming = heard(items.next());
      const oldest = window.length < width ? undefined : window.shift();
      if (oldest !== undefined) yield await oldest;
    }
    while (window.length > 0) {
      const oldest = window.shift();
      if (oldest !== undefined) yield await oldest;
    }
  } finally {
    giveUp();
    await Promise.allSettled([incoming, ...window]);
    await items.return?.();
  }
}

/** A later item's failure is handled in its turn; until then it must not count as unhandled. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
