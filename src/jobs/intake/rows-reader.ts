export interface ReadChunk {
  readonly input: Buffer;
  readonly rows: number;
}

/** The rows of one body. Cells are in the order of its own columns. */
export interface ReadRows {
  readonly columns: readonly string[];
  readonly chunks: readonly ReadChunk[];
  readonly rows: number;
  /** The row that names the columns, where titles above it were passed over unasked. */
  readonly guessedHead?: number | null;
}

/** Takes a body in pieces. Both throw a Failure naming the row and the limit, never a value. */
export interface RowsReader {
  push(bytes: Buffer): void;
  end(): ReadRows;
}
