/** How a source stands that is asked live and mirrored nowhere, for the freshness page. */
import type { Coverage } from '../layers/coverage.ts';
import type { TERRAIN } from '../layers/keys.ts';

export interface LiveStatus {
  /** As the page names it. */
  readonly layer: typeof TERRAIN;
  readonly register: string;
  /** missing: nothing was looked at or asked yet. */
  readonly state: 'fresh' | 'delayed' | 'failed' | 'missing';
  /** Of the last look or answer: ISO 8601 UTC, and seconds since. */
  readonly syncedAt: string | null;
  readonly ageS: number | null;
  /** Seconds after which a look or an answer is old. */
  readonly limitS: number;
  /** Files that were found; null: there is no folder of them. */
  readonly count: number | null;
  readonly version: number | null;
  /** null: the country. */
  readonly coverage: Coverage | null;
}
