/** Draws what holds at a place. An unanswered question is never drawn as a no. */
import { h, jointed } from '../shared/dom.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import { builtWords, decimal, number } from '../shared/format.ts';
import { PROPERTY_WORDS, THEME_WORDS } from '../../layers/words.ts';
import { VERDICT_WORDS, distanceWords, groupsOf, noesWords } from '../shared/line-words.ts';
import { lineRows } from '../shared/answers.ts';
import type { Areas, BuildingLines, LineRow, Reply, Verdict } from '../shared/answers.ts';
import { companyFacts } from '../shared/subject.ts';
import type { Company } from '../shared/subject.ts';
import type { Height, Property } from './api.ts';

/** The lines in the order in which they matter; those without a neighbour are folded into one line. */
export function drawLines(reply: Reply<BuildingLines>, askAgain: () => void): Node[] {
  return drawn(reply, ({ soegeradius_m: radiusM }) => {
    const { applies, unsure, near, none } = groupsOf(reply.ok ? lineRows(reply, new Map()) : []);
    const list = (rows: readonly LineRow[]) =>
      h('ul', { class: 'fact-list' }, ...rows.map((row) => lineItem(row, radiusM)));
    const group = (title: string, rows: readonly LineRow[]): readonly Node[] =>
      rows.length === 0 ? [] : [h('h4', {}, title), list(rows)];
    return [
      ...unsureNotice(unsure, askAgain),
      ...group(inLanguage(VERDICT_WORDS.unavailable), unsure),
      ...group(t('Gælder her', 'In force here'), applies),
      ...group(t('I nærheden, gælder ikke her', 'Near, not in force here'), near),
      ...(none.length === 0
        ? []
        : [
            h('details', { class: 'noes' }, h('summary', {}, noesWords(none, radiusM)), list(none)),
          ]),
    ];
  });
}

function lineItem(row: LineRow, radiusM: number): Node {
  const { key, name, basis, verdict } = row;
  return h(
    'li',
    { 'data-line': key },
    h('div', { lang: 'da' }, ...jointed(name), h('p', { class: 'muted law' }, basis)),
    h(
      'div',
      { class: 'verdict' },
      badge(BADGES[verdict], VERDICT_WORDS[verdict]),
      h('p', { class: 'muted law' }, distanceWords(row, radiusM)),
    ),
  );
}

/** What an old copy says is no plain answer, and its "no" none at all. */
const BADGES: Readonly<Record<Verdict, string>> = {
  within: 'bad',
  uncertain: 'bad',
  outside: 'none',
  'old-within': 'warn',
  'old-outside': 'warn',
  unavailable: 'warn',
};

/** What to do about what has no certain answer. */
function unsureNotice(unsure: readonly LineRow[], askAgain: () => void): readonly Node[] {
  if (unsure.length === 0) return [];
  return [
    h(
      'div',
      { class: 'notice warn' },
      h('strong', {}, t('Ikke alt er besvaret. ', 'Not all is answered. ')),
      t(
        'Et register svarer ikke, eller dets kopi er for gammel. Det betyder ikke, at linjen ikke gælder her: spørg igen om lidt, eller spørg kommunen.',
        'A register does not answer, or its copy is too old. That does not mean that the line is not in force here: ask again shortly, or ask the municipality.',
      ),
      h(
        'p',
        { class: 'no-print' },
        h('button', { type: 'button', onclick: askAgain }, t('Spørg igen', 'Ask again')),
      ),
    ),
  ];
}

export function drawAreas(reply: Reply<Areas>): Node[] {
  return drawn(reply, (answer) => [
    answer.omraader.length === 0
      ? muted({ da: 'Ingen områder dækker stedet.', en: 'No area covers the place.' })
      : h(
          'ul',
          { class: 'fact-list names' },
          ...answer.omraader.map(({ tema, navn, kode }) =>
            h(
              'li',
              {},
              h('span', { class: 'muted' }, wordOf(THEME_WORDS, tema)),
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

export function drawProperty(part: Reply<Property> | 'no-number' | 'no-address'): Node[] {
  if (part === 'no-number') {
    return [
      muted({
        da: 'Adressen har intet BFE-nummer.',
        en: 'The address has no BFE number.',
      }),
    ];
  }
  if (part === 'no-address') {
    return [
      muted({
        da: 'Ingen adresse i nærheden at slå ejendommen op fra.',
        en: 'No nearby address to look the property up from.',
      }),
    ];
  }
  return drawn(part, (answer) => {
    const { matrikelnummer, ejerlav_navn: district } = answer.jordstykke;
    const parcel = [matrikelnummer, district].filter((text) => text !== null).join(', ');
    return [
      h(
        'ul',
        { class: 'fact-list' },
        fact(PROPERTY_WORDS.bfe, String(answer.bfe_nummer ?? '–')),
        fact(PROPERTY_WORDS.parcel, parcel === '' ? '–' : parcel),
        fact(PROPERTY_WORDS.buildings, String(answer.antal_bygninger)),
        ...assessmentFacts(answer),
        ...answer.bygninger.slice(0, BUILDINGS_SHOWN).map(buildingFact),
      ),
      ...moreBuildings(answer.bygninger.slice(BUILDINGS_SHOWN)),
    ];
  });
}

/** The newest assessment. No value is not 0 kroner, and one that could not be read is not none. */
function assessmentFacts({ vurdering }: Property): readonly Node[] {
  if (vurdering === undefined) return [];
  const name = { da: 'Vurdering', en: 'Assessment' };
  if (vurdering === null)
    return [fact(name, t('ingen, eller kunne ikke læses', 'none, or it could not be read'))];
  const { seneste: latest, antal_vurderingsejendomme: count } = vurdering;
  if (latest === null)
    return [fact(name, t(`${count} vurderingsejendomme`, `${count} assessed properties`))];
  const year = String(latest.aar);
  return [
    fact(
      { da: `Ejendomsværdi ${year}`, en: `Property value ${year}` },
      kroner(latest.ejendomsvaerdi_kr),
    ),
    fact({ da: `Grundværdi ${year}`, en: `Land value ${year}` }, kroner(latest.grundvaerdi_kr)),
  ];
}

function kroner(value: number | null): string {
  return value === null ? t('ikke oplyst', 'not stated') : `${number(value)} kr.`;
}

export function drawCompany(company: Company): Node[] {
  const facts = companyFacts(company).map(([name, text]) => fact({ da: name, en: name }, text));
  return [h('ul', { class: 'fact-list names' }, ...facts)];
}

export function drawHeight(reply: Reply<Height>): Node[] {
  return drawn(reply, ({ kote_m: height }) => [
    h(
      'ul',
      { class: 'fact-list' },
      fact(
        { da: 'Terrænets kote (DVR90)', en: 'Height of the terrain (DVR90)' },
        height === null
          ? t('ingen i modellen', 'none in the model')
          : `${height.toFixed(2).replace('.', t(',', '.'))} m`,
      ),
    ),
  ]);
}

const BUILDINGS_SHOWN = 5;

type Building = Property['bygninger'][number];

function moreBuildings(buildings: readonly Building[]): readonly Node[] {
  if (buildings.length === 0) return [];
  const words = t(`${buildings.length} bygninger til`, `${buildings.length} more buildings`);
  const list = h('ul', { class: 'fact-list' }, ...buildings.map(buildingFact));
  return [h('details', {}, h('summary', {}, words), list)];
}

function buildingFact(building: Building): Node {
  return fact(buildingName(building), buildingFacts(building), 'da');
}

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

function drawn<Body>(reply: Reply<Body>, draw: (body: Body) => readonly Node[]): Node[] {
  if (reply.ok) return [...staleNotice(reply.facts.isStale), ...draw(reply.body)];
  return [
    h(
      'p',
      { class: 'notice warn' },
      h('strong', {}, t('Intet svar. ', 'No answer. ')),
      reply.message,
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
