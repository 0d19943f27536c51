/** People who type addresses into a field that asks with every letter. */
import type { Random } from './land.ts';

/** What the field holds, letter by letter, to somewhere in the house number or town; every fifth is misspelt. */
export function typedTexts(
  addresses: readonly { readonly whole: string; readonly roadName: string }[],
  random: Random,
): string[] {
  return addresses.flatMap(({ whole, roadName }) => {
    const typed = random() < 0.2 ? whole.toLowerCase().replace(/[aeiou]/, '') : whole;
    const last = Math.min(typed.length, roadName.length + 4 + Math.floor(20 * random()));
    return Array.from({ length: last }, (_, n) => typed.slice(0, n + 1));
  });
}
