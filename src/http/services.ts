/** One interface per question: http never sees a store, a register or the environment. */
import type { Accounts } from '../account/accounts.ts';
import type { Keys } from '../account/keys.ts';
import type { Plans } from '../account/plans.ts';
import type { Alarms } from '../account/alarms.ts';
import type { Letters } from '../account/letters.ts';
import type { AccountRequests } from '../account/requests.ts';
import type { Persons } from '../account/persons.ts';
import type { KeyRing } from '../account/principal.ts';
import type { Sessions } from '../account/sessions.ts';
import type { Trial } from '../account/trial.ts';
import type { ChangeSource } from '../changes/source.ts';
import type { LongAnswers } from '../core/tasks/stream-reader.ts';
import type { JobKinds } from '../core/rows/kind.ts';
import type { JobFiles } from '../jobs/files/file.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobDay } from '../jobs/job-days.ts';
import type { JobView } from '../jobs/runner.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ReadsView } from '../kernel/reads-view.ts';
import type { SharedFilesView } from '../kernel/shared-files-view.ts';
import type { Limiters } from '../kernel/limiters.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Tiles } from '../memory/tiles.ts';
import type { CoveredLand } from '../core/land/covered-land.ts';
import type { UsageLedger } from '../metering/usage.ts';
import type { LayerId, MirrorId } from '../layers/keys.ts';
import type { AuditCounts } from '../ops/audit-log.ts';
import type { OperatorService } from '../ops/operator-service.ts';
import type { HeldInMemory, ServiceStatus } from '../ops/freshness.ts';
import type { OperatorAct } from '../ops/operator-acts.ts';
import type { SnapshotFile } from '../ops/operations.ts';
import type { Readiness } from '../ops/readiness.ts';
import type { WatchLists } from '../watch/lists.ts';
import type { WebhookView } from '../webhooks/dispatcher.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ServedRegister } from '../core/register.ts';
import type { Access } from './access.ts';
import type { ProcessThreads, ThreadCounts } from './thread-report.ts';
import type { StatusHistory } from './v1/status/history.ts';
import type { DoorParts } from './dawa/door.ts';
import type { FastifyInstance } from 'fastify';
import type { EdgeOptions } from './options.ts';

export interface DayRecord {
  /** `2026-03-29`. */
  readonly date: string;
  /** null: nothing was recorded. */
  readonly audit: AuditCounts | null;
  readonly jobs: JobDay;
}

export interface AccountServices {
  readonly isStoreUnavailable: () => boolean;
  readonly accounts: Accounts;
  readonly keyAdmin: Keys;
  readonly sessions: Sessions;
  readonly persons: Persons;
  readonly letters: Letters | null;
  readonly alarms: Alarms;
  /** null: the operator takes none. */
  readonly accountRequests: AccountRequests | null;
  /** Call before the act. Throws when the store does. */
  readonly recordAct: (act: OperatorAct) => Promise<void>;
  readonly keys: KeyRing;
  readonly plans: Plans;
  readonly clock: Clock;
}

export type RouteGroup = (
  app: FastifyInstance,
  services: Services,
  options: Pick<EdgeOptions, 'publicUrl'>,
) => void;

export interface Services {
  readonly limiters: Limiters;
  /** null: no key is needed (benchmarks and tests). */
  readonly access: Access | null;
  readonly registers: readonly Pick<
    ServedRegister,
    'document' | 'questions' | 'lookups' | 'status' | 'tiles'
  >[];
  readonly catalogue: Catalogue;
  /** The layer's maker, as maps attribute it. */
  readonly sourceOf: (layer: LayerId) => string;
  /** Empty: the country. */
  readonly coveredLand: () => Promise<readonly CoveredLand[]>;
  /** null: nothing is in memory (503). */
  readonly tiles: Tiles | null;
  readonly isStoreUnavailable: () => boolean;
  /** null: none are kept here. */
  readonly changes: {
    readonly source: ChangeSource;
    readonly sourceName: string;
    readonly longAnswers: LongAnswers;
  } | null;
  readonly jobs: Jobs | null;
  readonly jobFiles: JobFiles | null;
  readonly jobKinds: JobKinds;
  /** null: not shared with other fronts. */
  readonly sharedFiles: (() => SharedFilesView) | null;
  readonly jobView: (() => Promise<JobView>) | null;
  status(): Promise<ServiceStatus>;
  /** Never throws. */
  readiness(): Promise<Readiness>;
  readonly held?: () => HeldInMemory;
  hasStarted(): boolean;
  /** Absent: `/status` is not mounted. */
  readonly statusHistory?: StatusHistory;
  readonly accounts: AccountServices | null;
  /** null: not mounted. */
  readonly dawa: DoorParts | null;
  readonly dataDir: string;
  readonly upstreamKeysEndMs: number | null;
  /** null: off, or no key is needed. */
  readonly trial: Trial | null;
  readonly webhooks: Webhooks | null;
  /** Absent or null: not mounted. */
  readonly watches?: WatchLists | null;
  readonly webhookView: (() => Promise<WebhookView>) | null;
  /** null: nothing is counted. */
  readonly usage: UsageLedger | null;
  readonly counts: ThreadCounts;
  readonly threads: ProcessThreads;
  /** null: this is the first thread. */
  readonly scrape: (() => Promise<string>) | null;
  /** null: there is no replica. */
  readonly reads: (() => ReadsView) | null;
  /** null: no operators. */
  readonly daysView: ((days: number) => Promise<readonly DayRecord[]>) | null;
  readonly operator: OperatorService | null;
  readonly snapshotFile: ((layer: MirrorId) => Promise<SnapshotFile | null>) | null;
}
