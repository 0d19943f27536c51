/** Batches of points: input to Points in order, and results and errors that partition the input. */
import { Failure } from '../../kernel/failures.ts';
import type { Point } from '../../geo/point.ts';
import { pointFromDegrees } from './coordinates.ts';

export interface PointItem {
  readonly lon: number;
  readonly lat: number;
  readonly id?: string;
}

export interface PointError {
  readonly id?: string;
  readonly punkt: { lon: number; lat: number };
  readonly error: string;
  readonly status: number;
}

export interface PointBatch<R> {
  readonly results: R[];
  readonly errors: PointError[];
  readonly requested: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** Every point in both frames. One bad point refuses the whole call, naming its place. */
export function pointsOf(items: readonly PointItem[]): Point[] {
  return items.map((item, index) =>
    pointFromDegrees(item, [`punkter[${index}].lon`, `punkter[${index}].lat`]),
  );
}

/** The caller's id and point, echoed as sent. */
export function echoOf({ id, lon, lat }: PointItem) {
  return { ...(id === undefined ? {} : { id }), punkt: { lon, lat } };
}

/** Sorts answers into results and errors, each in the order of the input (D49). */
export function partition<A, R>(
  items: readonly PointItem[],
  answers: readonly (A | Failure)[],
  render: (item: PointItem, answer: A) => R,
): PointBatch<R> {
  const results: R[] = [];
  const errors: PointError[] = [];
  items.forEach((item, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`No answer for point ${index} of a batch.`);
    if (answer instanceof Failure) {
      errors.push({ ...echoOf(item), error: answer.message, status: answer.status });
    } else {
      results.push(render(item, answer));
    }
  });
  return {
    results,
    errors,
    requested: items.length,
    succeeded: results.length,
    failed: errors.length,
  };
}
