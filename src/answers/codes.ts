import { CODE_LISTS } from '../layers/code-lists.ts';
import type { CodeList } from '../layers/code-lists.ts';

export interface CodeField {
  readonly kode: string;
  readonly tekst: string;
}

/** The text of a code that has none (D55). */
export const NO_TEXT = 'Ukendt kode';

/** An unlisted code is labelled as unknown and reported, never an error (D55). */
export class CodeLabels {
  readonly #onUnlisted: (list: CodeList) => void;

  constructor(onUnlisted: (list: CodeList) => void) {
    this.#onUnlisted = onUnlisted;
  }

  field(list: CodeList, code: string | null): CodeField | null {
    if (code === null || code === '') return null;
    const tekst = codeText(list, code);
    if (tekst === null) this.#onUnlisted(list);
    return { kode: code, tekst: tekst ?? NO_TEXT };
  }
}

function codeText(list: CodeList, code: string): string | null {
  const texts: Readonly<Partial<Record<string, string>>> = CODE_LISTS[list];
  return Object.hasOwn(texts, code) ? (texts[code] ?? null) : null;
}
