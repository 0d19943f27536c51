/** A feature's attributes as values. What many features share is read from the texts once. */
import type { LayerSnapshot } from './layer.ts';
import type { ColumnView } from './texts.ts';

/** Distinct values of a column that are kept once read; columns with more are read each time. */
const KEPT_PER_COLUMN = 10_000;

type Read = (feature: number) => unknown;

/** Reads what `snapshot.feature(i).attributes` says, without the way over JSON. */
export class AttributeReader {
  readonly #columns: readonly { readonly name: string; readonly read: Read }[];

  constructor({ columns }: Pick<LayerSnapshot, 'columns'>) {
    this.#columns = columns.map((column) => ({ name: column.name, read: readerOf(column) }));
  }

  /** Absent attributes are absent. */
  read(feature: number): Record<string, unknown> {
    const attributes: Record<string, unknown> = {};
    for (const { name, read } of this.#columns) {
      const value = read(feature);
      if (value !== undefined) attributes[name] = value;
    }
    return attributes;
  }
}

function readerOf({ values, codes }: ColumnView): Read {
  const read = (code: number): unknown => {
    const text = values.at(code);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  if (values.count > KEPT_PER_COLUMN) return (feature) => read(codes[feature]!);
  const kept: unknown[] = [];
  const isKept = new Uint8Array(values.count);
  return (feature) => {
    const code = codes[feature]!;
    if (isKept[code] === 0) {
      isKept[code] = 1;
      kept[code] = read(code);
    }
    return kept[code];
  };
}
