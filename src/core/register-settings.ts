export interface RegisterSettings {
  /** The folder of terrain tiles; null: none. */
  readonly dhmDir: string | null;
  readonly dataDir: string;
  readonly sampleUrl: string | null;
  readonly live: Readonly<Record<string, object>>;
}
