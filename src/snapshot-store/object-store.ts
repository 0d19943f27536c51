/** In the place of an object is something else: a link, a pipe, or a folder that leads elsewhere. */
export class NotAnObject extends Error {}

/** What the store of files needs of a directory or an S3-like service. Every method may reject, with NotAnObject also. */
export interface ObjectStore {
  /** For logs: no secret. */
  readonly name: string;
  /** Whole, at most `mostBytes`; null: there is none. */
  read(key: string, mostBytes: number, signal: AbortSignal): Promise<Uint8Array | null>;
  /** In pieces, each good until the next is asked for; null: there is none. */
  open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>;
  /** Bytes of an object; null: there is none. */
  sizeOf(key: string, signal: AbortSignal): Promise<number | null>;
  /** Replaces it as a whole: readers see the old or the new bytes. */
  write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** The same from a local file of this hash. */
  copyIn(key: string, file: LocalFile, signal: AbortSignal): Promise<void>;
  /** At most `most`, in any order. */
  list(prefix: string, most: number, signal: AbortSignal): Promise<readonly ListedObject[]>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

export interface LocalFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ListedObject {
  readonly key: string;
  readonly modifiedAtMs: number;
}
