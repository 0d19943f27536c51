/** A long answer that counts its parts where the test sees them, and ends as it is asked to. */
import type { MakeAnswer, Maker } from '../../src/core/tasks/stream-task.ts';

export interface CountedText {
  /** Parts made; 1 once no more are wanted. */
  readonly counts: Int32Array<SharedArrayBuffer>;
  readonly part: string;
  readonly parts: number;
  readonly end: 'whole' | 'fails' | 'dies';
}

export const COUNTED_TEXT: Maker<CountedText, string> = { file: new URL(import.meta.url) };

const make: MakeAnswer<CountedText, string> = (_, given) => ({
  head: given.end,
  text: textOf(given),
});
export default make;

async function* textOf({ counts, part, parts, end }: CountedText): AsyncGenerator<string> {
  try {
    for (let n = 0; n < parts; n += 1) {
      Atomics.add(counts, 0, 1);
      yield await Promise.resolve(part);
    }
    if (end === 'fails') throw new Error('The rows are gone.');
    if (end === 'dies') process.exit(1);
  } finally {
    Atomics.store(counts, 1, 1);
  }
}
