/** The result of reading a body of any type. */

/** Rows encoded by chunk-rows.ts. */
export interface ReadChunk {
  readonly input: Buffer;
  readonly rows: number;
}

/** The rows of one body. Cells are in the order of its own columns. */
export interface ReadRows {
  /** In the order of first occurrence. */
  readonly columns: readonly string[];
  readonly chunks: readonly ReadChunk[];
  readonly rows: number;
}

/** Takes a body in pieces. Both throw a Failure naming the row and the limit, never a value. */
export interface RowsReader {
  push(bytes: Buffer): void;
  end(): ReadRows;
}
