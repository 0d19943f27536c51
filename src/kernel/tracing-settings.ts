export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Where spans are sent and which. */
export interface TracingSettings {
  /** Takes OTLP as JSON by POST. */
  readonly url: string;
  /** Secrets: never logged. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of the process: its name and what else tells it from others. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of traces that the samplers of a ratio take. */
  readonly ratio: number;
}
