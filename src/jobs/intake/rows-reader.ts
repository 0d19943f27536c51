/** What reading a body gives, whatever its type. */

/** A chunk's worth of rows as src/jobs/chunk-rows.ts writes them. */
export interface ReadChunk {
  readonly input: Buffer;
  readonly rows: number;
}

/** The rows of one body. Cells stand in the order of its own columns. */
export interface ReadRows {
  /** In the order of first sight. */
  readonly columns: readonly string[];
  readonly chunks: readonly ReadChunk[];
  readonly rows: number;
}

/** Takes a body as it comes. Both throw a Failure naming the row and the limit, never a value. */
export interface RowsReader {
  push(bytes: Buffer): void;
  end(): ReadRows;
}
