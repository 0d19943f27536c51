/** Attributes by column with distinct values; UUIDs take 16 bytes. Reading restores every byte. */
import { UUID } from '../kernel/uuids.ts';
import type { Container, Section } from './format.ts';
import { growingBytes, growingWords } from '../geo/growing.ts';

const encoder = new TextEncoder();

export function packTexts(name: string, texts: Iterable<string>): Record<string, Section> {
  const all = [...texts];
  if (all.length > 0 && all.every((text) => UUID.test(text))) {
    return { [`${name}.uuids`]: packUuids(all) };
  }
  const bytes = growingBytes();
  const offsets = growingWords();
  for (const text of all) {
    offsets.push(bytes.length);
    bytes.append(encoder.encode(text));
  }
  offsets.push(bytes.length);
  return { [`${name}.bytes`]: bytes.view(), [`${name}.offsets`]: offsets.view() };
}

function packUuids(texts: readonly string[]): Uint8Array {
  const bytes = new Uint8Array(16 * texts.length);
  for (const [i, text] of texts.entries())
    bytes.set(Buffer.from(text.replaceAll('-', ''), 'hex'), 16 * i);
  return bytes;
}

export interface TextList {
  readonly count: number;
  at(index: number): string;
}

/** Longer lists do not cache decoded texts. */
const KEPT = 4_096;

export function unpackTexts(container: Container<unknown>, name: string): TextList {
  const list =
    container.typeOf(`${name}.uuids`) === undefined
      ? plainTexts(container.bytes(`${name}.bytes`), container.words(`${name}.offsets`))
      : uuidTexts(container.bytes(`${name}.uuids`));
  if (list.count > KEPT) return list;
  // Filled sparsely, the array would become a slow dictionary.
  const kept = new Array<string | undefined>(list.count);
  return { count: list.count, at: (index) => (kept[index] ??= list.at(index)) };
}

function uuidTexts(bytes: Uint8Array): TextList {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (index: number): string => {
    const hex = all.toString('hex', 16 * index, 16 * index + 16);
    const start = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}`;
    return `${start}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
  return { count: bytes.length / 16, at };
}

function plainTexts(bytes: Uint8Array, offsets: Uint32Array): TextList {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = (index: number): string => all.toString('utf8', offsets[index], offsets[index + 1]);
  return { count: offsets.length - 1, at };
}

interface Column {
  readonly values: Map<string, number>;
  readonly codes: number[];
}

export class AttributeColumns {
  readonly #columns = new Map<string, Column>();
  #rows = 0;

  add(json: string): void {
    const record = JSON.parse(json) as Record<string, unknown>;
    for (const [key, value] of Object.entries(record)) {
      const column = this.#columns.get(key) ?? this.#open(key);
      const text = JSON.stringify(value);
      const code = column.values.get(text) ?? column.values.size;
      if (code === column.values.size) column.values.set(text, code);
      column.codes[this.#rows] = code;
    }
    this.#rows += 1;
  }

  pack(order: Uint32Array): { names: string[]; sections: Record<string, Section> } {
    const names = [...this.#columns.keys()].sort();
    const sections: Record<string, Section> = {};
    for (const [i, name] of names.entries()) {
      const column = this.#columns.get(name)!;
      Object.assign(sections, packTexts(`column.${i}`, column.values.keys()));
      sections[`column.${i}.codes`] = packCodes(column, order);
    }
    return { names, sections };
  }

  #open(key: string): Column {
    // Code 0 is absence: for rows before the first with the attribute.
    const column: Column = { values: new Map([['', 0]]), codes: [] };
    this.#columns.set(key, column);
    return column;
  }
}

function packCodes({ values, codes }: Column, order: Uint32Array): Section {
  const packed = codeArray(order.length, values.size);
  for (let i = 0; i < order.length; i++) packed[i] = codes[order[i]!] ?? 0;
  return packed;
}

export function codeArray(length: number, codes: number): Uint8Array | Uint16Array | Uint32Array {
  if (codes <= 0x100) return new Uint8Array(length);
  return codes <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

export interface ColumnView {
  readonly name: string;
  /** JSON texts; the first is empty and means absence. */
  readonly values: TextList;
  /** By feature. */
  readonly codes: ArrayLike<number>;
}

export function unpackColumns(
  container: Container<unknown>,
  names: readonly string[],
): readonly ColumnView[] {
  return names.map((name, i) => ({
    name,
    values: unpackTexts(container, `column.${i}`),
    codes: anyCodes(container, `column.${i}.codes`),
  }));
}

export function anyCodes(container: Container<unknown>, name: string): ArrayLike<number> {
  const type = container.typeOf(name);
  if (type === 'u8') return container.bytes(name);
  return type === 'u16' ? container.halves(name) : container.words(name);
}

export function attributesOf(columns: readonly ColumnView[], feature: number): string {
  const members: string[] = [];
  for (const { name, values, codes } of columns) {
    const value = values.at(codes[feature]!);
    if (value !== '') members.push(`${JSON.stringify(name)}:${value}`);
  }
  return `{${members.join(',')}}`;
}
