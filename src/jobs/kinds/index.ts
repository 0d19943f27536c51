import type { Kind } from '../job-types.ts';
import { bbr } from './bbr.ts';
import { dagi } from './dagi.ts';
import { datavask } from './datavask.ts';
import { miljoe } from './miljoe.ts';
import { reverse } from './reverse.ts';
import type { JobKind } from './kind.ts';

export const JOB_KINDS: Readonly<Record<Kind, JobKind<unknown, unknown>>> = {
  datavask,
  reverse,
  bbr,
  dagi,
  miljoe,
};
