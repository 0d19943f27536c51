import { LIMITS } from '../kernel/limits.ts';
import type { Freshness, Guards, WfsSource } from './source.ts';

const DAY_S = 24 * 3600;

export const FRESHNESS = {
  /** Two days may be missed. */
  daily: { limitS: 3 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  /** One night may be missed. */
  nightly: { limitS: 2 * DAY_S, hardLimitS: LIMITS.hardAgeS },
  /** Totals, with one day of tolerance. */
  weekly: { limitS: 8 * DAY_S, hardLimitS: LIMITS.hardAgeS },
} as const satisfies Record<string, Freshness>;

export const WFS_DEFAULTS = {
  kind: 'wfs',
  srsName: 'EPSG:25832',
  pageSize: 2_000,
  pageTimeoutMs: 120_000,
  pointTimeoutMs: 8_000,
  tries: 3,
  apiKeyParameter: null,
} as const satisfies Partial<WfsSource>;

/** Chosen by the known counts (upstream/byggelinjer.md 6, registers-geo.md 2.7). */
export function layerGuards(minRows: number): Guards {
  return {
    minRows,
    maxChangeShare: 0.2,
    changeFloorRows: 25,
    maxIssueShare: 0.02,
    maxLostRows: 0,
    maxDropShare: 0.1,
    maxGrowthShare: 0.25,
    maxAreaDropShare: 0.2,
    maxAreaGrowthShare: 0.25,
    maxRepairShare: 0.01,
    maxCanaryShare: 0.1,
    knownPlaces: [],
  };
}
