/**
 * The code lists of BBR and FBB with their official Danish texts, under the register's own names (one has
 * a spelling error there), as published in September 2026 (teknik.bbr.dk/kodelister). Codes that are being
 * phased out are still in force on many rows and stay; their mark `(UDFASES)` is left out (D95).
 * `VurBenyttelse`: the uses of assessments, as Statistics Denmark publishes them (BENYTKOD).
 * `VurJuridiskKategori` is empty: no list is published, and the register sends each text with its code.
 */
import lists from './code-lists.json' with { type: 'json' };

export type CodeList = keyof typeof lists;

/** The text of a code; null: the list does not hold it. */
export function codeText(list: CodeList, code: string): string | null {
  const texts: Readonly<Partial<Record<string, string>>> = lists[list];
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
