/** Settings of single registers. */
export interface RegisterSettings {
  /** The folder of terrain tiles; null: none. */
  readonly dhmDir: string | null;
  readonly dataDir: string;
  /** Where the sample upstream listens; null: the registers are asked. */
  readonly sampleUrl: string | null;
  /** What SOURCES_FILE says of sources that are only asked live, by their key. */
  readonly live: Readonly<Record<string, object>>;
}
