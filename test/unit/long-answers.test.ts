/** The thread of long answers: whole or cut, never ahead of its reader, gone with it. */
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { STREAM_LIMITS } from '../../src/core/tasks/stream-task.ts';
import { COUNTED_TEXT } from '../support/counted-text.ts';
import type { CountedText } from '../support/counted-text.ts';
import { openLongAnswers } from '../support/long-answers.ts';
import { until } from '../support/until.ts';

// It is not asked for anything.
const long = openLongAnswers({
  databaseUrl: 'postgres://127.0.0.1:1/x',
  dataDir: '',
});
afterAll(() => long.close());

const LINE = `${'æøå'.repeat(20)}\n`;
const PART = LINE.repeat(1_000);

function open(given: Partial<CountedText>, isPacked = false) {
  const counts = new Int32Array(new SharedArrayBuffer(8));
  const whole = { counts, part: PART, parts: 30, end: 'whole', ...given } as const;
  const opened = long.longAnswers.open({ maker: COUNTED_TEXT, given: whole, isPacked });
  return { counts, stream: opened.then(({ pieces }) => pieces) };
}

/** What comes while a thread ends is refused; the next has another. */
async function recovered(): Promise<void> {
  const again = () =>
    open({})
      .stream.then(text)
      .catch(() => null);
  await until(async () => (await again()) === PART.repeat(30));
}

test('several at a time are whole, as they are and packed', async () => {
  const [plain, packed, none] = await Promise.all([
    open({}).stream,
    open({}, true).stream,
    open({ parts: 0 }).stream,
  ]);
  const pieces = packed.toArray() as Promise<Uint8Array[]>;
  expect(await text(plain)).toBe(PART.repeat(30));
  expect(gunzipSync(Buffer.concat(await pieces)).toString()).toBe(PART.repeat(30));
  expect(await text(none)).toBe('');
});

test('a thread is no further ahead than its reader has room for, and goes with it', async () => {
  const { counts, stream } = open({ parts: 10_000 });
  const read = await stream;
  const other = await open({ parts: 200 }).stream;
  // What another makes in the meantime shows that it is not the time that holds it back.
  expect(await text(other)).toHaveLength(200 * PART.length);
  const bytes = Buffer.byteLength(PART);
  const room = (STREAM_LIMITS.ahead + 2) * STREAM_LIMITS.pieceBytes;
  expect(counts[0]! * bytes).toBeLessThanOrEqual(room + bytes);
  expect(counts[1]).toBe(0);
  read.destroy();
  await until(() => counts[1] === 1);
  expect(counts[0]).toBeLessThan(100);
});

test.each(['fails', 'dies'] as const)(
  'one that %s in the middle does not end well',
  async (end) => {
    const begun = await open({ end }).stream;
    await expect(text(begun)).rejects.toThrow();
    await recovered();
  },
);

test('more than a thread has room for wait, and then are refused', async () => {
  const { streams } = STREAM_LIMITS;
  const slow = await Promise.all(
    Array.from({ length: streams }, () => open({ parts: 10_000 }).stream),
  );
  const waiting = Array.from({ length: streams }, () => open({}).stream);
  await expect(open({}).stream).rejects.toMatchObject({ type: 'overloaded' });
  for (const stream of slow) stream.destroy();
  for (const stream of await Promise.all(waiting))
    expect((await text(stream)).length).toBe(30 * PART.length);
});
