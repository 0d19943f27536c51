import type { Point } from '../../geo/point.ts';
import { Type } from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { pointFromItem } from '../../answers/coordinates.ts';
import type { PointItem } from '../../answers/batch-writer.ts';
import { COUNTS, MetaRef, PointErrorSchema, PointItemSchema, closed } from './schemas.ts';
import type { SentPoint } from './schemas.ts';

interface OfPoints<A, R, M> {
  readonly most: number;
  readonly description?: string;
  readonly asks?: A;
  readonly results: R;
  /** Between the counts and `meta`. */
  readonly more?: M;
  readonly meta?: TSchema;
}

export function ofPoints<
  const A extends TProperties = Record<never, never>,
  const R extends TProperties = TProperties,
  const M extends TProperties = TProperties,
>({ most, description, asks, results, more, meta = MetaRef }: OfPoints<A, R, M>) {
  const items = { minItems: 1, maxItems: most, ...(description !== undefined && { description }) };
  return {
    body: closed({ punkter: Type.Array(PointItemSchema, items), ...(asks ?? ({} as A)) }),
    answer: closed({
      results: Type.Array(closed({ id: Type.Optional(Type.String()), ...results })),
      errors: Type.Array(PointErrorSchema),
      ...COUNTS,
      ...more,
      meta,
    }),
    failures: [],
    mostUnits: ({ punkter }: { readonly punkter: readonly unknown[] }) => punkter.length,
  };
}

/** One bad point refuses the whole call, naming its place. */
export function pointsOf(sent: readonly SentPoint[]) {
  const points = sent.map((item, index) => pointFromItem(item, () => `punkter[${index}]`));
  if (sent.every(isInDegrees)) return { items: sent, points };
  return { items: points.map(({ wgs84 }, index) => echoOf(wgs84, sent[index]?.id)), points };
}

function isInDegrees(sent: SentPoint): sent is PointItem {
  return sent.lon !== undefined;
}

function echoOf({ lon, lat }: Point['wgs84'], id: string | undefined): PointItem {
  return id === undefined ? { lon, lat } : { id, lon, lat };
}

/** In order; null where no point has one. */
export function idsOf(items: readonly Pick<PointItem, 'id'>[]): (string | undefined)[] | null {
  return items.some(({ id }) => id !== undefined) ? items.map(({ id }) => id) : null;
}
