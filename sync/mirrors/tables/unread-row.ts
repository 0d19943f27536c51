import type { UnreadFeature } from '../features/unread.ts';

/** As stored with a version: like features, without a box. */
export interface UnreadRow extends UnreadFeature {
  readonly entity: string;
  readonly table: string;
  readonly cells: Readonly<Record<string, string>>;
}
