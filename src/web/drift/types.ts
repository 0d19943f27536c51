import type { CHANGES } from '../../http/v1/drift/change-schema.ts';
import type { DAYS, DIFFERENCE, HISTORY } from '../../http/v1/drift/history-schema.ts';
import type { OVERVIEW, RUNS } from '../../http/v1/drift/overview-answer.ts';
import type { TRAIL } from '../../http/v1/drift/trail-routes.ts';

export type TrailPage = ReturnType<typeof TRAIL.render>;
export type Board = ReturnType<typeof OVERVIEW.render>;

export type Layer = Board['lag'][number];
export type Run = Layer['koersler'][number];
export type RunState = Run['tilstand'];
export type Guard = Run['afvist_af'][number];
/** A fresh copy that a person holds back. */
export type ShownState = Layer['tilstand'] | 'holdt';

export type RunPage = ReturnType<typeof RUNS.render>;
export type RunWithIssues = RunPage['koersler'][number];

export type History = ReturnType<typeof HISTORY.render>;
export type EndedRun = History['koersler'][number];

export type Difference = ReturnType<typeof DIFFERENCE.render>;
export type ChangedFeature = Difference['objekter'][number];
export type DifferenceKind = ChangedFeature['art'];

export type Day = ReturnType<typeof DAYS.render>['dage'][number];
export type Changes = ReturnType<typeof CHANGES.render>;
export type Change = Changes['varsler'][number];
