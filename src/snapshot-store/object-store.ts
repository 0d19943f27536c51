/** In an object's place is a link, a pipe, or a folder that leads elsewhere. */
export class NotAnObject extends Error {}

/** Every method may reject, also with NotAnObject. */
export interface ObjectStore {
  /** For logs: no secret. */
  readonly name: string;
  /** null: there is none. */
  read(key: string, mostBytes: number, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Each piece is valid until the next is requested; null: there is none. */
  open(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | null>;
  /** null: there is none. */
  sizeOf(key: string, signal: AbortSignal): Promise<number | null>;
  /** Atomic: readers see the old or the new bytes. */
  write(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Atomic, from a local file of this hash. */
  copyIn(key: string, file: LocalFile, signal: AbortSignal): Promise<void>;
  /** In any order. */
  list(prefix: string, most: number, signal: AbortSignal): Promise<readonly ListedObject[]>;
  remove(key: string, signal: AbortSignal): Promise<void>;
}

export interface LocalFile {
  readonly path: string;
  readonly sha256: string;
}

export interface ListedObject {
  readonly key: string;
  readonly modifiedAtMs: number;
}
