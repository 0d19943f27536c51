/**
 * BBR and FBB with the register's names (one is misspelt there), of September 2026
 * (teknik.bbr.dk/kodelister). Codes being phased out stay, without the mark `(UDFASES)` (D95).
 * `VurBenyttelse`: by Statistics Denmark (BENYTKOD). `VurJuridiskKategori` is empty: none is
 * published, and the register sends texts.
 */
import lists from './code-lists.json' with { type: 'json' };

export const CODE_LISTS = lists;

export type CodeList = keyof typeof CODE_LISTS;
