export interface Done {
  readonly value: unknown;
  readonly lines: readonly string[];
  /** Replaces `lines` when the output is too long for it. */
  readonly stream?: AsyncIterable<string>;
}

export function timeOf(ms: number | null): string {
  return ms === null ? 'never' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export async function* ndjson(values: AsyncIterable<object>): AsyncGenerator<string, void> {
  for await (const value of values) yield JSON.stringify(value);
}
