export const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

export interface TracingSettings {
  /** Takes OTLP as JSON by POST. */
  readonly url: string;
  /** Secrets: never logged. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** Share of traces that ratio samplers take. */
  readonly ratio: number;
}
