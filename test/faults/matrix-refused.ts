/**
 * Rows of the matrix: a guard has refused the latest run, and the register is asked live for what the
 * run would have brought. It is not asked at all: the copy answers, stale, then nobody.
 */
import type { MatrixRow } from './matrix-terms.ts';
import { familyOf, KEPT, MIRRORED_OR_KEPT, REFUSED, UNAVAILABLE } from './matrix-terms.ts';
import type { Family } from './matrix-terms.ts';

const NOT_ASKED = { afterRefusal: true, line: UNAVAILABLE, area: UNAVAILABLE } as const;

/** A column of each family that no answer depends on: a window without it looks like any other. */
const IDLE_COLUMNS: Readonly<Record<Family, string>> = {
  'portal areas': 'Oprindelse',
  'portal lines': 'Oprindelse',
  heritage: 'sbext',
  cadastre: 'virkningsaktoer',
  dagi: 'virkningsaktoer',
};

export const REFUSED_ROWS: readonly MatrixRow[] = [
  {
    id: 'refused-row-drop',
    about: '`row-drop`: a third to most features are gone',
    rules: (draw) => [
      { fault: 'sudden-drop', share: draw.between(0.1, 0.7), seed: draw.integer(1, 1e6) },
    ],
    served: true,
    // Of a few rows any number may be lost in one run.
    sync: MIRRORED_OR_KEPT,
    ...NOT_ASKED,
  },
  {
    id: 'refused-row-growth',
    about: '`row-growth`: every feature is there twice',
    rules: () => [{ fault: 'sudden-growth' }],
    sync: REFUSED,
    ...NOT_ASKED,
  },
  {
    id: 'refused-area-drop',
    about: '`area-drop`: areas shrunk in place',
    rules: (draw) => [{ fault: 'rescaled', value: draw.integer(20, 80), share: 1 }],
    sync: KEPT,
    ...NOT_ASKED,
  },
  {
    id: 'refused-area-growth',
    about: '`area-growth`: areas swollen in place',
    rules: (draw) => [{ fault: 'rescaled', value: draw.integer(120, 300), share: 1 }],
    sync: KEPT,
    ...NOT_ASKED,
  },
  {
    id: 'refused-canary',
    about: '`canary`, the guards before it released: everything moved kilometres',
    rules: (draw) => [{ fault: 'outside-denmark', value: draw.integer(3_000, 9_000) }],
    released: ['change-share'],
    sync: KEPT,
    ...NOT_ASKED,
  },
  {
    id: 'refused-schema',
    about: '`schema`: a column that no answer needs is gone',
    rules: (_, layer) => [{ fault: 'missing-column', attribute: IDLE_COLUMNS[familyOf(layer)] }],
    sync: REFUSED,
    ...NOT_ASKED,
  },
];
