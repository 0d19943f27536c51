/** An unanswered question is never drawn as a no. */
import { PROPERTY_WORDS, THEME_WORDS } from '../../layers/words.ts';
import type {
  Areas,
  BuildingLines,
  Company,
  Height,
  LineRow,
  Property,
  Reply,
  Verdict,
} from '../shared/answers.ts';
import { lineRows } from '../shared/answers.ts';
import { builtWords, decimal, number } from '../shared/format.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import { VERDICT_WORDS, distanceWords, groupsOf, noesWords } from '../shared/line-words.ts';
import { companyFacts } from '../shared/subject.ts';
import { button, html, jointedName, note, nothing } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';
import type { Shown } from './shown.ts';

/** In the order in which they matter; those without a neighbour are folded. */
export function linesView(reply: Reply<BuildingLines>, askAgain: () => void): Content {
  return answered(reply, ({ soegeradius_m: radiusM }) => {
    const { applies, unsure, near, none } = groupsOf(reply.ok ? lineRows(reply, new Map()) : []);
    const list = (rows: readonly LineRow[]) =>
      html`<ul class="fact-list">
        ${rows.map((row) => lineItem(row, radiusM))}
      </ul>`;
    const group = (title: string, rows: readonly LineRow[]) =>
      rows.length === 0
        ? nothing
        : html`<h4>${title}</h4>
            ${list(rows)}`;
    return html`${unsure.length === 0 ? nothing : unsureNotice(askAgain)}
    ${group(inLanguage(VERDICT_WORDS.unavailable), unsure)}
    ${group(t('Gælder her', 'In force here'), applies)}
    ${group(t('I nærheden, gælder ikke her', 'Near, not in force here'), near)}
    ${
      none.length === 0
        ? nothing
        : html`<details class="noes">
            <summary>${noesWords(none, radiusM)}</summary>
            ${list(none)}
          </details>`
    }`;
  });
}

function lineItem(row: LineRow, radiusM: number): TemplateResult {
  const { key, name, basis, verdict } = row;
  return html`<li data-line=${key}>
    <div lang="da">${jointedName(name)}${note(basis, 'muted law')}</div>
    <div class="verdict">
      <span class="badge ${BADGES[verdict]}">${inLanguage(VERDICT_WORDS[verdict])}</span>
      ${note(distanceWords(row, radiusM), 'muted law')}
    </div>
  </li>`;
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

function unsureNotice(askAgain: () => void): TemplateResult {
  return html`<div class="notice warn">
    <strong>${t('Ikke alt er besvaret.', 'Not all is answered.')}</strong>
    ${t(
      'Et register svarer ikke, eller dets kopi er for gammel. Det betyder ikke, at linjen ikke gælder her: spørg igen om lidt, eller spørg kommunen.',
      'A register does not answer, or its copy is too old. That does not mean that the line is not in force here: ask again shortly, or ask the municipality.',
    )}
    <p class="no-print">${button(t('Spørg igen', 'Ask again'), askAgain)}</p>
  </div>`;
}

export function areasView(reply: Reply<Areas>): Content {
  return answered(reply, ({ omraader: areas }) =>
    areas.length === 0
      ? note(t('Ingen områder dækker stedet.', 'No area covers the place.'))
      : factList(
          areas.map(({ tema, navn: name, kode: code }) =>
            fact(wordOf(THEME_WORDS, tema), code === null ? name : `${name} (${code})`),
          ),
          'names',
        ),
  );
}

export function propertyView(part: NonNullable<Shown['property']>): Content {
  if (part === 'no-number')
    return note(t('Adressen har intet BFE-nummer.', 'The address has no BFE number.'));
  if (part === 'no-address')
    return note(
      t(
        'Ingen adresse i nærheden at slå ejendommen op fra.',
        'No nearby address to look the property up from.',
      ),
    );
  return answered(part, (answer) => {
    const { matrikelnummer, ejerlav_navn: district } = answer.jordstykke;
    const parcel = [matrikelnummer, district].filter((text) => text !== null).join(', ');
    const more = answer.bygninger.slice(BUILDINGS_SHOWN);
    return html`${factList([
      fact(inLanguage(PROPERTY_WORDS.bfe), String(answer.bfe_nummer ?? '–')),
      fact(inLanguage(PROPERTY_WORDS.parcel), parcel === '' ? '–' : parcel),
      fact(inLanguage(PROPERTY_WORDS.buildings), String(answer.antal_bygninger)),
      ...assessmentFacts(answer),
      ...answer.bygninger.slice(0, BUILDINGS_SHOWN).map(buildingFact),
    ])}
    ${
      more.length === 0
        ? nothing
        : html`<details>
            <summary>${t(`${more.length} bygninger til`, `${more.length} more buildings`)}</summary>
            ${factList(more.map(buildingFact))}
          </details>`
    }`;
  });
}

/** No value is not 0 kroner; an unread assessment is not none. */
function assessmentFacts({ vurdering }: Property): readonly Content[] {
  if (vurdering === undefined) return [];
  const name = t('Vurdering', 'Assessment');
  if (vurdering === null)
    return [fact(name, t('ingen, eller kunne ikke læses', 'none, or it could not be read'))];
  const { seneste: latest, antal_vurderingsejendomme: count } = vurdering;
  if (latest === null)
    return [fact(name, t(`${count} vurderingsejendomme`, `${count} assessed properties`))];
  const { aar: year, ejendomsvaerdi_kr: property, grundvaerdi_kr: land } = latest;
  return [
    fact(t(`Ejendomsværdi ${year}`, `Property value ${year}`), kroner(property)),
    fact(t(`Grundværdi ${year}`, `Land value ${year}`), kroner(land)),
  ];
}

function kroner(value: number | null): string {
  return value === null ? t('ikke oplyst', 'not stated') : `${number(value)} kr.`;
}

export function companyView(company: Company): Content {
  return factList(
    companyFacts(company).map(([name, text]) => fact(name, text)),
    'names',
  );
}

export function heightView(reply: Reply<Height>): Content {
  return answered(reply, ({ kote_m: height }) => {
    const words =
      height === null
        ? t('ingen i modellen', 'none in the model')
        : `${height.toFixed(2).replace('.', t(',', '.'))} m`;
    return factList([fact(t('Terrænets kote (DVR90)', 'Height of the terrain (DVR90)'), words)]);
  });
}

const BUILDINGS_SHOWN = 5;

function buildingFact({ anvendelse, opfoerelsesaar, areal }: Property['bygninger'][number]) {
  const size = areal.samlet_bygningsareal_m2;
  const facts = [builtWords(opfoerelsesaar), size === null ? null : `${decimal(size)} m²`];
  const name = anvendelse?.tekst ?? t('Bygning', 'Building');
  return fact(name, facts.filter((text) => text !== null).join(', '), 'da');
}

function factList(facts: readonly Content[], kind = ''): TemplateResult {
  return html`<ul class="fact-list ${kind}">
    ${facts}
  </ul>`;
}

function fact(name: string, value: string, lang?: 'da'): Content {
  return html`<li>
    <span class="muted" lang=${lang ?? nothing}>${name}</span>
    <span class="verdict" lang="da">${value}</span>
  </li>`;
}

function answered<Body>(reply: Reply<Body>, view: (body: Body) => Content): Content {
  if (!reply.ok)
    return html`<p class="notice warn">
      <strong>${t('Intet svar.', 'No answer.')}</strong> ${reply.message}
    </p>`;
  return html`${reply.facts.isStale ? oldNotice() : nothing} ${view(reply.body)}`;
}

function oldNotice(): TemplateResult {
  return html`<p class="notice warn">
    <strong>${t('Gammel kopi.', 'An old copy.')}</strong>
    ${t(
      'Registret svarer ikke; det viste er fra en kopi, der er over sin frist.',
      'The register does not answer; what is shown is from a copy past its limit.',
    )}
  </p>`;
}
