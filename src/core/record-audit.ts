import type { MirrorId } from '../layers/keys.ts';
import type { Random } from '../snapshot/probes.ts';

export interface RecordAudit {
  readonly mirror: MirrorId;
  readonly isInService: () => boolean;
  /**
   * null: nothing is in memory, the versions differ, or a row has begun or ended since. Throws when
   * the store does not answer.
   */
  readonly compare: (random: Random, nowMs: number) => Promise<ComparedRecords | null>;
}

export interface Compared<D = unknown> {
  readonly compared: number;
  readonly differences: readonly D[];
}

export interface ComparedRecords extends Compared {
  readonly version: number;
  /** Leaves the records to the store; false: they are not in service. */
  readonly takeOut: () => boolean;
}

interface Held {
  readonly copy: { readonly version: number };
  readonly buffer: SharedArrayBuffer;
}

export function recordAudit<M extends MirrorId, H extends Held>(
  mirror: M,
  memory: { readonly current: H | null; suspend(mirror: M, buffer: SharedArrayBuffer): void },
  compare: (held: H, random: Random, nowMs: number) => Promise<Compared | null>,
): RecordAudit {
  return {
    mirror,
    isInService: () => memory.current !== null,
    compare: async (random, nowMs) => {
      const held = memory.current;
      const result = held && (await compare(held, random, nowMs));
      if (held === null || result === null) return null;
      const takeOut = () => {
        if (memory.current !== held) return false;
        memory.suspend(mirror, held.buffer);
        return true;
      };
      return { ...result, version: held.copy.version, takeOut };
    },
  };
}

const SHOWN = 120;

/** From where two unequal texts part. */
export function excerpts(memory: string | null, store: string | null) {
  let from = 0;
  if (memory !== null && store !== null) while (memory[from] === store[from]) from += 1;
  const shown = (text: string | null) => text?.slice(from, from + SHOWN) ?? null;
  return { memory: shown(memory), store: shown(store) };
}
