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
import type { HostGate } from '../wfs/hosts.ts';
import type { RegisterDocument } from './document.ts';
import type { DryRun } from './dry-run.ts';
import type { Login } from './login.ts';
import type { SampleRegister } from './sample-register.ts';

export interface Register {
  /** Its folder in src/registers. */
  readonly name: string;
  /** Everything mirrored of it, each under a version of its own. */
  readonly mirrors: readonly TableRegister[];
  readonly document: RegisterDocument;
  /** Puts its lookups together. Opens nothing that `stop` does not close. */
  compose(parts: RegisterParts): ServedRegister;
  /** Asks its live source one small question for a dry run; absent: it has none. */
  readonly dryRun?: DryRun;
  readonly sample: SampleRegister;
}

/** What a register is composed of. */
export interface RegisterParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly store: Store;
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
}

/** A register ready to answer. */
export interface ServedRegister {
  readonly name: string;
  readonly document: RegisterDocument;
  readonly routes: (app: FastifyInstance) => void;
  /** Hosts that it asks live, beside those of the layers. */
  readonly hosts: readonly string[];
  stop(): Promise<void>;
}
