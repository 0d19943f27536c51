/** What the operator's routes answer, inferred from what writes it. */
import type { renderChange } from '../../http/v1/drift/change-render.ts';
import type {
  renderDays,
  renderDifference,
  renderHistory,
} from '../../http/v1/drift/history-render.ts';
import type {
  renderJobs,
  renderOverview,
  renderRuns,
  renderThreads,
  renderWebhooks,
} from '../../http/v1/drift/render.ts';
import type { renderTrail } from '../../http/v1/drift/trail-routes.ts';

export type TrailPage = ReturnType<typeof renderTrail>;

export interface Board extends ReturnType<typeof renderOverview> {
  readonly traade: ReturnType<typeof renderThreads>;
  readonly job: ReturnType<typeof renderJobs>;
  readonly webhooks: ReturnType<typeof renderWebhooks>;
}

export type Layer = Board['lag'][number];
export type Run = Layer['koersler'][number];
export type RunState = Run['tilstand'];
export type Guard = Run['afvist_af'][number];
/** A fresh copy that a person holds back is shown as a state of its own. */
export type ShownState = Layer['tilstand'] | 'holdt';

export type RunPage = ReturnType<typeof renderRuns>;
export type RunWithIssues = RunPage['koersler'][number];

export type History = ReturnType<typeof renderHistory>;
export type EndedRun = History['koersler'][number];
export type KnownVersion = History['kan_sammenlignes'][number];

export type Difference = ReturnType<typeof renderDifference>;
export type ChangedFeature = Difference['objekter'][number];
export type DifferenceKind = ChangedFeature['art'];

export type Day = ReturnType<typeof renderDays>['dage'][number];
export type Change = ReturnType<typeof renderChange>;

export interface Changes {
  readonly tidspunkt: string;
  readonly varsler: readonly Change[];
}
