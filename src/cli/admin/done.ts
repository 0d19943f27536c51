export interface Done {
  readonly value: unknown;
  readonly lines: readonly string[];
}

export function timeOf(ms: number | null): string {
  return ms === null ? 'never' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
