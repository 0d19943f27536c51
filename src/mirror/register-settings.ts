/** Settings of single registers. */
export interface RegisterSettings {
  /** The folder of terrain tiles; null: none. */
  readonly dhmDir: string | null;
  readonly dataDir: string;
  /** URL of the sample upstream; null: the registers are asked. */
  readonly sampleUrl: string | null;
  /** SOURCES_FILE settings of sources that are only asked live, by key. */
  readonly live: Readonly<Record<string, object>>;
}
