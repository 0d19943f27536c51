import type { Logger } from 'pino';
import type { Watcher } from '../answers/answer.ts';
import type { Store } from '../db/connect.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { Catalogue, Mirrored } from '../layers/catalogue.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { CoveredLands } from './land/covered-lands.ts';
import type { SnapshotSet } from './held/snapshot-set.ts';
import type { Question } from './question/question.ts';
import { servedKind } from './rows/kind.ts';
import type { JobKinds, LabelParts } from './rows/kind.ts';
import type { HostGate } from '../wfs/hosts.ts';
import type { LiveWfs } from '../wfs/live.ts';
import type { Workers } from './tasks/workers.ts';
import type { RegisterDocument } from './document.ts';
import type { DryRun } from './dry-run.ts';
import type { LoaderBase, MemoryIndex } from './memory-index.ts';
import type { LiveSettings, Login, RegisterSettings } from './live-settings.ts';
import type { LiveStatus } from './live-status.ts';
import type { MapTiles } from './map-tiles.ts';
import type { RecordAudit } from './record-audit.ts';
import type { RegisterLayers } from './register-layers.ts';

/** `L`: its lookups, as joining registers receive them. `M`: its memory index; never: none. */
export interface Register<L = unknown, M extends MemoryIndex = MemoryIndex> {
  readonly name: string;
  readonly joins: readonly Register[];
  readonly mirrors: readonly Mirrored[];
  readonly document: RegisterDocument;
  readonly questions: readonly Question<L>[];
  readonly layers?: RegisterLayers;
  /** Not yet started; absent: only the store answers. */
  openMemory?(parts: MemoryParts): M;
  /** Compares records in memory with the store; absent: it has none. */
  auditOf?(memory: M, store: Pick<Store, 'db'>): RecordAudit;
  /** Opens nothing that `stop` does not close. `memory` null: only the store answers. */
  compose(parts: RegisterParts, memory: M | null): Composed<L>;
  readonly liveSettings?: LiveSettings;
  /** Absent: it has no live source. */
  readonly dryRun?: DryRun;
}

export interface MemoryParts extends LoaderBase {
  readonly store: Store;
  readonly workers: Workers;
  readonly clock: Clock;
}

export interface RegisterParts {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly store: Store;
  readonly isStoreUnavailable: () => boolean;
  readonly layers: () => SnapshotSet | null;
  readonly workers: Workers;
  readonly live: LiveWfs;
  readonly keys: Readonly<Partial<Record<string, string>>>;
  readonly lands: CoveredLands;
  readonly gate: HostGate;
  /** Limits of all threads of the process; absent: of this one alone. */
  readonly limiters?: Limiters | undefined;
  readonly watcher: Watcher;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Called when a copy past its freshness limit is requested. */
  readonly onExpired: (mirror: MirrorId) => void;
  /** D23. */
  readonly searchRadiusM: number;
  readonly isInvented: boolean;
  /** To Virk; null: it is not asked. */
  readonly login: Login | null;
  readonly settings: RegisterSettings;
  /** Called for a code that no list holds (D55). */
  readonly onUnlistedCode: (list: string) => void;
  readonly lookupsOf: <L, M extends MemoryIndex>(register: Register<L, M>) => L;
}

export interface Composed<L> {
  readonly lookups: L;
  readonly hosts?: readonly string[];
  /** The state of a live source; absent: everything is mirrored. */
  readonly status?: () => LiveStatus | null;
  readonly tiles?: readonly MapTiles[];
  stop?(): Promise<void>;
}

export interface ServedRegister<L = unknown> extends Composed<L> {
  readonly name: string;
  readonly document: RegisterDocument;
  readonly questions: readonly Question<L>[];
}

export class Memories {
  readonly #indexes: ReadonlyMap<unknown, MemoryIndex>;

  constructor(indexes: Iterable<readonly [Register, MemoryIndex]> = []) {
    this.#indexes = new Map(indexes);
  }

  get all(): readonly MemoryIndex[] {
    return [...this.#indexes.values()];
  }

  of<L, M extends MemoryIndex>(register: Register<L, M>): M | null {
    return (this.#indexes.get(register) as M | undefined) ?? null;
  }
}

export function openMemories(registers: readonly Register[], parts: MemoryParts): Memories {
  return new Memories(
    registers.flatMap((register) => {
      const index = register.openMemory?.(parts);
      return index === undefined ? [] : [[register, index] as const];
    }),
  );
}

export function auditsOf(
  registers: readonly Register[],
  memories: Memories,
  store: Pick<Store, 'db'>,
): readonly RecordAudit[] {
  return registers.flatMap((register) => {
    const memory = memories.of(register);
    return memory === null ? [] : (register.auditOf?.(memory, store) ?? []);
  });
}

export interface ServedRegisters {
  readonly served: readonly ServedRegister[];
  /** Throws for a register that is not in the list. */
  readonly lookupsOf: <L, M extends MemoryIndex>(register: Register<L, M>) => L;
}

/** In list order. Throws where a register joins one that does not precede it. */
export function composeRegisters(
  registers: readonly Register[],
  parts: Omit<RegisterParts, 'lookupsOf'>,
  memories: Memories,
): ServedRegisters {
  const composed = new Map<unknown, ServedRegister>();
  const lookupsOf = <L, M extends MemoryIndex>(register: Register<L, M>): L => {
    const served = composed.get(register);
    if (served === undefined) throw new Error(`${register.name} is not composed.`);
    return served.lookups as L;
  };
  for (const register of registers) {
    const joined = <L, M extends MemoryIndex>(other: Register<L, M>): L => {
      if (register.joins.some((each) => each === other)) return lookupsOf(other);
      throw new Error(`${register.name} does not state that it joins ${other.name}.`);
    };
    const { name, document, questions } = register;
    const opened = register.compose({ ...parts, lookupsOf: joined }, memories.of(register));
    composed.set(register, { ...opened, name, document, questions });
  }
  return { served: [...composed.values()], lookupsOf };
}

export function jobKindsOf(
  registers: readonly Register[],
  { lookupsOf, ...parts }: Pick<ServedRegisters, 'lookupsOf'> & LabelParts,
): JobKinds {
  return new Map(
    registers.flatMap((register) =>
      register.questions.flatMap(({ area, jobKinds }) =>
        jobKinds.map((kind) => {
          const of = { area, lookups: lookupsOf(register) };
          return [kind.name, servedKind(kind, of, parts)] as const;
        }),
      ),
    ),
  );
}
