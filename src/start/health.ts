/** Puts together what is told of the service itself, over the store and what is in memory. */
import type { Services } from '../http/services.ts';
import { ADDRESSES } from '../layers/keys.ts';
import type { AddressLoader } from '../memory/address-loader.ts';
import type { LayerLoader } from '../memory/layer-loader.ts';
import { createHealth } from '../ops/health.ts';
import type { HealthDeps, MemoryCopies } from '../ops/health.ts';

export interface HealthParts extends Omit<HealthDeps, 'inMemory' | 'hasStarted'> {
  /** null: nothing answers from memory in this process. */
  readonly memory: Pick<LayerLoader, 'current' | 'isOpen'> | null;
  readonly addressMemory: Pick<AddressLoader, 'current' | 'isOpen'> | null;
  readonly migrated: Promise<void>;
}

export interface Health {
  /** What the edge asks of it. */
  readonly edge: Pick<Services, 'status' | 'readiness' | 'hasStarted'>;
  stop(): Promise<void>;
}

export function composeHealth(parts: HealthParts): Health {
  const { memory, addressMemory, migrated } = parts;
  let isMigrated = false;
  migrated.then(
    () => {
      isMigrated = true;
    },
    () => undefined,
  );
  const { stop, ...edge } = createHealth({
    ...parts,
    inMemory: () => copiesIn(parts),
    hasStarted: () => isMigrated && memory?.isOpen !== false && addressMemory?.isOpen !== false,
  });
  return { edge, stop };
}

function copiesIn({ memory, addressMemory }: HealthParts): MemoryCopies {
  const set = memory?.current ?? null;
  const book = addressMemory?.current ?? null;
  const layers = [...(set?.layers ?? [])].map(([mirror, { copy, snapshot }]) => ({
    mirror,
    copy,
    generation: set?.generation ?? 0,
    rowCount: snapshot.meta.featureCount,
  }));
  const addresses =
    book === null ? [] : [{ ...book, mirror: ADDRESSES, rowCount: book.finder.book.accessCount }];
  return {
    generation: Math.max(set?.generation ?? 0, book?.generation ?? 0),
    copies: [...layers, ...addresses],
  };
}
