import { Refused } from './ask.ts';
import { t } from './language.ts';

export type FileType = 'csv' | 'ndjson' | 'xlsx';

export function typeOf(fileName: string): FileType {
  if (/\.xls[xm]$/i.test(fileName)) return 'xlsx';
  return /\.(ndjson|jsonl)$/i.test(fileName) ? 'ndjson' : 'csv';
}

/** Milliseconds: the service says something each quarter of a minute, so a silent line is dead. */
export const SILENCE_MS = 40_000;

export const SHOWN_BYTES = 10 * 1024 * 1024;
const FILE_BYTES = 1024 ** 3;

/** Throws where the line is silent, and Refused past `most` bytes. */
export async function blobOf(
  { body, headers }: Response,
  most = FILE_BYTES,
  onBytes?: (bytes: number) => void,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of body === null ? [] : bytesOf(body, SILENCE_MS)) {
    parts.push(piece as Uint8Array<ArrayBuffer>);
    bytes += piece.length;
    if (bytes > most) throw tooLong();
    onBytes?.(bytes);
  }
  return new Blob(parts, { type: headers.get('content-type') ?? '' });
}

function tooLong(): Refused {
  const why = t('Svaret er for langt til denne side.', 'The answer is too long for this page.');
  return new Refused(0, 'too_large', why);
}

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
