/** Settings of lookups that a test has no opinion on. */
import type { LookupOptions } from '../../src/start/lookups.ts';

export const LOOKUP_DEFAULTS: Pick<
  LookupOptions,
  'log' | 'login' | 'isInvented' | 'terrainCoverage' | 'searchRadiusM' | 'onExpired'
> = {
  log: { warn: () => undefined, error: () => undefined },
  login: null,
  isInvented: true,
  terrainCoverage: null,
  searchRadiusM: 500,
  onExpired: () => undefined,
};
