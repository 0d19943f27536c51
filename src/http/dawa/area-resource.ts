import type { Drawn } from '../../geo/drawn.ts';
import type { Point } from '../../geo/point.ts';
import { fitsOf, listed } from './filters.ts';
import type { Fields } from './filters.ts';
import { pageOf } from './pages.ts';
import { placeAsked } from './places-asked.ts';
import { addOne, addResource, addReverse } from './resources.ts';
import type { Found, Resource } from './resources.ts';
import type { AddRoute, Around, Asked } from './routes.ts';

const RULE = { area: 'dagi', operation: 'dagiOmraade' } as const;

function readList<R>(fields: Fields<R>, { params, format }: Asked) {
  return {
    ...{ fits: fitsOf(params, fields), text: params.search(), page: pageOf(params) },
    ...placeAsked(params, format),
  };
}

type Question<R> = ReturnType<typeof readList<R>>;
type Some<R> = Promise<readonly R[]>;

export interface AreaKind<R extends object> extends Pick<
  Resource<Question<R>, R>,
  'path' | 'shape' | 'suggest' | 'prepare'
> {
  readonly fields: Fields<R>;
  readonly named: (row: R) => { readonly code: string; readonly name: string };
  readonly all: () => Promise<Found<R>>;
  readonly meeting: (rows: readonly R[], within: Drawn) => Some<R>;
  readonly at: (rows: readonly R[], point: Point, around: Around) => Some<R>;
  /** Absent: all rows are tested against the point. */
  readonly reverse?: (point: Point, around: Around) => Promise<Found<R>>;
  readonly one: readonly [names: string, read: (path: Asked['path']) => (row: R) => boolean];
}

export function addAreas<R extends object>(add: AddRoute, kind: AreaKind<R>): void {
  const { fields, named, all, meeting, at, reverse, one, ...shown } = kind;
  const resource: Resource<Question<R>, R> = {
    ...{ ...shown, rule: RULE, coverage: null },
    read: (asked) => readList(fields, asked),
    find: async ({ fits, text, within, point }, around) => {
      const { facts, rows } = await all();
      const fitting = listed(rows, { fits, text }, named);
      const met = within === null ? fitting : await meeting(fitting, within);
      return { facts, rows: point === null ? met : await at(met, point, around) };
    },
  };
  addResource(add, resource);
  const atPoint = async (point: Point, around: Around) => {
    const { facts, rows } = await all();
    return { facts, rows: await at(rows, point, around) };
  };
  addReverse(add, resource, 'dagiReverse', reverse ?? atPoint);
  const [names, read] = one;
  addOne(add, resource, [
    names,
    ({ path }) => read(path),
    async (isAsked) => {
      const { facts, rows } = await all();
      return { facts, rows: rows.filter(isAsked) };
    },
  ]);
}
