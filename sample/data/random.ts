/**
 * The sample's only source of chance: the same seed gives the same numbers on every machine and in
 * every run, so the island is the same island wherever it is generated.
 */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  between(min: number, max: number): number;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  uuid(): string;
}

/** A generator (sfc32) whose state is spread from the text of the seed. */
export function createRandom(seed: string): Random {
  const nextUint = sfc32(seed);
  const next = (): number => nextUint() / 4_294_967_296;
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    integer,
    chance: (share) => next() < share,
    pick: <T>(list: readonly T[]): T => {
      const index = integer(0, list.length - 1);
      if (index < 0) throw new Error('Nothing to pick from');
      return list[index] as T;
    },
    uuid: () => formatUuid([nextUint(), nextUint(), nextUint(), nextUint()]),
  };
}

/** A whole number below 2^32 that depends on nothing but the text (FNV-1a, then mixed). */
export function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function sfc32(seed: string): () => number {
  let a = hashText(`${seed}/a`);
  let b = hashText(`${seed}/b`);
  let c = hashText(`${seed}/c`);
  let counter = 1;
  const nextUint = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  // The first numbers still show the seed: discard them.
  for (let i = 0; i < 12; i++) nextUint();
  return nextUint;
}

/** The shape of a version 4 identifier (the bits that say so are set). */
function formatUuid(words: readonly number[]): string {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  const variant = ((parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return hex.replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, `$1-$2-4$3-${variant}$4-$5`);
}
