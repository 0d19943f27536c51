/** Every kind of job, by name. */
import type { Kind } from '../job-types.ts';
import { bbrKind } from './bbr.ts';
import { dagiKind } from './dagi.ts';
import { datavaskKind } from './datavask.ts';
import { miljoeKind } from './miljoe.ts';
import { reverseKind } from './reverse.ts';
import type { AnyKind, KindLabels } from './kind.ts';

const MAKERS = {
  datavask: datavaskKind,
  reverse: reverseKind,
  bbr: bbrKind,
  dagi: dagiKind,
  miljoe: miljoeKind,
} as const satisfies Record<Kind, (words: KindLabels) => object>;

export function kindOf(kind: Kind, words: KindLabels): AnyKind {
  return MAKERS[kind](words);
}
