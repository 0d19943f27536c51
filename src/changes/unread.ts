/** Keys of rows that could not be read (D143). */
import { isRegisterId } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { EntityRows } from './entity-rows.ts';

export interface UnreadItem {
  readonly entity?: string;
  readonly key: string | null;
  readonly beginsAt?: string;
}

/** By entity; an impossible key is empty. */
export function unreadKeys(
  register: MirrorId,
  items: readonly UnreadItem[],
  kept: readonly EntityRows[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { entity = register, key, beginsAt } of items) {
    // A future one hides nothing yet.
    if (beginsAt !== undefined) continue;
    const text = isRegisterId(register) ? (key ?? '').slice(entity.length + 1) : (key ?? '');
    const rows = kept.find((each) => each.entity === entity);
    const keys = found.get(entity) ?? new Set();
    keys.add(rows === undefined ? text : (rows.readKey(text) ?? ''));
    found.set(entity, keys);
  }
  return found;
}
