export interface ReadChunk {
  readonly input: Buffer;
  readonly rows: number;
}

/** Cells are in the order of the body's columns. */
export interface ReadRows {
  readonly columns: readonly string[];
  readonly chunks: readonly ReadChunk[];
  readonly rows: number;
  /** The row of column names, if guessed below titles. */
  readonly guessedHead?: number | null;
}

/** Both throw with the row and the limit, never a value. */
export interface RowsReader {
  push(bytes: Buffer): void;
  end(): ReadRows;
}
