/** Years of a register. */

/** What BBR writes where no year is registered; the API delivers it raw. */
const PLACEHOLDERS: readonly number[] = [0, 1000];

/** null: none is registered. */
export function registeredYear(year: number | null): number | null {
  return year === null || PLACEHOLDERS.includes(year) ? null : year;
}
