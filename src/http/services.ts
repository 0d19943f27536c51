/**
 * What the edge asks of the rest of the house: one small interface per question. The composition in
 * `main.ts` hands over the real ones; http never sees a store, a register or the environment.
 */
import type { Accounts } from '../account/accounts.ts';
import type { Keys } from '../account/keys.ts';
import type { Plans } from '../account/plans.ts';
import type { KeyRing } from '../account/principal.ts';
import type { Sessions } from '../account/sessions.ts';
import type { Trial } from '../account/trial.ts';
import type { JobFiles } from '../jobs/files/file.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { JobDay } from '../jobs/job-days.ts';
import type { JobView } from '../jobs/view.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { Tiles } from '../memory/tiles.ts';
import type { CoveredLand } from '../memory/covered-land.ts';
import type { MeteringView } from '../metering/metering.ts';
import type { UsageLedger } from '../metering/usage.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { AuditCounts } from '../ops/audit-log.ts';
import type { OperatorService } from '../ops/operator-service.ts';
import type { ServiceStatus } from '../ops/freshness.ts';
import type { SnapshotFile } from '../ops/operations.ts';
import type { Readiness } from '../ops/readiness.ts';
import type { WebhookView } from '../webhooks/view.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ServedRegister } from '../mirror/register.ts';
import type { Access } from './access.ts';

/** What is on record of one day of Europe/Copenhagen. */
export interface DayRecord {
  /** `2026-03-29`. */
  readonly date: string;
  /** null: nothing was written down that day. */
  readonly audit: AuditCounts | null;
  readonly jobs: JobDay;
}

/** Keys, accounts and sign-ins. */
export interface AccountServices {
  /** Whether the store is known to be unavailable; absent: nobody watches over it. */
  readonly isStoreUnavailable?: () => boolean;
  readonly accounts: Accounts;
  /** Making, replacing and revoking keys. */
  readonly keyAdmin: Keys;
  readonly sessions: Sessions;
  readonly keys: KeyRing;
  readonly plans: Plans;
  readonly clock: Clock;
}

export interface Services {
  /** Keys and metering; null: nobody is asked for a key (benchmarks, and tests of what lies behind). */
  readonly access: Access | null;
  /** Whose routes are served. */
  readonly registers: readonly Pick<ServedRegister, 'document' | 'routes' | 'status' | 'tiles'>[];
  /** The catalogue in force: names, provisions and sources of the lines. */
  readonly catalogue: Catalogue;
  /** `meta.kilde` of the families of answers; a sample says that it is invented. */
  readonly sourceNames: {
    readonly lines: string;
    readonly areas: string;
    readonly addresses: string;
  };
  /** The land that the lines cover, for maps; empty or absent: the country. */
  readonly coveredLand?: () => Promise<readonly CoveredLand[]>;
  /** Absent: nothing is answered from memory in this environment, which is 503. */
  readonly tiles?: Tiles;
  /** Codes that no list holds, by list (D55). */
  readonly unlistedCodes: ReadonlyMap<string, number>;
  /** Whether the store is known to be unavailable; absent: nobody watches over it. */
  readonly isStoreUnavailable?: () => boolean;
  /** Absent: jobs are not set up in this environment, which is 503. */
  readonly jobs?: Jobs;
  readonly jobFiles?: JobFiles;
  /** How jobs stand everywhere, and what this process does with them; absent where there are none. */
  readonly jobView?: () => Promise<JobView>;
  status(): Promise<ServiceStatus>;
  /** Whether anything can be answered, or why nothing can. Never throws. */
  readiness(): Promise<Readiness>;
  /** Migrated, and what answers from memory is open or known to be off. */
  hasStarted(): boolean;
  /** Absent where there are no accounts. */
  readonly accounts?: AccountServices;
  /** Absent: the open trial is off, or nobody is asked for a key. */
  readonly trial?: Trial;
  /** Endpoints that events are sent to; absent where there are none. */
  readonly webhooks?: Webhooks;
  /** How deliveries stand everywhere, and what this process sends; absent where there are none. */
  readonly webhookView?: () => Promise<WebhookView>;
  /** What accounts used; absent where nothing is counted. */
  readonly usage?: UsageLedger;
  /** How counting goes, for operators; absent where nothing is counted. */
  readonly meteringView?: () => MeteringView;
  /** What of the self-audit and of jobs is on record by day; absent where nobody operates. */
  readonly daysView?: (days: number) => Promise<readonly DayRecord[]>;
  /** What operators see and do; absent where nobody operates. */
  readonly operator?: OperatorService;
  /** The published snapshot of a layer as a file; null: there is none. */
  readonly snapshotFile?: (layer: MirrorId) => Promise<SnapshotFile | null>;
}
