/** Work on what comes in, a few items at a time, with the results in the order they came. */

/**
 * Runs `work` on what comes in, `width` at a time and the next item already on its way, and yields
 * the results in the order of the source. Whatever fails ends it; nothing is left running unheard.
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

/** A failure behind the first in line is looked at later: until then it is not unhandled. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
