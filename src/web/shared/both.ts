/** Without a page. */

export type Language = 'da' | 'en';

/** A text in both languages. */
export interface Both {
  readonly da: string;
  readonly en: string;
}
