/** The dates of layers that have them. */
import type { Dates } from '../mirrors/features/kind.ts';
import { readDue } from './carry-out.ts';
import { explain } from './explain.ts';
import { withDatedGuards } from './guards.ts';
import { reopenDated, settleDated } from './settle.ts';

export const DATES: Dates = {
  guarded: withDatedGuards,
  readDue,
  explain,
  settle: settleDated,
  reopen: reopenDated,
};
