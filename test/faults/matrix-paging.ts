/** Rows of the matrix: counts and pages that look whole and are not. */
import type { MatrixRow } from './matrix-terms.ts';
import {
  ANSWERED,
  ANSWERED_OR_UNAVAILABLE,
  FAILED,
  HARMLESS,
  KEPT,
  MIRRORED,
} from './matrix-terms.ts';
import { MIRRORED_OR_KEPT, REFUSED, SPOILING, UNAVAILABLE, row } from './matrix-terms.ts';

/** What a window of one request does not meet. */
const PAGES_ONLY = { sync: MIRRORED_OR_KEPT, line: ANSWERED, area: ANSWERED } as const;
const LOST = { sync: REFUSED, line: UNAVAILABLE, area: UNAVAILABLE } as const;
const LOST_ANY_ROWS = { anyRows: true, ...LOST } as const;
const CAPPED = { ...SPOILING, sync: MIRRORED } as const;
/** The register as a whole may seem smaller than it can be. */
const DOUBTED = { ...SPOILING, sync: KEPT } as const;

export const PAGING_ROWS: readonly MatrixRow[] = [
  row('emptied', 'No features and a count of 0', LOST, { fault: 'empty-collection' }),
  row(
    'emptied-countless',
    'The same without counts',
    LOST,
    { fault: 'empty-collection' },
    { fault: 'unknown-count' },
  ),
  row(
    'empty-pages',
    'Pages without features, against the count',
    { ...LOST, line: ANSWERED_OR_UNAVAILABLE },
    { fault: 'empty-page' },
  ),
  row(
    'empty-pages-countless',
    'The same without counts',
    LOST,
    { fault: 'empty-page' },
    { fault: 'unknown-count' },
  ),
  row('empty-later-pages', 'Pages without features from the second on', PAGES_ONLY, (draw) => [
    { fault: 'empty-page', fromIndex: draw.pick([1, 5, 50]) },
  ]),
  row(
    'wrong-count',
    'numberMatched and hits wrong by the same few',
    { sync: KEPT, line: ANSWERED_OR_UNAVAILABLE, area: UNAVAILABLE },
    (draw) => [{ fault: 'wrong-count', value: draw.pick([-7, -3, -2, -1, 1, 2, 3, 7]) }],
  ),
  row('hits-zero', 'The hit count is 0, the pages have features', LOST, { fault: 'wrong-hits' }),
  row('hits-off', 'The hit count is wrong by a few, the pages are right', DOUBTED, (draw) => [
    { fault: 'hits-off', value: draw.pick([-3, -1, 1, 3]) },
  ]),
  row('hits-differ-after', 'The hit count differs after the pages', DOUBTED, (draw) => [
    { fault: 'hits-off', value: draw.pick([-3, -1, 1, 3]), skip: 1 },
  ]),
  row('hits-exception', 'An exception report for the hit count: unknown, never 0', HARMLESS, {
    fault: 'exception-200',
    operation: 'hits',
  }),
  row(
    'hits-error',
    'HTTP 500 for the hit count',
    { ...HARMLESS, sync: FAILED },
    { fault: 'http-500', operation: 'hits' },
  ),
  row('countless', 'numberMatched="unknown" everywhere, as MapServer says', HARMLESS, {
    fault: 'unknown-count',
  }),
  row('wrong-returned', 'numberReturned is wrong, the features are right', HARMLESS, (draw) => [
    { fault: 'wrong-returned', value: draw.pick([-1, 1, 2]) },
  ]),
  row(
    'repeated-feature',
    'Each page begins with the last feature of the page before; counts right',
    PAGES_ONLY,
    { fault: 'repeated-feature' },
  ),
  row('doubled-feature', 'The first feature of a page twice, without the last', SPOILING, {
    fault: 'doubled-feature',
  }),
  row(
    'shuffled',
    'No stable order: duplicates and holes over pages; counts right',
    PAGES_ONLY,
    (draw) => [{ fault: 'shuffled-order', seed: draw.integer(1, 1e6) }],
  ),
  row('order-within-page', 'Sorted only within each page', PAGES_ONLY, {
    fault: 'order-within-page',
  }),
  row('natural-order-refused', 'HTTP 400 for pages without sortBy', HARMLESS, {
    fault: 'natural-order-refused',
  }),
  row('sort-refused', 'HTTP 400 for any sortBy', HARMLESS, { fault: 'sort-refused' }),
  row(
    'no-order-at-all',
    'HTTP 400 for sortBy and, on later pages, without it',
    PAGES_ONLY,
    { fault: 'sort-refused' },
    { fault: 'natural-order-refused' },
  ),
  row('short-pages', 'Fewer features than asked for before the last page', HARMLESS, (draw) => [
    { fault: 'short-pages', value: draw.integer(1, 6) },
  ]),
  row('capped-pages', 'The server lowers its largest page overnight', CAPPED, (draw) => [
    { fault: 'capped-pages', value: draw.integer(3, 30) },
  ]),
  row('capped-countless', 'The same without counts', CAPPED, (draw) => [
    { fault: 'capped-pages', value: draw.integer(3, 30) },
    { fault: 'unknown-count' },
  ]),
  row('start-ignored', 'startIndex is ignored: every page is the first', PAGES_ONLY, {
    fault: 'start-ignored',
  }),
  row(
    'start-ignored-countless',
    'The same without counts',
    SPOILING,
    { fault: 'start-ignored' },
    { fault: 'unknown-count' },
  ),
  row('count-ignored', 'count is ignored: every page has all the rest', HARMLESS, {
    fault: 'count-ignored',
  }),
  row('changed-midway', 'Features vanish between two pages', PAGES_ONLY, (draw) => [
    { fault: 'changed-midway', value: draw.integer(1, 6) },
  ]),
  row(
    'replaced-midway',
    'As many features vanish as appear between two pages',
    PAGES_ONLY,
    (draw) => [{ fault: 'replaced-midway', value: draw.integer(1, 6) }],
  ),
  row('own-order', 'sortBy is ignored; read twice', HARMLESS, { fault: 'own-order' }),
  row(
    'moved-midway',
    'sortBy is ignored, and rows move behind the cursor between two pages; counts right',
    PAGES_ONLY,
    (draw) => [
      { fault: 'own-order', times: 1 },
      { fault: 'moved-midway', skip: 1, value: draw.integer(1, 3) },
    ],
  ),
  row(
    'emptied-any-rows',
    'The table is emptied; the settings name no least number of rows',
    LOST_ANY_ROWS,
    { fault: 'empty-collection' },
  ),
  row(
    'hits-zero-any-rows',
    'The hit count is 0, windows are whole; no least number set',
    LOST_ANY_ROWS,
    { fault: 'wrong-hits' },
  ),
  row(
    'sudden-drop',
    'Some or most features are gone overnight, consistently',
    { served: true, byTotal: true, ...SPOILING },
    (draw) => [{ fault: 'sudden-drop', share: draw.between(0, 0.95), seed: draw.integer(1, 1e6) }],
  ),
  row(
    'sudden-growth',
    'Every feature twice, under a new identity',
    { served: true, byTotal: true, withCopy: true, ...LOST },
    { fault: 'sudden-growth' },
  ),
];
