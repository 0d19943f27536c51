/** The first thread loads, syncs, works on jobs and serves the others. */
import type { Pool } from 'pg';
import type { HostGate } from '../wfs/hosts.ts';
import type { LookupTally } from '../ops/metrics.ts';
import type { OperatorService } from '../ops/operator-service.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { MemoryThreads } from '../core/memory-index.ts';
import type {
  ProcessThreads,
  ThreadCounts,
  ThreadReport,
  ThreadReports,
} from '../http/thread-report.ts';
import type { Workers } from '../core/tasks/workers.ts';
import type { LimiterMemory } from '../kernel/limiter-memory.ts';
import { localLimiters } from '../kernel/limiters.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { Balance } from '../threads/balance.ts';
import type { Questions } from '../threads/ask.ts';
import type { Follower, Leader } from '../threads/feed.ts';
import type { MeteringView } from '../metering/metering.ts';
import type { ComposedOperator } from './operator.ts';

export interface SharedThreadMemory {
  readonly loads: SharedArrayBuffer;
  readonly limits: LimiterMemory;
}

export interface FirstThread {
  readonly kind: 'first';
  /** null: there are no others. */
  readonly leader: Leader | null;
  readonly limiters: Limiters;
  /** null: there is one thread. */
  readonly shared: SharedThreadMemory | null;
  readonly balance: Balance | null;
  readonly others: () => ThreadReports;
  readonly othersRead: () => void;
}

export interface OtherThread {
  readonly kind: 'other';
  /** From 1. */
  readonly number: number;
  readonly follower: Follower;
  readonly questions: Questions;
  readonly limiters: Limiters;
  readonly balance: Balance;
  /** Resolves when the first thread has migrated the schema. */
  readonly migrated: Promise<void>;
  readonly operator: Pick<OperatorService, 'can' | 'liftableGuards'>;
}

export type ThreadRole = FirstThread | OtherThread;

export function alone(): FirstThread {
  return {
    kind: 'first',
    ...{ leader: null, shared: null, balance: null },
    limiters: localLimiters(),
    others: noOthers,
    othersRead: () => undefined,
  };
}

export const noOthers = (): ThreadReports => ({ running: [], ended: null, hung: 0 });

/** From other threads to the first. */
export interface Notices {
  readonly jobReady: () => void;
  readonly webhookDue: () => void;
  readonly expired: (layer: MirrorId) => void;
}

/** The first thread's answers to others, by name. */
export interface AnsweredToThreads {
  readonly operator: OperatorService | null;
  readonly views: OperatorViews;
  readonly process: { reports(): Promise<ThreadReports>; read(): void; scrape(): Promise<string> };
  readonly notices: Notices;
}

type OperatorViews = Omit<ComposedOperator['edge'], 'operator' | 'sharedFiles'>;

export function memoryThreadsOf(role: ThreadRole): { readonly threads?: MemoryThreads } {
  if (role.kind === 'other') return { threads: { followed: role.follower } };
  return role.leader === null ? {} : { threads: { first: role.leader } };
}

export function numberOf(role: ThreadRole): number {
  return role.kind === 'first' ? 0 : role.number;
}

export interface ReportedParts {
  readonly counts: ThreadCounts;
  readonly tally: LookupTally;
  readonly unlistedCodes: ReadonlyMap<string, number>;
  readonly metering: (() => MeteringView) | null;
  readonly hosts: readonly string[];
  readonly gate: HostGate;
}

export function reportOf(
  role: ThreadRole,
  parts: ReportedParts,
  pool: Pool,
  workers: Pick<Workers, 'view'>,
): ThreadReport {
  const { counts, tally, unlistedCodes, metering, hosts, gate } = parts;
  return {
    ...{ thread: numberOf(role), ageS: 0 },
    ...counts.view(),
    lookups: tally.layers,
    unlistedCodes,
    hosts: hosts.map((host) => ({ host, ...gate.view(host) })),
    metering: metering?.() ?? null,
    connections: {
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    },
    tasks: workers.view().tasks,
  };
}

/** Reports of other threads are up to a second old. */
export function reportsIn(role: FirstThread, own: () => ThreadReport): ThreadReports {
  const others = role.others();
  return { ...others, running: [own(), ...others.running] };
}

export function processThreads(
  role: ThreadRole,
  { own, counts }: { readonly own: () => ThreadReport; readonly counts: ThreadCounts },
): ProcessThreads {
  if (role.kind === 'other') {
    const asked = role.questions.of<AnsweredToThreads['process']>('process');
    return {
      reports: () => asked.reports(),
      read: () => void asked.read().catch(() => undefined),
    };
  }
  return {
    reports: () => Promise.resolve(reportsIn(role, own)),
    read: () => {
      counts.begin();
      role.othersRead();
    },
  };
}

export function noticesTo({ questions }: OtherThread): Notices {
  const asked = questions.of<Notices>('notices');
  const tell = (told: Promise<unknown>): void => void told.catch(() => undefined);
  return {
    jobReady: () => tell(asked.jobReady()),
    webhookDue: () => tell(asked.webhookDue()),
    expired: (layer) => tell(asked.expired(layer)),
  };
}

/** Operators' services run in the first thread. */
export function askedOperator({ questions, operator }: OtherThread): ComposedOperator {
  const views =
    questions.of<Required<{ [K in keyof OperatorViews]: NonNullable<OperatorViews[K]> }>>('views');
  return {
    edge: {
      operator: questions.of<OperatorService, OtherThread['operator']>('operator', operator),
      jobView: views.jobView,
      webhookView: views.webhookView,
      daysView: views.daysView,
      snapshotFile: views.snapshotFile,
      // The first thread writes the metrics of all.
      sharedFiles: null,
    },
    stop: () => Promise.resolve(),
  };
}

export function askedScrape({ questions }: OtherThread): () => Promise<string> {
  const asked = questions.of<AnsweredToThreads['process']>('process');
  return () => asked.scrape();
}
