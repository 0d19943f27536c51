/** The registers as the edge serves them, over a store that never answers: for what belongs to the edge alone. */
import type { FastifyInstance } from 'fastify';
import type { Store } from '../../src/db/connect.ts';
import type { Services } from '../../src/http/services.ts';
import { CoveredLands } from '../../src/memory/covered-lands.ts';
import { composeRegisters } from '../../src/mirror/register.ts';
import type { RegisterParts } from '../../src/mirror/register.ts';
import { REGISTERS, REGISTERS_CATALOGUE } from '../../src/registers.ts';
import { createHostGate } from '../../src/wfs/hosts.ts';

type Served = Services['registers'];

const nobody = () => Promise.reject(new Error('This store never answers.'));
const clock = { nowMs: () => Date.now() };

const PARTS: Omit<RegisterParts, 'lookupsOf'> = {
  catalogue: REGISTERS_CATALOGUE,
  clock,
  store: { kind: 'postgres', pool: { query: nobody } } as unknown as Store,
  lands: new CoveredLands({
    catalogue: REGISTERS_CATALOGUE,
    clock,
    terrainCoverage: null,
    memory: () => null,
    readMunicipalities: nobody,
  }),
  gate: createHostGate({ clock }),
  watcher: { answered: () => undefined, originFailed: () => undefined },
  log: { warn: () => undefined, error: () => undefined },
  onExpired: () => undefined,
  isInvented: false,
  login: null,
};

/** `routes`: of a register, by its name, in place of its own. */
export function idleRegisters(
  routes: Readonly<Record<string, (app: FastifyInstance) => void>> = {},
): Served {
  return composeRegisters(REGISTERS, PARTS).map((served) => ({
    ...served,
    routes: routes[served.name] ?? served.routes,
  }));
}
