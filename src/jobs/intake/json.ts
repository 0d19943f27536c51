/** Takes rows one by one: ten megabytes never become one text or object. */
import { invalidRequest } from '../../kernel/failures.ts';
import { isUtf8 } from 'node:buffer';
import { END, JsonScan, stopsOf } from '../../bytes/json-scan.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { JOB_LIMITS } from '../limits.ts';
import { ByteAccumulator } from './byte-accumulator.ts';
import { lineTooLong } from './refusals.ts';
import { RowCollector } from './row-collector.ts';
import type { ReadRows, RowsReader } from './rows-reader.ts';

const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const KEY = '"rows"';
/** A key further away is found in the head. */
const KEY_BYTES = 64;

export class JsonReader implements RowsReader {
  readonly #rows = new RowCollector();
  readonly #head = new ByteAccumulator();
  readonly #held = new ByteAccumulator();
  readonly #scan = new JsonScan(stopsOf(','));
  #isInRows = false;
  #isRowDue = false;
  /** As sent; the schema judges it for all. */
  #first: string | null = null;
  #listAt = 0;

  push(bytes: Buffer): void {
    const scan = this.#scan;
    let from = 0;
    scan.feed(bytes);
    for (let byte = scan.next(); byte !== END; byte = scan.next()) {
      const { at } = scan;
      if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (byte === OPEN_LIST && this.#opensRows(bytes, from, at)) {
          this.#keep(bytes.subarray(from, at + 1));
          this.#listAt = this.#head.length;
          this.#isInRows = true;
          from = at + 1;
        }
        // A row lies two levels inside a body.
        if (scan.depth > LIMITS.bodyDepth + 2) throw tooDeep();
      } else if (this.#isInRows && this.#endsRow(byte)) {
        this.#endRow(bytes.subarray(from, at), byte === COMMA);
        from = byte === COMMA ? at + 1 : at;
      }
    }
    this.#rest(bytes.subarray(from));
  }

  /** The body with at most the first row, as sent. */
  head(): Buffer {
    const head = this.#head.bytes;
    if (this.#first === null) return head;
    const at = this.#listAt;
    return Buffer.concat([head.subarray(0, at), Buffer.from(this.#first), head.subarray(at)]);
  }

  /** For a row in the head: the key `rows` may be written with escapes. */
  add(row: unknown): void {
    this.#add(JSON.stringify(row));
  }

  /** Then the head has at most one row. */
  get isListMet(): boolean {
    return this.#listAt > 0;
  }

  end(): ReadRows {
    if (this.#isInRows || this.#scan.isInText) {
      throw invalidRequest('The body is not valid JSON.', 'Indholdet er ikke gyldig JSON.');
    }
    return this.#rows.end();
  }

  #endsRow(byte: number): boolean {
    const { depth } = this.#scan;
    return byte === COMMA ? depth === 2 : byte === CLOSE_LIST && depth === 1;
  }

  #opensRows(bytes: Buffer, from: number, until: number): boolean {
    if (this.#scan.depth !== 2 || this.#first !== null) return false;
    const before = bytes.subarray(from, until);
    const last = [this.#head.bytes.subarray(-KEY_BYTES), before.subarray(-KEY_BYTES)];
    const text = Buffer.concat(last).toString('latin1').trimEnd();
    if (text.charCodeAt(text.length - 1) !== COLON) return false;
    return text.slice(0, -1).trimEnd().endsWith(KEY);
  }

  #keep(bytes: Buffer): void {
    const { headBytes } = JOB_LIMITS;
    if (this.#head.length + bytes.length > headBytes) {
      throw invalidRequest(
        `The body beside its rows has more than ${headBytes} bytes.`,
        `Indholdet ud over rækkerne fylder mere end ${headBytes} byte.`,
      );
    }
    this.#head.add(bytes);
  }

  #rest(bytes: Buffer): void {
    if (!this.#isInRows) {
      this.#keep(bytes);
      return;
    }
    this.#held.add(bytes);
    if (this.#held.length > JOB_LIMITS.rowBytes) throw lineTooLong(this.#rows.rows + 1);
  }

  #endRow(bytes: Buffer, isMore: boolean): void {
    const whole = this.#held.takeWith(bytes);
    if (!isUtf8(whole)) {
      throw invalidRequest('The body is not valid UTF-8.', 'Indholdet er ikke gyldig UTF-8.');
    }
    const text = whole.toString().trim();
    // An empty list has no row; a comma needs one on either side.
    if (text !== '' || isMore || this.#isRowDue) this.#add(text);
    this.#isRowDue = isMore;
    this.#isInRows = isMore;
  }

  #add(text: string): void {
    if (this.#rows.rows === JOB_LIMITS.rowsPerAppend.max) throw tooManyAtOnce();
    this.#rows.add(text);
    this.#first ??= text;
  }
}

function tooManyAtOnce() {
  const { max } = JOB_LIMITS.rowsPerAppend;
  return invalidRequest(
    `rows may have at most ${max} items; send the others in another call, or as text/csv.`,
    `rows må højst have ${max} elementer; send de øvrige i et nyt kald eller som text/csv.`,
  );
}

function tooDeep() {
  return invalidRequest(
    `The body is nested more than ${LIMITS.bodyDepth} levels deep.`,
    `Indholdet er indlejret i mere end ${LIMITS.bodyDepth} niveauer.`,
  );
}
