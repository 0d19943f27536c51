/** What a register adds to the published document. */
import type { TSchema } from 'typebox';

/** One request and its answer, shown with an operation. */
export interface Example {
  /** Method, path and query, before they are encoded. */
  readonly request: string;
  readonly body?: unknown;
  /** Bodies of other types that mean the same, by type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Of the answer; absent: the success that the operation documents. */
  readonly status?: number;
  /** The answer in JSON. */
  readonly value?: unknown;
  /** Answers of other types, by type. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The answer differs each time, or has longer lists: it has this shape, not these values. */
  readonly varies?: boolean;
}

export interface RegisterDocument {
  /** Groups the operations. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** Named schemas, each with its `$id`. */
  readonly schemas: readonly TSchema[];
  /** Danish by the English it translates. */
  readonly danish: Readonly<Record<string, string>>;
  /** A JSON file of examples by operation, which test/http/examples.test.ts records. */
  readonly examplesFile: string;
}
