/** Every kind of job, by name. */
import type { Kind } from '../job-types.ts';
import { bbrKind } from './bbr.ts';
import { dagiKind } from './dagi.ts';
import { datavaskKind } from './datavask.ts';
import { miljoeKind } from './miljoe.ts';
import { reverseKind } from './reverse.ts';
import type { AnyKind, KindWords } from './kind.ts';

const MAKERS = {
  datavask: datavaskKind,
  reverse: reverseKind,
  bbr: bbrKind,
  dagi: dagiKind,
  miljoe: miljoeKind,
} as const satisfies Record<Kind, (words: KindWords) => object>;

export function kindOf(kind: Kind, words: KindWords): AnyKind {
  return MAKERS[kind](words);
}
