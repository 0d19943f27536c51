import type { JobMemory } from '../rows/chunk-types.ts';
import { Failure } from '../../kernel/failures.ts';
import type { LayerId } from '../../layers/keys.ts';
import { sealOf } from '../../snapshot/format.ts';
import type { SharedSnapshot } from '../../snapshot/layer.ts';

export function snapshotOf(
  { snapshots }: Pick<JobMemory, 'snapshots'>,
  layer: LayerId,
): SharedSnapshot {
  const found = snapshots.find((each) => each.layer === layer);
  if (found === undefined)
    throw new Failure('internal_error', { error: `No snapshot of ${layer}.` });
  return found;
}

/** Made once for the same bytes: a transferred buffer is a new object. */
export class Kept<T> {
  #key = '';
  #value: T | null = null;

  of(key: string, make: () => T): T {
    if (this.#value === null || this.#key !== key) this.#value = make();
    this.#key = key;
    return this.#value;
  }
}

export function keyOf(buffer: SharedArrayBuffer): string {
  return `${sealOf(buffer)}:${buffer.byteLength}`;
}
