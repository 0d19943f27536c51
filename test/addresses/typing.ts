/** Addresses typed letter by letter into a field that suggests: how soon the wanted one is seen. */
import { randomOf } from './score.ts';
import type { Plain, Truth } from './truth.ts';

/** Ids suggested, the best first: of a house or a flat; null for a road. */
export type Suggest = (text: string, caret: number) => readonly (string | null)[];

export interface TypingScore {
  readonly count: number;
  /** Letters after which half of the addresses are among the first five. */
  readonly medianLetters: number;
  /** Never among the first five. */
  readonly never: number;
  /** Keystrokes behind a whole flat at which the first suggestion is another, an address. */
  readonly strayed: number;
  /** Of those whose road was gone back into, how many were found. */
  readonly caretFound: number;
  readonly caretCount: number;
  readonly misses: readonly string[];
}

const SEEN = 5;

export function scoreTyping(
  truth: Truth,
  suggest: Suggest,
  { count, seed }: { readonly count: number; readonly seed: number },
): TypingScore {
  const random = randomOf(seed);
  const letters: number[] = [];
  const misses: string[] = [];
  let [strayed, flats, caretFound, caretCount] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const pool = i % 2 === 0 ? truth.units : truth.houses;
    const meant = pool[Math.floor(random() * pool.length)]!;
    const { own, whole } = textsOf(meant);
    const wanted = idsOf([meant], truth);
    const alike = idsOf(truth.namesakes(meant), truth);
    let seen = Infinity;
    for (let n = 1; n <= whole.length; n++) {
      const ids = suggest(whole.slice(0, n), n);
      if (seen === Infinity && ids.slice(0, SEEN).some((id) => wanted.has(id ?? ''))) seen = n;
      const [first] = ids;
      if (n <= own.length || typeof first !== 'string' || alike.has(first)) continue;
      strayed += 1;
      if (misses.length < 12) misses.push(`strayed: ${whole.slice(0, n)}| ${first}`);
    }
    flats += 1;
    letters.push(seen);
    if (seen === Infinity && misses.length < 24) misses.push(`never: ${whole}`);
    // Back into the road, as far as it takes to tell what is meant.
    if (meant.road.length < 8) continue;
    caretCount += 1;
    const caret = meant.road.length - 3;
    const text = `${meant.road.slice(0, caret)} ${meant.number}, ${meant.code} ${meant.post}`;
    const back = suggest(text, caret).slice(0, SEEN);
    const house = [meant.houseId, ...(truth.unitsOf.get(meant.houseId) ?? []).map(({ id }) => id)];
    if (back.some((id) => house.includes(id ?? ''))) caretFound += 1;
    else if (misses.length < 30) misses.push(`caret: ${text} at ${caret}`);
  }
  letters.sort((a, b) => a - b);
  return {
    count,
    medianLetters: letters[Math.floor(letters.length / 2)]!,
    never: letters.filter((each) => each === Infinity).length,
    strayed: strayed / Math.max(1, flats),
    caretFound,
    caretCount,
    misses,
  };
}

/** The address alone, and with its place. */
function textsOf({ road, number, floor, door, code, post }: Plain): { own: string; whole: string } {
  const unit = floor === null ? (door ?? '') : `${floor}.${door === null ? '' : ` ${door}`}`;
  const own = unit === '' ? `${road} ${number}` : `${road} ${number}, ${unit}`;
  return { own, whole: `${own}, ${code} ${post}` };
}

/** An address, the house it is in, and the flats of a house. */
function idsOf(addresses: readonly Plain[], truth: Truth): ReadonlySet<string> {
  return new Set(
    addresses.flatMap(({ kind, id, houseId }) =>
      kind === 'unit'
        ? [id, houseId]
        : [id, ...(truth.unitsOf.get(id) ?? []).map((unit) => unit.id)],
    ),
  );
}
