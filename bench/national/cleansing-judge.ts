/** Cleanses spoilt addresses whose meaning is known, and counts by mutation what came of it. */
import type {
  AccessAddress,
  AddressFinder,
  UnitAddress,
  Cleansed,
} from '../../src/registers/addresses/addresses.ts';
import { composeUnit } from '../../src/layers/address-text.ts';
import { normalize } from '../../src/names/normalize.ts';
import type { OpenAddressIndex } from '../../src/registers/addresses/index/address-index.ts';
import { randomFrom } from './land.ts';
import { addressDrawer, MUTATIONS } from './mutations.ts';
import type { Meant } from './mutations.ts';

export interface Tally {
  readonly mutation: string;
  count: number;
  rightFirst: number;
  a: number;
  b: number;
  c: number;
  /** Texts that the spoiling made the very text of another address: A for that one is right. */
  anothers: number;
  wrongA: number;
  wrongB: number;
  /** Some of what went wrong, to look at. */
  readonly examples: string[];
}

const LISTED = 5;
const EXAMPLES = 3;

/** `count` texts dealt over all mutations and both kinds of address. */
export function judgeCleansing(
  addressIndex: OpenAddressIndex,
  finder: Pick<AddressFinder, 'cleanse'>,
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly Tally[] {
  const random = randomFrom(seed);
  const draw = addressDrawer(addressIndex, random);
  const isPossible = (name: string): boolean =>
    addressIndex.formerCount > 0 || !name.startsWith('former');
  const names = Object.keys(MUTATIONS).filter(isPossible);
  const tallies = names.map(emptyTally);
  for (let i = 0; i < count;) {
    const tally = tallies[i % names.length]!;
    const kind = random() < 0.5 ? 'access' : 'unit';
    const meant = draw(kind, tally.mutation.startsWith('former'));
    const text = MUTATIONS[tally.mutation]!(meant, random);
    if (text === null) continue;
    i += 1;
    score(tally, { meant, text, cleansed: finder.cleanse({ text }, kind, LISTED) });
  }
  return tallies;
}

function emptyTally(mutation: string): Tally {
  const counts = { count: 0, rightFirst: 0, a: 0, b: 0, c: 0 };
  return { mutation, ...counts, anothers: 0, wrongA: 0, wrongB: 0, examples: [] };
}

function score(
  tally: Tally,
  {
    meant,
    text,
    cleansed,
  }: { readonly meant: Meant; readonly text: string; readonly cleansed: Cleansed },
): void {
  tally.count += 1;
  const [first] = cleansed.candidates;
  const isRight = first?.address.id === meant.id;
  if (cleansed.category !== null)
    tally[cleansed.category === 'A' ? 'a' : cleansed.category === 'B' ? 'b' : 'c'] += 1;
  if (isRight) tally.rightFirst += 1;
  if (isRight) return;
  if (first === undefined) {
    if (tally.examples.length < EXAMPLES) tally.examples.push(`${text} -> nothing`);
    return;
  }
  const isAnothers = textsOf(first.address).includes(normalize(text));
  if (isAnothers) tally.anothers += 1;
  else if (cleansed.category === 'A') tally.wrongA += 1;
  if (!isAnothers && cleansed.category === 'B') tally.wrongB += 1;
  if (tally.examples.length < EXAMPLES || (cleansed.category === 'A' && !isAnothers)) {
    const own = `${meant.roadName} ${meant.houseNumber} ${meant.floor ?? ''} ${meant.door ?? ''} ${meant.supplementaryTown ?? ''} ${meant.postcode.code}`;
    tally.examples.push(`${text} -> ${cleansed.category} ${first.address.designation} [${own}]`);
  }
}

/** Texts that are the address's own: with its supplementary town, and without, which says as much. */
function textsOf(address: AccessAddress | UnitAddress): readonly string[] {
  const isUnit = 'access' in address;
  const access = isUnit ? address.access : address;
  const { floor, door } = isUnit ? address : { floor: null, door: null };
  const parts = { ...access, roadName: access.road.name, floor, door };
  return [
    address.designation,
    composeUnit(parts),
    composeUnit({ ...parts, supplementaryTown: null }),
  ].map(normalize);
}
