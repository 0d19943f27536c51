/**
 * Whether the pages of a reading hold every row that was there all the while, although the register
 * changed between them. Joined pages (paging.ts) prove it where the server sorts by a key: a row
 * keeps its place among the others. Otherwise a second reading must find the same rows.
 */
import { createHash } from 'node:crypto';
import { compareTexts } from '../kernel/compare.ts';
import { normalisedName } from '../layers/contract.ts';
import type { UpstreamProperties } from '../layers/feature.ts';
import type { WfsSource } from '../layers/source.ts';
import type { WfsAnswer } from './exchange.ts';
import { UpstreamFailure } from './failure.ts';
import { readAllPages } from './paging.ts';
import type { PageRun, PagingDeps } from './paging.ts';

/** Also the rows that are not mirrored. */
export interface PageRows {
  /** As the server gave them, in its order; null: a row without one. */
  readonly keys: readonly (string | null)[];
  /** The sum of the rows' hashes, whatever their order. */
  readonly sum: Uint32Array;
}

const LANES = 8;

export class RowCollector implements PageRows {
  readonly keys: (string | null)[] = [];
  readonly sum = new Uint32Array(LANES);
  readonly #wanted: string;
  #name: string;

  constructor(keyProperty: string) {
    this.#wanted = normalisedName(keyProperty);
    this.#name = keyProperty;
  }

  /** `content`: what two readings compare; a hash of 32 bytes, or a text. */
  add(properties: UpstreamProperties, content: Uint8Array | string): void {
    const key = this.#keyOf(properties);
    this.keys.push(key);
    const hash = typeof content === 'string' ? digest([key, content]) : content;
    addTo(this.sum, new DataView(hash.buffer, hash.byteOffset, hash.byteLength));
  }

  #keyOf(properties: UpstreamProperties): string | null {
    if (properties[this.#name] === undefined) {
      const isIt = (name: string) => normalisedName(name) === this.#wanted;
      this.#name = Object.keys(properties).find(isIt) ?? this.#name;
    }
    const key = properties[this.#name];
    return typeof key === 'string' || typeof key === 'number' ? String(key) : null;
  }
}

function addTo(sum: Uint32Array, more: DataView): void {
  for (let n = 0; n < LANES; n += 1) sum[n] = (sum[n] ?? 0) + more.getUint32(4 * n, true);
}

function digest(values: readonly unknown[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(values)).digest();
}

type Compare = (a: string, b: string) => number;

/** What a store may mean by ascending: by character code, by number, by the rules of a language. */
const ORDERS: readonly Compare[] = [
  compareTexts,
  (a, b) => Math.sign(Number(a) - Number(b)),
  ...['da', 'en'].flatMap((language) =>
    [false, true].map(
      (ignorePunctuation) => new Intl.Collator(language, { ignorePunctuation }).compare,
    ),
  ),
];

export class RowsRead {
  readonly #sum = new Uint32Array(LANES);
  #rows = 0;
  #answers = 0;
  #orders = ORDERS;
  lastKey: string | null = null;

  add({ keys, sum }: PageRows): void {
    if (keys.length > 0) this.#answers += 1;
    for (const [n, key] of keys.entries()) {
      const [last, isFirst] = [this.lastKey, this.#rows + n === 0];
      // Rows of one key have no order between them, so none may lie across the end of a page.
      const isAtEnd = n === 0 || n === keys.length - 1;
      const follows = (order: Compare) =>
        key !== null && (isFirst || (last !== null && order(last, key) <= (isAtEnd ? -1 : 0)));
      if (!this.#orders.every(follows)) this.#orders = this.#orders.filter(follows);
      this.lastKey = key;
    }
    this.#rows += keys.length;
    addTo(this.#sum, new DataView(sum.buffer, sum.byteOffset, sum.byteLength));
  }

  /** One answer is of one moment. */
  get isOneAnswer(): boolean {
    return this.#answers <= 1;
  }

  get isAscending(): boolean {
    return this.#orders.length > 0;
  }

  equals(other: RowsRead): boolean {
    return this.#rows === other.#rows && this.#sum.every((lane, n) => lane === other.#sum[n]);
  }
}

type RowsOf = (answer: WfsAnswer) => Promise<PageRows>;

/**
 * By one answer, by the order, or by a second reading, which the returned notes report. Throws
 * UpstreamFailure `paging` where the two differ.
 */
export async function proveWhole(
  source: WfsSource,
  deps: PagingDeps,
  of: { readonly rows: RowsRead; readonly pages: Pick<PageRun, 'report'>; readonly rowsOf: RowsOf },
): Promise<readonly string[]> {
  const { rows, pages, rowsOf } = of;
  const { sortBy } = pages.report();
  if (rows.isOneAnswer) return [];
  if (sortBy !== null && rows.isAscending) {
    const greatest = await keyFromTheEnd(source, deps, { sortBy, rowsOf });
    if (greatest === rows.lastKey) return [];
  }
  const again = new RowsRead();
  for await (const page of readAllPages(source, deps)) again.add(await rowsOf(page));
  if (rows.equals(again)) return ['read twice with the same rows: the server keeps no order'];
  throw new UpstreamFailure(
    'paging',
    'the server keeps no order, and two readings in a row differ: rows may be missing',
  );
}

/**
 * The first key of the opposite order, which tells a server that sorts from one whose own order
 * happens to be ascending. null: it has none, or refuses the question.
 */
async function keyFromTheEnd(
  source: WfsSource,
  { client, apiKey, signal }: PagingDeps,
  { sortBy, rowsOf }: { readonly sortBy: string; readonly rowsOf: RowsOf },
): Promise<string | null> {
  const query = { startIndex: 0, count: 1, sortBy: `${sortBy} DESC`, apiKey, signal };
  try {
    return (await rowsOf(await client.fetchPage(source, query))).keys[0] ?? null;
  } catch (error) {
    if (error instanceof UpstreamFailure) return null;
    throw error;
  }
}
