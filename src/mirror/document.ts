/** A register's part of the published document. */
import type { TSchema } from 'typebox';

/** One request and its answer for an operation. */
export interface Example {
  readonly request: string;
  readonly body?: unknown;
  /** Equivalent bodies of other types, by type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Absent: the documented success. */
  readonly status?: number;
  readonly value?: unknown;
  /** Answers of other types, by type. */
  readonly answers?: Readonly<Record<string, string>>;
  /** The values vary or the lists are longer; only the shape is checked. */
  readonly varies?: boolean;
}

export interface RegisterDocument {
  /** Groups the operations. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: readonly TSchema[];
  /** Danish by English. */
  readonly danish: Readonly<Record<string, string>>;
  /** JSON file of examples by operation, recorded by test/http/examples.test.ts. */
  readonly examplesFile: string;
}
