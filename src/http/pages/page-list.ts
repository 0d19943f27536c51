/** The list of pages. A page is a folder of `src/web` with an `index.html` and a `main.ts`. */

interface Words {
  readonly da: string;
  readonly en: string;
}

export interface WebPage {
  readonly name: string;
  readonly paths: readonly string[];
  /** Its name in the header; absent: no link there. */
  readonly link?: Words;
  readonly about?: Words;
}

/** Only where the door for clients of DAWA is mounted. */
export const DAWA_PAGE = 'dawa';

/** Only where the operator turns it on, for who makes pages (D204). */
export const DESIGN_PAGE = 'design';

export const WEB_PAGES: readonly WebPage[] = [
  { name: 'forside', paths: ['/'] },
  {
    name: 'kort',
    paths: ['/kort'],
    link: { da: 'Kort', en: 'Map' },
    about: {
      da: 'Klik, og se hvad der gælder, og hvor langt der er.',
      en: 'Click to see what is in force, and how far away.',
    },
  },
  { name: 'forhold', paths: ['/forhold'] },
  {
    name: 'job',
    paths: ['/job'],
    link: { da: 'Job', en: 'Jobs' },
    about: {
      da: 'Læg et regneark ind, og få det tilbage med svar i hver række.',
      en: 'Drop a spreadsheet and get it back with an answer in every row.',
    },
  },
  { name: 'drift', paths: ['/drift'] },
  {
    name: 'konto',
    paths: ['/konto', '/log-ind'],
    link: { da: 'Konto', en: 'Account' },
    about: {
      da: 'Log ind, lav nøgler, se forbrug og regning, styr webhooks.',
      en: 'Sign in, make keys, see your use and bill, run webhooks.',
    },
  },
  {
    name: 'docs',
    paths: ['/docs'],
    link: { da: 'Dokumentation', en: 'Documentation' },
    about: {
      da: 'Alle opslag, med eksempler, der kan prøves, og vejledninger.',
      en: 'Every lookup, with examples to try, and guides.',
    },
  },
  { name: DAWA_PAGE, paths: ['/dawa'] },
  { name: DESIGN_PAGE, paths: ['/design'] },
];
