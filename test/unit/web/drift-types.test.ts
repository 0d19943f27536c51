/** What the operator's page takes the answers for is what the routes write: the compiler holds one to the other. */
import { describe, expectTypeOf, test } from 'vitest';
import type { renderChange } from '../../../src/http/v1/drift/change-render.ts';
import type {
  renderDays,
  renderDifference,
  renderHistory,
} from '../../../src/http/v1/drift/history-render.ts';
import type {
  renderJobs,
  renderOverview,
  renderRuns,
  renderThreads,
  renderWebhooks,
} from '../../../src/http/v1/drift/render.ts';
import type {
  Board,
  Change,
  Day,
  Difference,
  History,
  JobView,
  RunPage,
  WebhookView,
} from '../../../src/web/drift/types.ts';

/** Counts by name (`tal`) are written from lists of names, which no type follows: those are held by the schemas. */
type Told<T> = T extends readonly (infer Each)[]
  ? readonly Told<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Key extends 'tal' ? unknown : Told<T[Key]> }
    : T;

describe("the operator's page reads", () => {
  test('the board', () => {
    type Written = ReturnType<typeof renderOverview>;
    expectTypeOf<Told<Written>>().toExtend<Told<Omit<Board, 'job' | 'webhooks' | 'traade'>>>();
    expectTypeOf<Told<ReturnType<typeof renderThreads>>>().toExtend<Told<Board['traade']>>();
    expectTypeOf<Told<ReturnType<typeof renderJobs>>>().toExtend<Told<JobView | null>>();
    expectTypeOf<Told<ReturnType<typeof renderWebhooks>>>().toExtend<Told<WebhookView | null>>();
  });

  test('runs, history, differences, days and changes', () => {
    expectTypeOf<Told<ReturnType<typeof renderRuns>>>().toExtend<Told<RunPage>>();
    expectTypeOf<Told<ReturnType<typeof renderHistory>>>().toExtend<Told<History>>();
    expectTypeOf<Told<ReturnType<typeof renderDifference>>>().toExtend<Told<Difference>>();
    expectTypeOf<Told<ReturnType<typeof renderDays>['dage'][number]>>().toExtend<Told<Day>>();
    expectTypeOf<Told<ReturnType<typeof renderChange>>>().toExtend<Told<Change>>();
  });
});
