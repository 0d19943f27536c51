export type FileType = 'csv' | 'ndjson' | 'xlsx';

export function typeOf(fileName: string): FileType {
  if (/\.xls[xm]$/i.test(fileName)) return 'xlsx';
  return /\.(ndjson|jsonl)$/i.test(fileName) ? 'ndjson' : 'csv';
}

/** Milliseconds: the service says something each quarter of a minute, so a silent line is dead. */
export const SILENCE_MS = 40_000;

/** Throws where a line is silent for longer; absent: a file of this machine. */
export async function* bytesOf(
  stream: ReadableStream<Uint8Array>,
  silenceMs?: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new AbortController();
  const giveUp = (): void => {
    silent.abort();
    reader.cancel().catch(() => undefined);
  };
  try {
    for (;;) {
      if (silenceMs !== undefined) timer = setTimeout(giveUp, silenceMs);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      // What was given up would look like an end.
      silent.signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel();
  }
}
