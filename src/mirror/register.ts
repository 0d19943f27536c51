/**
 * A register as one value: what is mirrored of it, what the service answers from it, and what the sample
 * holds of it. `src/registers.ts` lists them; whoever walks the registers walks that list.
 */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Watcher } from '../answers/answer.ts';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Catalogue, Mirrored } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { CoveredLands } from '../memory/covered-lands.ts';
import type { SnapshotSet } from '../memory/snapshot-set.ts';
import type { PlainLookups } from '../http/plain-lookup.ts';
import type { HostGate } from '../wfs/hosts.ts';
import type { LiveWfs } from '../wfs/live.ts';
import type { Workers } from '../../workers/pool.ts';
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
  readonly mirrors: readonly Mirrored[];
  readonly document: RegisterDocument;
  /** Puts its lookups together. Opens nothing that `stop` does not close. */
  compose(parts: RegisterParts): ServedRegister<L>;
  /** Asks its live source one small question for a dry run; absent: it has none. */
  readonly dryRun?: DryRun;
  /** Its tables and live source in the sample; absent: the layers of the sample are its own. */
  readonly sample?: SampleRegister;
}

/** What a register is composed of. */
export interface RegisterParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly store: Store;
  /** Whether the store is known to be unavailable. */
  readonly isStoreUnavailable: () => boolean;
  /** The layers in memory; null: the store answers. */
  readonly layers: () => SnapshotSet | null;
  readonly workers: Workers;
  /** Live questions to a WFS, through the host gate. */
  readonly live: LiveWfs;
  /** API keys by host. Secrets. */
  readonly keys: Readonly<Partial<Record<string, string>>>;
  /** The land that sources cover. */
  readonly lands: CoveredLands;
  /** Breakers and requests in flight of the live sources. */
  readonly gate: HostGate;
  readonly watcher: Watcher;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Told which copy is past its freshness limit while someone asks for it. */
  readonly onExpired: (mirror: MirrorId) => void;
  /** D23. */
  readonly searchRadiusM: number;
  /** Whether the sources are the sample's. */
  readonly isInvented: boolean;
  /** Signs in to Virk; null: it is not asked. */
  readonly login: Login | null;
  /** The lookups of a register that this one states in `joins`. */
  readonly lookupsOf: <L>(register: Register<L>) => L;
}

/** A register ready to answer. */
export interface ServedRegister<L = unknown> {
  readonly name: string;
  readonly lookups: L;
  readonly document: RegisterDocument;
  /** Adds its routes; `plain` takes the lookups that have a fast path. */
  readonly routes: (app: FastifyInstance, plain: PlainLookups) => void;
  /** Hosts that it asks live, beside those of the layers. */
  readonly hosts: readonly string[];
  stop(): Promise<void>;
}

/** `meta.kilde` of a register. */
export function sourceNameOf(name: string, { isInvented }: Pick<RegisterParts, 'isInvented'>) {
  return isInvented ? 'Opdigtet prøveregister' : name;
}

/** Registers put together, and the lookups of each for whoever joins them. */
export interface ServedRegisters {
  readonly served: readonly ServedRegister[];
  /** Throws where the register is not among them. */
  readonly lookupsOf: <L>(register: Register<L>) => L;
}

/** Composes registers in the order of the list. Throws where one joins a register that is not before it. */
export function composeRegisters(
  registers: readonly Register[],
  parts: Omit<RegisterParts, 'lookupsOf'>,
): ServedRegisters {
  const composed = new Map<Register, ServedRegister>();
  const lookupsOf = <L>(register: Register<L>): L => {
    const served = composed.get(register);
    if (served === undefined) throw new Error(`${register.name} is not composed.`);
    return served.lookups as L;
  };
  for (const register of registers) {
    const joined = <L>(other: Register<L>): L => {
      if (register.joins.includes(other)) return lookupsOf(other);
      throw new Error(`${register.name} does not state that it joins ${other.name}.`);
    };
    composed.set(register, register.compose({ ...parts, lookupsOf: joined }));
  }
  return { served: [...composed.values()], lookupsOf };
}
