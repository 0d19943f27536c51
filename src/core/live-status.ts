import type { Coverage } from '../layers/coverage.ts';
import type { TERRAIN } from '../layers/keys.ts';

export interface LiveStatus {
  readonly layer: typeof TERRAIN;
  readonly register: string;
  /** missing: nothing was scanned or asked yet. */
  readonly state: 'fresh' | 'delayed' | 'failed' | 'missing';
  /** Of the last scan or answer: ISO 8601 UTC, and seconds since. */
  readonly syncedAt: string | null;
  readonly ageS: number | null;
  readonly limitS: number;
  /** Number of files; null: there is no folder. */
  readonly count: number | null;
  readonly version: number | null;
  readonly coverage: Coverage | null;
}
