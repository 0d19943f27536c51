/** Danish unless the reader chose English on a page that has both. */

export type Language = 'da' | 'en';

/** The document says which language it is in now. */
export function language(): Language {
  return document.documentElement.lang === 'en' ? 'en' : 'da';
}
