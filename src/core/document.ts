import type { TSchema } from 'typebox';

export interface Example {
  readonly request: string;
  readonly body?: unknown;
  readonly texts?: Readonly<Record<string, string>>;
  /** Absent: the documented success. */
  readonly status?: number;
  readonly value?: unknown;
  readonly answers?: Readonly<Record<string, string>>;
  /** Values or lists may differ; only the shape is checked. */
  readonly varies?: boolean;
}

export interface RegisterDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly schemas: readonly TSchema[];
  /**
   * Has examples.json, by operation, which test/http/examples.test.ts records, and danish.json, by
   * the English text.
   */
  readonly folder: string;
}
