import type { CopyInMemory } from '../ops/health.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryIndex } from '../core/memory-index.ts';
import type { SharedFiles } from '../snapshot-store/shared-files.ts';
import type { AuditView } from './snapshot-audit.ts';

export function copiesInService(indexes: readonly Pick<MemoryIndex, 'copies' | 'view'>[]) {
  const copies: readonly CopyInMemory[] = indexes.flatMap((index) => index.copies());
  const generation = Math.max(
    0,
    ...indexes.slice(0, 1).map((layers) => layers.view().generation ?? 0),
    ...copies.map((each) => each.generation),
  );
  return {
    ...{ generation, copies, held: copies.map(({ mirror }) => mirror) },
    missing: indexes.flatMap((index) => index.view().missing),
  };
}

export function viewOfLoaded(
  indexes: readonly Pick<MemoryIndex, 'view'>[],
  {
    audit,
    shared,
  }: {
    readonly audit: { view(): AuditView } | null;
    readonly shared: Pick<SharedFiles, 'view'> | null;
  },
) {
  const [first, ...others] = indexes.map((index) => index.view());
  if (first === undefined) return null;
  const all = [first, ...others];
  return {
    ...first,
    layers: all.flatMap((each) => each.layers),
    missing: all.flatMap((each) => each.missing),
    suspended: all.flatMap((each) => each.suspended),
    bytes: all.reduce((sum, each) => sum + each.bytes, 0),
    properties: all.find((each) => each.records !== undefined)?.records ?? null,
    files: shared?.view() ?? null,
    audit: audit?.view() ?? null,
  };
}

/** An index opens without what cannot be built. `note`: every few seconds. Rejects when aborted. */
export async function untilLoaded(
  indexes: readonly Pick<MemoryIndex, 'isOpen' | 'isAwaited'>[],
  signal: AbortSignal,
  note: () => Promise<void>,
): Promise<void> {
  const isThere = () => indexes.every((index) => index.isOpen || !index.isAwaited);
  for (let looks = 1; !isThere(); looks++) {
    if (looks % LOOKS_A_NOTE === 0) await note();
    await sleep(POLL_MS, undefined, { signal });
  }
}

const POLL_MS = 50;
const LOOKS_A_NOTE = 100;
