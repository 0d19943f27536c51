/** What is large takes longer than a question: a page must not break it off. */
import { afterEach, expect, test, vi } from 'vitest';
import { download } from '../../../src/web/drift/api.ts';
import { SILENCE_MS, bytesOf } from '../../../src/web/job/streams.ts';
import { sendLines } from '../../../src/web/konto/api.ts';

const SLOW_MS = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function stubPage() {
  const click = vi.fn();
  vi.useFakeTimers();
  vi.stubGlobal('sessionStorage', { getItem: () => null });
  vi.stubGlobal('document', { documentElement: { lang: 'da' }, createElement: () => ({ click }) });
  return click;
}

/** After a minute, unless it is broken off before. */
function slowly<Value>(signal: AbortSignal, value: Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    setTimeout(() => resolve(value), SLOW_MS);
    signal.addEventListener('abort', () => reject(new Error('broken off')));
  });
}

test('a layer that takes a minute is downloaded', async () => {
  const click = stubPage();
  vi.stubGlobal('fetch', (_path: string, { signal }: { readonly signal: AbortSignal }) => {
    const body = new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(await slowly(signal, new Uint8Array(1)));
        controller.close();
      },
    });
    return Promise.resolve(new Response(body));
  });
  const done = download('soe');
  await vi.advanceTimersByTimeAsync(SLOW_MS + 1);
  await done;
  expect(click).toHaveBeenCalledTimes(1);
});

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) bytes += piece.length;
  return bytes;
}

test('a line that falls silent is no end of what came over it', async () => {
  stubPage();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(1)),
  });
  const read = readAll(bytesOf(body, SILENCE_MS)).catch(String);
  await vi.advanceTimersByTimeAsync(SILENCE_MS + 1);
  expect(await read).toContain('AbortError');
});

test('a watch-list that takes a minute is sent', async () => {
  stubPage();
  vi.stubGlobal('fetch', (_path: string, { signal }: { readonly signal: AbortSignal }) =>
    slowly(signal, new Response('')),
  );
  const done = sendLines('POST', 'v1/me/overvaagning', '100453');
  await vi.advanceTimersByTimeAsync(SLOW_MS + 1);
  await done;
});
