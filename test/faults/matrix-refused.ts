/**
 * Rows of the matrix: a guard has refused the latest run, and the register is asked live for what the
 * run would have brought. It is not asked at all: the copy answers, stale, then nobody.
 */
import type { MatrixRow, Family } from './matrix-terms.ts';
import { familyOf, KEPT, MIRRORED_OR_KEPT, REFUSED, UNAVAILABLE, row } from './matrix-terms.ts';

const NOT_ASKED = { afterRefusal: true, line: UNAVAILABLE, area: UNAVAILABLE } as const;
const REFUSED_BEFORE = { sync: REFUSED, ...NOT_ASKED } as const;
const KEPT_BEFORE = { sync: KEPT, ...NOT_ASKED } as const;

/** A column of each family that no answer depends on: a window without it looks like any other. */
const IDLE_COLUMNS: Readonly<Record<Family, string>> = {
  'portal areas': 'Oprindelse',
  'portal lines': 'Oprindelse',
  heritage: 'sbext',
  cadastre: 'virkningsaktoer',
  dagi: 'virkningsaktoer',
};

export const REFUSED_ROWS: readonly MatrixRow[] = [
  // Of a few rows any number may be lost in one run.
  row(
    'refused-row-drop',
    '`row-drop`: a third to most features are gone',
    { served: true, sync: MIRRORED_OR_KEPT, ...NOT_ASKED },
    (draw) => [{ fault: 'sudden-drop', share: draw.between(0.1, 0.7), seed: draw.integer(1, 1e6) }],
  ),
  row('refused-row-growth', '`row-growth`: every feature is there twice', REFUSED_BEFORE, {
    fault: 'sudden-growth',
  }),
  row('refused-area-drop', '`area-drop`: areas shrunk in place', KEPT_BEFORE, (draw) => [
    { fault: 'rescaled', value: draw.integer(20, 80), share: 1 },
  ]),
  row('refused-area-growth', '`area-growth`: areas swollen in place', KEPT_BEFORE, (draw) => [
    { fault: 'rescaled', value: draw.integer(120, 300), share: 1 },
  ]),
  row(
    'refused-canary',
    '`canary`, the guards before it released: everything moved kilometres',
    { released: ['change-share'], ...KEPT_BEFORE },
    (draw) => [{ fault: 'outside-denmark', value: draw.integer(3_000, 9_000) }],
  ),
  row(
    'refused-schema',
    '`schema`: a column that no answer needs is gone',
    REFUSED_BEFORE,
    (_, layer) => [{ fault: 'missing-column', attribute: IDLE_COLUMNS[familyOf(layer)] }],
  ),
];
