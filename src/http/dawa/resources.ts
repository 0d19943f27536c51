import { Failure } from '../../kernel/failures.ts';
import type { Point } from '../../geo/point.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { longRows } from '../wire/row-formats.ts';
import { members, shapeBy } from '../wire/row-members.ts';
import type { Forms, Names, Place, Readers, ShapeOf, Values } from '../wire/row-members.ts';
import { listOf, suggestedPage } from './pages.ts';
import type { PageAsked } from './pages.ts';
import { pointOf } from './places-asked.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorRoute } from './routes.ts';

type Rule = Pick<DoorRoute<unknown, unknown>, 'area' | 'operation'>;

export interface Found<R> {
  readonly facts: DoorAnswer<unknown>['facts'];
  readonly rows: readonly R[];
  readonly names?: Names;
}

export interface Written<R> {
  readonly shape: ShapeOf<R>;
  /** null: no suggestions. */
  readonly suggest: ((row: R, place: Place) => Values) | null;
}

export interface Resource<Q extends { readonly page: PageAsked }, R> extends Written<R> {
  readonly path: string;
  readonly rule: Rule;
  readonly coverage: Coverage | null;
  /** `isTyped`: for suggestions. */
  readonly read: (asked: Asked, isTyped: boolean) => Q;
  /** All that match, before paging. */
  readonly find: (question: Q, around: Around) => Found<R> | Promise<Found<R>>;
  /** Adds what the format needs. */
  readonly prepare?: (rows: readonly R[], around: Around) => Promise<readonly R[]>;
}

type Any<R> = Pick<Resource<never, R>, 'path' | 'rule' | 'shape' | 'prepare'>;

export function writtenBy<R>(readers: Readers<R>, forms: Forms): Written<R> {
  const { suggest } = forms;
  return {
    shape: shapeBy(readers, forms),
    suggest: suggest === undefined ? null : members(readers, suggest),
  };
}

const GEOMETRIES = 10;

async function shown<R>(
  { shape: shapeOf, prepare }: Any<R>,
  kind: 'one' | 'list',
  { rows, facts, names = new Map(), units }: Found<R> & { readonly units: number },
  around: Around,
): Promise<DoorAnswer<R>> {
  const shape = shapeOf({ ...around, names });
  if (prepare === undefined) return { kind, rows, facts, shape, units };
  if (around.format.format !== 'geojson') {
    return { kind, rows: await prepare(rows, around), facts, shape, units };
  }
  // Each geometry costs a unit.
  const each = (batch: readonly R[]) => prepare(batch, around);
  const long = longRows(rows.length, rows, each, GEOMETRIES);
  return { kind, rows: long, facts, shape, units: Math.max(units, rows.length) };
}

export function addResource<Q extends { readonly page: PageAsked }, R>(
  add: AddRoute,
  resource: Resource<Q, R>,
): void {
  const { path, rule, coverage, read, find, suggest, prepare } = resource;
  add(path, {
    ...{ ...rule, read: (asked) => read(asked, false) },
    answer: async (question, around) => {
      const found = await find(question, around);
      const list = listOf(found.rows, question.page, coverage);
      return await shown(resource, 'list', { ...found, ...list }, around);
    },
  });
  if (suggest === null) return;
  add(`${path}/autocomplete`, {
    ...rule,
    read: (asked) => {
      const question = read(asked, true);
      return { ...question, page: suggestedPage(question.page) };
    },
    answer: async (question, around) => {
      const plain = { ...around, format: { ...around.format, format: 'json' } } as const;
      const { facts, names = new Map(), ...found } = await find(question, plain);
      const list = listOf(found.rows, question.page, coverage);
      const rows = prepare === undefined ? list.rows : await prepare(list.rows, plain);
      return {
        ...list,
        rows,
        facts,
        shape: { nestet: (row: R) => suggest(row, { ...around, names }) },
      };
    },
  });
}

export function addReverse<R>(
  add: AddRoute,
  resource: Any<R>,
  operation: string,
  find: (point: Point, around: Around) => Promise<Found<R>>,
): void {
  const read = ({ params, format }: Asked): Point => pointOf(params, format);
  addOne(add, resource, ['reverse', read, find], operation);
}

/** Throws not_found when there is none. */
export function addOne<P, R>(
  add: AddRoute,
  resource: Any<R>,
  [names, read, find]: readonly [
    names: string,
    read: (asked: Asked) => P,
    find: (question: P, around: Around) => Found<R> | Promise<Found<R>>,
  ],
  operation = resource.rule.operation,
): void {
  add(`${resource.path}/${names}`, {
    ...{ ...resource.rule, operation, read },
    answer: async (question, around) => {
      const found = await find(question, around);
      const [row] = found.rows;
      if (row === undefined) throw new Failure('not_found');
      return await shown(resource, 'one', { ...found, rows: [row], units: 1 }, around);
    },
  });
}
