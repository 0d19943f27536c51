/** Which pages there are. A page is a folder of `src/web` with an `index.html` and a `main.ts`. */

export interface WebPage {
  /** Its folder. */
  readonly name: string;
  /** Where it is found. */
  readonly paths: readonly string[];
  /** What the header of every page calls it; absent: the header does not lead there. */
  readonly link?: { readonly da: string; readonly en: string };
}

export const WEB_PAGES: readonly WebPage[] = [
  { name: 'kort', paths: ['/kort'], link: { da: 'Kort', en: 'Map' } },
  { name: 'drift', paths: ['/drift'] },
  { name: 'konto', paths: ['/konto', '/log-ind'], link: { da: 'Konto', en: 'Account' } },
];
