/**
 * The code lists of BBR and FBB with official Danish texts, under the register's names (one is
 * misspelt there), as published in September 2026 (teknik.bbr.dk/kodelister). Codes being phased
 * out stay, because many rows still use them; their mark `(UDFASES)` is removed (D95).
 * `VurBenyttelse`: uses in assessments, as published by Statistics Denmark (BENYTKOD).
 * `VurJuridiskKategori` is empty: no list is published, and the register sends each text with its
 * code.
 */
import lists from './code-lists.json' with { type: 'json' };

export type CodeList = keyof typeof lists;

/** null: the list does not have it. */
export function codeText(list: CodeList, code: string): string | null {
  const texts: Readonly<Partial<Record<string, string>>> = lists[list];
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
