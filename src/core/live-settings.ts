import type { TSchema } from 'typebox';

export interface LiveSettings {
  readonly key: string;
  readonly schema: TSchema;
}

export interface RegisterSettings {
  readonly dhmDir: string | null;
  /** Sources that are only asked live, by key: the sample's, and those of SOURCES_FILE. */
  readonly live: Readonly<Record<string, object>>;
}

/** For a live source. User and password are secrets. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly isPlainAllowed: boolean;
}
