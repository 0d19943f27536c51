export type FileType = 'csv' | 'ndjson' | 'xlsx';

export function typeOf(fileName: string): FileType {
  if (/\.xls[xm]$/i.test(fileName)) return 'xlsx';
  return /\.(ndjson|jsonl)$/i.test(fileName) ? 'ndjson' : 'csv';
}

export async function* bytesOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
