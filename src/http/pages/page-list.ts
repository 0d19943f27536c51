/** A page is a folder of `src/web` with `index.html` (the body) and `main.ts`. */

interface Words {
  readonly da: string;
  readonly en: string;
}

export interface WebPage {
  readonly name: string;
  readonly paths: readonly string[];
  readonly title: Words;
  /** For search engines; absent: not indexed. */
  readonly description?: string;
  /** Target of the skip link; absent: the content. */
  readonly skip?: Words & { readonly to: string };
  /** The end of the header, after the languages. */
  readonly right?: 'sign-out' | 'sign-in' | 'konto' | 'drift';
  /** Other pages link to it by this text. */
  readonly about?: Words;
}

const same = (name: string): Words => ({ da: name, en: name });

/** Only where DAWA is mounted. */
export const DAWA_PAGE = 'dawa';

/** Only where the operator enables it (D204). */
export const DESIGN_PAGE = 'design';

export const WEB_PAGES: readonly WebPage[] = [
  {
    name: 'forside',
    paths: ['/'],
    title: same('Geoopslag'),
    description:
      'Opslag i danske registre over ejendomme og geodata: adresser, byggelinjer, områder, ejendomme.',
    right: 'sign-out',
  },
  {
    name: 'kort',
    paths: ['/kort'],
    title: { da: 'Kort', en: 'Map' },
    description:
      'Kort over byggelinjer, beskyttet natur og områder: hvad gælder på et sted, hvor langt der er til, og hvor det står.',
    skip: { to: '#svar', da: 'Spring til svarene', en: 'Skip to the answers' },
    right: 'sign-in',
    about: {
      da: 'Klik, og se hvad der gælder, og hvor langt der er.',
      en: 'Click to see what is in force, and how far away.',
    },
  },
  {
    name: 'forhold',
    paths: ['/forhold'],
    title: { da: 'Forhold', en: 'Conditions' },
    description:
      'Hvad gælder på et jordstykke: planer, zone, jord, drikkevand, forsyning, natur og byggelinjer, med areal, lov og kilde.',
    skip: { to: '#svar', da: 'Spring til svarene', en: 'Skip to the answers' },
  },
  {
    name: 'job',
    paths: ['/job'],
    title: { da: 'Job', en: 'Jobs' },
    description:
      'Læs et regneark eller en CSV ind, og få det tilbage med et svar i hver række: byggelinjer, områder, adresser, ejendom.',
    right: 'sign-in',
    about: {
      da: 'Læg et regneark ind, og få det tilbage med svar i hver række.',
      en: 'Drop a spreadsheet and get it back with an answer in every row.',
    },
  },
  {
    name: 'drift',
    paths: ['/drift'],
    title: { da: 'Drift', en: 'Operations' },
    skip: { to: '#indhold', da: 'Spring til lagene', en: 'Skip to the layers' },
    right: 'drift',
  },
  {
    name: 'konto',
    paths: ['/konto', '/log-ind'],
    title: { da: 'Konto', en: 'Account' },
    right: 'konto',
    about: {
      da: 'Log ind, lav nøgler, se forbrug og regning, styr webhooks.',
      en: 'Sign in, make keys, see your use and bill, run webhooks.',
    },
  },
  {
    name: 'docs',
    paths: ['/docs'],
    title: { da: 'Dokumentation', en: 'Documentation' },
    description: 'Alle opslag i Geoopslag, med eksempler, der kan prøves, og vejledninger.',
    right: 'sign-out',
    about: {
      da: 'Alle opslag, med eksempler, der kan prøves, og vejledninger.',
      en: 'Every lookup, with examples to try, and guides.',
    },
  },
  {
    name: DAWA_PAGE,
    paths: ['/dawa'],
    title: same('DAWA'),
    description:
      'Programmer, der talte med DAWA, virker igen, når deres adresse skiftes til denne.',
    right: 'sign-out',
  },
  { name: DESIGN_PAGE, paths: ['/design'], title: same('Design') },
];
