/** What a generated register serves, and what is known of it. */
import type { ServerResponse } from 'node:http';

export type UpstreamContent =
  | {
      readonly register: 'natur';
      readonly dir: string;
      readonly count: number;
      /** Every so many features one is described or drawn otherwise; null: none is. */
      readonly changeEvery: number | null;
    }
  /** `count` access addresses, of those of the whole country. */
  | { readonly register: 'adresser'; readonly dir: string; readonly count: number }
  | { readonly register: 'assessments'; readonly dir: string; readonly scale: number }
  /** BBR and the cadastre, as large as the scale says; with a day's deltas behind the totals, or not yet. */
  | {
      readonly register: 'properties';
      readonly dir: string;
      readonly scale: number;
      readonly hasDeltas: boolean;
    };

/** What is served, as far as the register has it. */
export interface Served {
  readonly url: string;
  readonly rows: number;
  /** Uncompressed. */
  readonly bytes: number;
  readonly vertices: number;
  /** Of features those that are told otherwise, of properties those that a day changes. */
  readonly changed: number;
  /** One table once more, not zipped, for the database to read by itself. */
  readonly plain: {
    readonly path: string;
    readonly rows: number;
    readonly columns: number;
  } | null;
}

/** What a register answers with. */
export interface Content {
  readonly facts: Partial<Omit<Served, 'url'>>;
  /** Where its requests begin. */
  readonly path: string;
  answer(url: URL, response: ServerResponse): void;
  close(): void;
}
