import type { UnreadFeature } from '../features/unread.ts';

/** As it is kept with a version: of the shape that features have, without a box. */
export interface UnreadRow extends UnreadFeature {
  readonly entity: string;
  readonly table: string;
  readonly cells: Readonly<Record<string, string>>;
}
