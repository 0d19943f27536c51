/** Codes of districts that are numbered in each municipality: `<municipality>-<number>-<id>` (D198). */

const partsOf = (code: string): readonly string[] => code.split('-');

/** DAGI's id of its municipality. */
export function municipalityKeyOf(code: string): string {
  return partsOf(code)[0] ?? '';
}

/** null: the register has none. */
export function numberOf(code: string): string | null {
  return partsOf(code)[1] || null;
}
