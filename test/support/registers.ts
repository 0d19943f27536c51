/** The registers as the edge serves them, over a store that never answers: for what belongs to the edge alone. */
import type { Store } from '../../src/db/connect.ts';
import type { Services } from '../../src/http/services.ts';
import { CoveredLands } from '../../src/core/land/covered-lands.ts';
import { Memories, composeRegisters, jobKindsOf } from '../../src/core/register.ts';
import type { RegisterParts } from '../../src/core/register.ts';
import { REGISTERS, REGISTERS_CATALOGUE } from '../../src/registers.ts';
import type { Workers } from '../../src/core/tasks/workers.ts';
import type { LiveWfs } from '../../src/wfs/live.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';

type Served = Services['registers'];

const nobody = () => Promise.reject(new Error('This store never answers.'));
const clock = { nowMs: () => Date.now() };

export function idleWorkers(): Workers {
  return { run: nobody, batches: () => nobody } as unknown as Workers;
}

const PARTS: Omit<RegisterParts, 'lookupsOf'> = {
  catalogue: REGISTERS_CATALOGUE,
  clock,
  isStoreUnavailable: () => false,
  layers: () => null,
  workers: idleWorkers(),
  live: {} as LiveWfs,
  keys: {},
  searchRadiusM: 500,
  store: { kind: 'postgres', pool: { query: nobody } } as unknown as Store,
  lands: new CoveredLands({
    catalogue: REGISTERS_CATALOGUE,
    clock,
    liveCoverages: [],
    memory: () => null,
    readMunicipalities: nobody,
  }),
  gate: createHostGate({ clock }),
  watcher: { answered: () => undefined, originFailed: () => undefined },
  log: { warn: () => undefined, error: () => undefined },
  onExpired: () => undefined,
  isInvented: false,
  login: null,
  settings: { dhmDir: null, live: {} },
  onUnlistedCode: () => undefined,
};

/** `lookups`: of a register, by its name, in place of its own. */
export function idleRegisters(lookups: Readonly<Record<string, object>> = {}): Served {
  return composeRegisters(REGISTERS, PARTS, new Memories()).served.map((served) => ({
    ...served,
    lookups: Object.assign({}, served.lookups, lookups[served.name]),
  }));
}

export const IDLE_KINDS = jobKindsOf(REGISTERS, {
  ...{ catalogue: REGISTERS_CATALOGUE, isInvented: true },
  lookupsOf: () => null as never,
});
