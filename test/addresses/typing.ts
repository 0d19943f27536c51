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
/** Letters of a road name that is gone back into, and how many of its last are gone. */
const LONG_ROAD = 8;
const CUT = 3;
const SHOWN = 30;

export function scoreTyping(
  truth: Truth,
  suggest: Suggest,
  { count, seed }: { readonly count: number; readonly seed: number },
): TypingScore {
  const random = randomOf(seed);
  const letters: number[] = [];
  const misses: string[] = [];
  let [strayed, caretFound, caretCount] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const pool = i % 2 === 0 ? truth.units : truth.houses;
    const meant = pool[Math.floor(random() * pool.length)]!;
    const typed = typeWhole(truth, suggest, meant);
    letters.push(typed.seen);
    strayed += typed.strayed.length;
    misses.push(...typed.strayed);
    if (typed.seen === Infinity) misses.push(`never: ${textsOf(meant).whole}`);
    if (meant.road.length < LONG_ROAD) continue;
    caretCount += 1;
    const missed = goBack(truth, suggest, meant);
    if (missed === null) caretFound += 1;
    else misses.push(missed);
  }
  letters.sort((a, b) => a - b);
  return {
    count,
    medianLetters: letters[Math.floor(letters.length / 2)]!,
    never: letters.filter((each) => each === Infinity).length,
    strayed: strayed / count,
    caretFound,
    caretCount,
    misses: misses.slice(0, SHOWN),
  };
}

/** Letter by letter: when it is seen first, and where another is suggested behind the whole of it. */
function typeWhole(truth: Truth, suggest: Suggest, meant: Plain) {
  const { own, whole } = textsOf(meant);
  const wanted = idsOf([meant], truth);
  // A house of that road and number is what is typed, whatever is in it.
  const house: Plain = { ...meant, kind: 'access', floor: null, door: null };
  const houses = truth.namesakes(house).map(({ id }) => id);
  const isWhole = meant.floor === null && meant.door === null;
  const alike = new Set([...idsOf(truth.namesakes(meant), truth), ...(isWhole ? houses : [])]);
  const strayed: string[] = [];
  let seen = Infinity;
  for (let n = 1; n <= whole.length; n++) {
    const ids = suggest(whole.slice(0, n), n);
    if (ids.slice(0, SEEN).some((id) => wanted.has(id ?? ''))) seen = Math.min(seen, n);
    const [first] = ids;
    const isStray = n > own.length && typeof first === 'string' && !alike.has(first);
    if (isStray) strayed.push(`strayed: ${whole.slice(0, n)}| ${first}`);
  }
  return { seen, strayed };
}

/** Back into the road name, its last letters gone: null where the house is seen. */
function goBack(truth: Truth, suggest: Suggest, meant: Plain): string | null {
  const caret = meant.road.length - CUT;
  const text = `${meant.road.slice(0, caret)} ${meant.number}, ${meant.code} ${meant.post}`;
  const units = truth.unitsOf.get(meant.houseId) ?? [];
  const house = new Set([meant.houseId, ...units.map(({ id }) => id)]);
  const isSeen = suggest(text, caret)
    .slice(0, SEEN)
    .some((id) => house.has(id ?? ''));
  return isSeen ? null : `caret: ${text} at ${caret}`;
}

function textsOf({ road, number, floor, door, code, post }: Plain): { own: string; whole: string } {
  const unit = floor === null ? (door ?? '') : `${floor}.${door === null ? '' : ` ${door}`}`;
  const own = unit === '' ? `${road} ${number}` : `${road} ${number}, ${unit}`;
  return { own, whole: `${own}, ${code} ${post}` };
}

function idsOf(addresses: readonly Plain[], truth: Truth): ReadonlySet<string> {
  return new Set(
    addresses.flatMap(({ kind, id, houseId }) =>
      kind === 'unit'
        ? [id, houseId]
        : [id, ...(truth.unitsOf.get(id) ?? []).map((unit) => unit.id)],
    ),
  );
}
