/** Whether what is told of the service comes from the store, or is what it last told. */

/** `knownForS`: seconds since the store told it; null: just now. */
export function sourceHeaders(knownForS: number | null): Record<string, string> {
  return knownForS === null
    ? { 'x-service-status-source': 'store' }
    : { 'x-service-status-source': 'memory', age: String(knownForS) };
}
