/** A list beyond the limit is refused, never cut silently. */
import { unitsOfFound } from '../../core/question/answers.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { badParameter } from './failure.ts';
import { DAWA_LIMITS } from './limits.ts';
import type { Params } from './params.ts';

export interface PageAsked {
  readonly skip: number;
  /** One more than the limit when no page is requested. */
  readonly take: number;
  readonly isWhole: boolean;
  readonly isSized: boolean;
  readonly most: number;
}

/** null: all rows. The defaults are DAWA's (its apiSpecification: parameters/paging). */
export const perPageOf = (params: Params): number | null =>
  params.whole('per_side') ??
  (params.whole('side') === null && !params.flag('autocomplete') ? null : DAWA_LIMITS.suggestions);

export function pageOf(params: Params, most = Infinity): PageAsked {
  const [side, perPage] = [params.whole('side') ?? 1, perPageOf(params)];
  const size = Math.min(perPage ?? most, most);
  const skip = side === 1 ? 0 : (side - 1) * size;
  if (skip > DAWA_LIMITS.skippedRows) {
    throw badParameter('side', `beyond the first ${DAWA_LIMITS.skippedRows} rows`);
  }
  const isWhole = perPage === null || perPage > most;
  return { skip, take: isWhole ? size + 1 : size, isWhole, isSized: perPage !== null, most };
}

export function pageShown<T>(rows: readonly T[], { isWhole, most }: PageAsked): readonly T[] {
  if (isWhole && rows.length > most) {
    throw badParameter('per_side', `more than ${most} rows fit: ask with side and per_side`);
  }
  return rows;
}

/** Suggestions: twenty by default. */
export function suggestedPage(page: PageAsked): PageAsked {
  return page.isSized ? page : { ...page, take: DAWA_LIMITS.suggestions, isWhole: false };
}

export function unitsOfRows(rows: number): number {
  return Math.max(1, Math.ceil(rows / DAWA_LIMITS.rowsPerUnit));
}

/** Charges a unit per 1,000 rows begun. */
export function listOf<R>(rows: readonly R[], page: PageAsked, coverage: Coverage | null) {
  const shown = pageShown(rows.slice(page.skip, page.skip + page.take), page);
  const units = Math.ceil(shown.length / DAWA_LIMITS.listedPerUnit);
  return {
    ...({ kind: 'list', rows: shown } as const),
    units: Math.max(units, unitsOfFound(shown.length, coverage)),
  };
}
