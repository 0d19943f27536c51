/**
 * BBR and FBB with the register's names (one is misspelt there), of September 2026
 * (teknik.bbr.dk/kodelister). Codes being phased out stay, without the mark `(UDFASES)` (D95).
 * `VurBenyttelse`: by Statistics Denmark (BENYTKOD). `VurJuridiskKategori` is empty: none is
 * published, and the register sends texts.
 */
import lists from './code-lists.json' with { type: 'json' };

export type CodeList = keyof typeof lists;

export function codeText(list: CodeList, code: string): string | null {
  const texts: Readonly<Partial<Record<string, string>>> = lists[list];
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
