import { invalidRequest } from '../../kernel/failures.ts';
import { isUtf8 } from 'node:buffer';
import { JOB_LIMITS } from '../limits.ts';
import { lineTooLong } from './refusals.ts';
import { ByteAccumulator } from './byte-accumulator.ts';
import { RowCollector } from './row-collector.ts';
import type { ReadRows, RowsReader } from './rows-reader.ts';

const LF = 0x0a;
const NOTHING = Buffer.alloc(0);

export class NdjsonReader implements RowsReader {
  readonly #rows = new RowCollector();
  readonly #held = new ByteAccumulator();
  #isBegun = false;

  push(bytes: Buffer): void {
    const end = bytes.lastIndexOf(LF);
    if (end !== -1) this.#lines(this.#held.takeWith(bytes.subarray(0, end)));
    this.#held.add(bytes.subarray(end + 1));
    if (this.#held.length > JOB_LIMITS.rowBytes) throw lineTooLong(this.#rows.rows + 1);
  }

  end(): ReadRows {
    this.#lines(this.#held.takeWith(NOTHING));
    return this.#rows.end();
  }

  #lines(bytes: Buffer): void {
    if (!isUtf8(bytes)) {
      throw invalidRequest('The text is not valid UTF-8.', 'Teksten er ikke gyldig UTF-8.');
    }
    const text = this.#withoutMark(bytes.toString());
    for (const line of text.split('\n')) {
      if (line.length > JOB_LIMITS.rowBytes) throw lineTooLong(this.#rows.rows + 1);
      if (line.trim() !== '') this.#rows.add(line);
    }
  }

  #withoutMark(text: string): string {
    if (this.#isBegun) return text;
    this.#isBegun = true;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}
