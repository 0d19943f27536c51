export interface RegisterSettings {
  readonly dhmDir: string | null;
  /** Sources that are only asked live, by key: the sample's, and those of SOURCES_FILE. */
  readonly live: Readonly<Record<string, object>>;
}
