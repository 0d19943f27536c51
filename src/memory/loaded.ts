/** All that answers from memory in a process, as one. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CopyInService, MemoryIndex } from '../mirror/memory-index.ts';
import type { AuditView } from './snapshot-audit.ts';

/** Every copy that answers from memory, and the newest generation that memory has seen. */
export function copiesInService(indexes: readonly Pick<MemoryIndex, 'copies' | 'view'>[]) {
  const copies: readonly CopyInService[] = indexes.flatMap((index) => index.copies());
  const generation = Math.max(
    0,
    ...indexes.slice(0, 1).map((layers) => layers.view().generation ?? 0),
    ...copies.map((each) => each.generation),
  );
  return { generation, copies };
}

/** What answers without the store, for operators; the generation is that of the layers. */
export function viewOfLoaded(
  indexes: readonly Pick<MemoryIndex, 'view'>[],
  audit: { view(): AuditView } | null,
) {
  const [first, ...others] = indexes.map((index) => index.view());
  if (first === undefined) return null;
  const all = [first, ...others];
  return {
    ...first,
    layers: all.flatMap((each) => each.layers),
    suspended: all.flatMap((each) => each.suspended),
    bytes: all.reduce((sum, each) => sum + each.bytes, 0),
    properties: all.find((each) => each.records !== undefined)?.records ?? null,
    audit: audit?.view() ?? null,
  };
}

/**
 * Until all that is published is in memory, or it has been waited for long enough: what was never published
 * is not waited for. Rejects when the signal does.
 */
export async function untilLoaded(
  indexes: readonly Pick<MemoryIndex, 'isOpen' | 'isAwaited'>[],
  { mostMs, everyMs, signal }: { mostMs: number; everyMs: number; signal: AbortSignal },
): Promise<void> {
  const untilMs = performance.now() + mostMs;
  const isThere = () => indexes.every((index) => index.isOpen || !index.isAwaited);
  while (!isThere() && performance.now() < untilMs) await sleep(everyMs, undefined, { signal });
}
