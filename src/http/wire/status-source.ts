/** The origin of facts about the service: generation, and age of the store's report. */

export interface ReportedFrom {
  /** Store-wide (D19). */
  readonly generation: number;
  /** Seconds since the store reported it; null or absent: just now. */
  readonly knownForS?: number | null;
}

export function statusHeaders({
  generation,
  knownForS = null,
}: ReportedFrom): Record<string, string> {
  const source =
    knownForS === null
      ? { 'x-service-status-source': 'store' }
      : { 'x-service-status-source': 'memory', age: String(knownForS) };
  return { 'x-service-generation': String(generation), ...source };
}
