/**
 * The fault matrix: what may go wrong at an upstream, and what a sync and a live lookup must make of
 * it. Data only. `docs/fault-matrix.md` is written from it; the simulator holds the code against it.
 */
import { GEOMETRY_ROWS, SCHEMA_ROWS } from './matrix-data.ts';
import { PAGING_ROWS } from './matrix-paging.ts';
import type { MatrixRow } from './matrix-terms.ts';
import { REFUSED_ROWS } from './matrix-refused.ts';
import { NETWORK_ROWS, REPLY_ROWS } from './matrix-wire.ts';

export const GROUPS: readonly { readonly title: string; readonly rows: readonly MatrixRow[] }[] = [
  { title: 'The network', rows: NETWORK_ROWS },
  { title: 'The answer as a whole', rows: REPLY_ROWS },
  { title: 'Counting and paging', rows: PAGING_ROWS },
  { title: 'Geometry', rows: GEOMETRY_ROWS },
  { title: 'Attributes', rows: SCHEMA_ROWS },
  { title: 'After a refused run', rows: REFUSED_ROWS },
];

export const MATRIX: readonly MatrixRow[] = GROUPS.flatMap(({ rows }) => rows);
