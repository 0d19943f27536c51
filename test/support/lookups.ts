/** The lookups of the service, with settings that a test has no opinion on. */
import type { Store } from '../../src/db/connect.ts';
import type { WfsClient } from '../../src/wfs/client.ts';
import { composeLookups } from '../../src/start/lookups.ts';
import type { LookupOptions, LookupParts } from '../../src/start/lookups.ts';
import type { MemoryIndex } from '../../src/core/memory-index.ts';
import { Memories } from '../../src/core/register.ts';
import type { Register } from '../../src/core/register.ts';
import { idleWorkers } from './registers.ts';
import { REGISTERS } from '../../src/registers.ts';
import { addresses } from '../../src/registers/addresses/register.ts';
import { areas } from '../../src/registers/areas/register.ts';
import { assessments } from '../../src/registers/assessments/register.ts';
import { cadastre } from '../../src/registers/cadastre/register.ts';
import { lines } from '../../src/registers/lines/register.ts';
import { places } from '../../src/registers/places/register.ts';
import { property } from '../../src/registers/property/register.ts';

export const LOOKUP_DEFAULTS: Omit<LookupOptions, 'catalogue' | 'clock' | 'keys'> = {
  log: { warn: () => undefined, error: () => undefined },
  login: null,
  isInvented: true,
  settings: { dhmDir: null, live: {} },
  liveCoverages: [],
  searchRadiusM: 500,
  onExpired: () => undefined,
};

/** `indexes`: what registers answer from in memory, by their names. */
export function testLookups(
  options: Partial<LookupOptions> & Pick<LookupOptions, 'catalogue' | 'clock' | 'keys'>,
  {
    indexes = {},
    ...parts
  }: Omit<LookupParts, 'memories'> & {
    readonly indexes?: Readonly<Record<string, MemoryIndex | null>>;
  },
) {
  const memories = new Memories(
    REGISTERS.flatMap((register): [Register, MemoryIndex][] => {
      const index = indexes[register.name] ?? null;
      return index === null ? [] : [[register, index]];
    }),
  );
  const composed = composeLookups({ ...LOOKUP_DEFAULTS, ...options }, { ...parts, memories });
  const { lookupsOf } = composed;
  return {
    ...composed,
    ...lookupsOf(lines),
    ...lookupsOf(areas),
    ...lookupsOf(addresses),
    ...lookupsOf(cadastre),
    ...lookupsOf(assessments),
    ...lookupsOf(property),
    ...lookupsOf(places),
  };
}

/** The same over a store alone: nothing is asked live, and no thread works. */
export function storeLookups(
  store: Store,
  options: Partial<LookupOptions> & Pick<LookupOptions, 'catalogue' | 'clock'>,
  indexes: Readonly<Record<string, MemoryIndex | null>> = {},
  watched: Pick<LookupParts, 'watcher'> = {},
) {
  const parts = { ...watched, workers: idleWorkers(), wfs: {} as WfsClient, memory: null };
  return testLookups({ keys: {}, ...options }, { ...parts, store, indexes });
}
