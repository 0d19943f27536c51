/** A list beyond the limit is refused, never cut unasked. */
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import type { Params } from './params.ts';

export interface PageAsked {
  readonly skip: number;
  /** One more than the limit where no page is asked for. */
  readonly take: number;
  readonly isWhole: boolean;
  /** Rows at once. */
  readonly most: number;
}

/** DAWA's for `autocomplete`, and for a `side` without `per_side` (its apiSpecification: parameters/paging). */
const USUAL_PAGE = 20;

/** null: all rows are asked for. */
export const perPageOf = (params: Params): number | null =>
  params.whole('per_side') ??
  (params.whole('side') === null && !params.flag('autocomplete') ? null : USUAL_PAGE);

export function pageOf(params: Params, most: number = DAWA_LIMITS.rows): PageAsked {
  const [side, perPage] = [params.whole('side'), perPageOf(params)];
  const size = Math.min(perPage ?? most, most);
  const skip = ((side ?? 1) - 1) * size;
  if (skip > DAWA_LIMITS.skippedRows) {
    throw badParameter('side', `beyond the first ${DAWA_LIMITS.skippedRows} rows`);
  }
  const isWhole = perPage === null || perPage > most;
  return { skip, take: isWhole ? size + 1 : size, isWhole, most };
}

export function pageShown<T>(rows: readonly T[], { isWhole, most }: PageAsked): readonly T[] {
  if (isWhole && rows.length > most) {
    throw badParameter('per_side', `more than ${most} rows fit: ask with side and per_side`);
  }
  return rows;
}

/** Of suggestions: twenty, or as many as are asked for and allowed. */
export function suggestedPage(page: PageAsked): PageAsked {
  const { default: usual, max } = DAWA_LIMITS.suggestions;
  return { ...page, take: page.isWhole ? usual : Math.min(page.take, max), isWhole: false };
}

export function unitsOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / DAWA_LIMITS.rowsPerUnit));
}

export function mostUnitsOf({ take }: Pick<PageAsked, 'take'>): number {
  return unitsOfRows(Math.min(take, DAWA_LIMITS.rows));
}
