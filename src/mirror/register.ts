/**
 * A register as one value: what is mirrored of it, what the service answers from it, and what the sample
 * holds of it. `src/registers.ts` lists them; whoever walks the registers walks that list.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Watcher } from '../answers/answer.ts';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { TableRegister } from '../layers/register.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import type { HostGate } from '../wfs/hosts.ts';
import type { RegisterDocument } from './document.ts';
import type { DryRun } from './dry-run.ts';
import type { Login } from './login.ts';
import type { SampleRegister } from './sample-register.ts';

/** `L`: its lookups, as registers that join them are handed them. */
export interface Register<L = unknown> {
  /** Its folder in src/registers. */
  readonly name: string;
  /** Registers whose lookups it joins; they stand before it in the list. */
  readonly joins: readonly Register[];
  /** Everything mirrored of it, each under a version of its own. */
  readonly mirrors: readonly TableRegister[];
  readonly document: RegisterDocument;
  /** Puts its lookups together. Opens nothing that `stop` does not close. */
  compose(parts: RegisterParts): ServedRegister<L>;
  /** Asks its live source one small question for a dry run; absent: it has none. */
  readonly dryRun?: DryRun;
  readonly sample: SampleRegister;
}

/** What a register is composed of. */
export interface RegisterParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly store: Store;
  /** The land that sources cover. */
  readonly lands: CoveredLands;
  /** Breakers and requests in flight of the live sources. */
  readonly gate: HostGate;
  readonly watcher: Watcher;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Told which copy is past its freshness limit while someone asks for it. */
  readonly onExpired: (mirror: MirrorId) => void;
  /** Whether the sources are the sample's. */
  readonly isInvented: boolean;
  /** Signs in to Virk; null: it is not asked. */
  readonly login: Login | null;
  /** The lookups of a register that this one states in `joins`. */
  lookupsOf<L>(register: Register<L>): L;
}

/** A register ready to answer. */
export interface ServedRegister<L = unknown> {
  readonly name: string;
  readonly lookups: L;
  readonly document: RegisterDocument;
  readonly routes: (app: FastifyInstance) => void;
  /** Hosts that it asks live, beside those of the layers. */
  readonly hosts: readonly string[];
  stop(): Promise<void>;
}

/** Composes registers in the order of the list. Throws where one joins a register that is not before it. */
export function composeRegisters(
  registers: readonly Register[],
  parts: Omit<RegisterParts, 'lookupsOf'>,
): readonly ServedRegister[] {
  const composed = new Map<Register, ServedRegister>();
  for (const register of registers) {
    const lookupsOf = <L>(joined: Register<L>): L => {
      const served = register.joins.includes(joined) ? composed.get(joined) : undefined;
      if (served === undefined) throw new Error(`${register.name} cannot join ${joined.name}.`);
      return served.lookups as L;
    };
    composed.set(register, register.compose({ ...parts, lookupsOf }));
  }
  return [...composed.values()];
}
