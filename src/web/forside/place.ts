/** What holds at a place, as the page draws it. What could not be answered is never drawn as a no. */
import { h } from '../shared/dom.ts';
import { inLanguage, t } from '../shared/language.ts';
import { builtWords, decimal, metres, number } from '../shared/format.ts';
import type { Areas, Line, Lines, Property, Reported } from './api.ts';

/** An answer, or why there is none. */
export type Part<Answer> =
  | { readonly reported: Reported<Answer> }
  | { readonly failure: string }
  | 'no-number'
  | 'no-address';

const THEME_WORDS: Readonly<Record<string, { readonly da: string; readonly en: string }>> = {
  region: { da: 'Region', en: 'Region' },
  kommune: { da: 'Kommune', en: 'Municipality' },
  sogn: { da: 'Sogn', en: 'Parish' },
  retskreds: { da: 'Retskreds', en: 'Judicial district' },
  politikreds: { da: 'Politikreds', en: 'Police district' },
  opstillingskreds: { da: 'Opstillingskreds', en: 'Nomination district' },
};

/** The ten lines, those in force first. */
export function drawLines(part: Part<Lines>): Node[] {
  return drawn(part, ({ answer, isStale }) => {
    const rank = ({ status, inden_for: within }: Line): number =>
      status !== 'ok' ? 1 : within === true ? 0 : 2;
    const lines = Object.values(answer.linjer).toSorted((a, b) => rank(a) - rank(b));
    return [
      ...staleNotice(isStale),
      h(
        'ul',
        { class: 'fact-list' },
        ...lines.map((line) =>
          h(
            'li',
            {},
            h('div', { lang: 'da' }, line.navn, h('p', { class: 'muted law' }, line.hjemmel)),
            h('div', { class: 'verdict' }, ...verdict(line, answer.soegeradius_m)),
          ),
        ),
      ),
    ];
  });
}

function verdict({ status, inden_for: within, usikker, afstand_m: far }: Line, radius: number) {
  if (status !== 'ok' || within === null) {
    return [
      badge('warn', { da: 'Kunne ikke afgøres', en: 'Could not be told' }),
      h('p', { class: 'muted law' }, t('registret svarer ikke', 'the register does not answer')),
    ];
  }
  const edge = far === null ? null : metres(far);
  const about =
    edge === null
      ? t(`ingen inden for ${number(radius)} m`, `none within ${number(radius)} m`)
      : within
        ? t(`${edge} til grænsen`, `${edge} to its edge`)
        : t(`${edge} herfra`, `${edge} away`);
  return [
    within
      ? badge('bad', { da: 'Gælder her', en: 'In force here' })
      : badge('none', { da: 'Gælder ikke her', en: 'Not here' }),
    h('p', { class: 'muted law' }, about),
    usikker &&
      h(
        'p',
        { class: 'law' },
        t('så nær grænsen, at det er usikkert', 'too near its edge to be sure'),
      ),
  ];
}

/** The areas that cover the place. */
export function drawAreas(part: Part<Areas>): Node[] {
  return drawn(part, ({ answer, isStale }) => [
    ...staleNotice(isStale),
    answer.omraader.length === 0
      ? muted({ da: 'Ingen områder dækker stedet.', en: 'No area covers the place.' })
      : h(
          'ul',
          { class: 'fact-list names' },
          ...answer.omraader.map(({ tema, navn, kode }) =>
            h(
              'li',
              {},
              h(
                'span',
                { class: 'muted' },
                inLanguage(THEME_WORDS[tema] ?? { da: tema, en: tema }),
              ),
              h(
                'span',
                { class: 'verdict', lang: 'da' },
                kode === null ? navn : `${navn} (${kode})`,
              ),
            ),
          ),
        ),
  ]);
}

/** The property of the address and its buildings. */
export function drawProperty(part: Part<Property>): Node[] {
  if (part === 'no-number') {
    return [
      muted({
        da: 'Adressen har ikke noget ejendomsnummer (BFE).',
        en: 'The address has no property number (BFE).',
      }),
    ];
  }
  if (part === 'no-address') {
    return [
      muted({
        da: 'Ingen adresse i nærheden at slå ejendommen op fra.',
        en: 'No address near by to look the property up from.',
      }),
    ];
  }
  return drawn(part, ({ answer, isStale }) => {
    const { matrikelnummer, ejerlav_navn: district } = answer.jordstykke;
    const parcel = [matrikelnummer, district].filter((text) => text !== null).join(', ');
    return [
      ...staleNotice(isStale),
      h(
        'ul',
        { class: 'fact-list' },
        fact({ da: 'BFE-nummer', en: 'BFE number' }, String(answer.bfe_nummer ?? '–')),
        fact({ da: 'Matrikel', en: 'Parcel' }, parcel === '' ? '–' : parcel),
        fact({ da: 'Bygninger', en: 'Buildings' }, String(answer.antal_bygninger)),
        ...answer.bygninger
          .slice(0, BUILDINGS_SHOWN)
          .map((building) => fact(buildingName(building), buildingFacts(building), 'da')),
        answer.bygninger.length > BUILDINGS_SHOWN && moreBuildings(answer),
      ),
    ];
  });
}

/** More than these are a page of their own. */
const BUILDINGS_SHOWN = 5;

function moreBuildings({ bygninger }: Property): Node {
  const more = bygninger.length - BUILDINGS_SHOWN;
  const words = { da: `og ${more} bygninger til`, en: `and ${more} more buildings` };
  return h('li', { class: 'muted' }, inLanguage(words));
}

type Building = Property['bygninger'][number];

function buildingName({ anvendelse }: Building): { readonly da: string; readonly en: string } {
  const name = anvendelse?.tekst ?? null;
  return { da: name ?? 'Bygning', en: name ?? 'Building' };
}

function buildingFacts({ opfoerelsesaar, areal }: Building): string {
  const size = areal.samlet_bygningsareal_m2;
  return [builtWords(opfoerelsesaar), size === null ? null : `${decimal(size)} m²`]
    .filter((text) => text !== null)
    .join(', ');
}

function fact(name: { readonly da: string; readonly en: string }, value: string, lang?: string) {
  return h(
    'li',
    {},
    h('span', { class: 'muted', lang }, inLanguage(name)),
    h('span', { class: 'verdict', lang: 'da' }, value),
  );
}

function drawn<Answer>(part: Part<Answer>, draw: (reported: Reported<Answer>) => Node[]): Node[] {
  if (typeof part === 'string') return [];
  if ('reported' in part) return draw(part.reported);
  return [
    h(
      'p',
      { class: 'notice warn' },
      h('strong', {}, t('Intet svar. ', 'No answer. ')),
      part.failure,
    ),
  ];
}

function staleNotice(isStale: boolean): Node[] {
  if (!isStale) return [];
  return [
    h(
      'p',
      { class: 'notice warn' },
      h('strong', {}, t('Gammel kopi. ', 'An old copy. ')),
      t(
        'Registret svarer ikke; det viste er fra en kopi, der er over sin frist.',
        'The register does not answer; what is shown is from a copy past its limit.',
      ),
    ),
  ];
}

function badge(kind: string, words: { readonly da: string; readonly en: string }): Node {
  return h('span', { class: `badge ${kind}` }, inLanguage(words));
}

function muted(words: { readonly da: string; readonly en: string }): Node {
  return h('p', { class: 'muted' }, inLanguage(words));
}
