import { THEMES } from '../../layers/keys.ts';
import type { Areas, LineRow, NearestAddress, Property, Reply } from '../shared/answers.ts';
import { PROPERTY_WORDS, THEME_WORDS, lineSource } from '../../layers/words.ts';
import { COLOURS } from '../shared/colours.ts';
import { builtWords, dayText, fromNearestWords, metres, span } from '../shared/format.ts';
import { html, note, nothing, svg } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';
import { inLanguage, t } from '../shared/language.ts';
import {
  VERDICT_WORDS,
  answerSentence,
  distanceWords,
  groupsOf,
  noesWords,
} from '../shared/line-words.ts';
import { companyFacts } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';

const MOST_BUILDINGS = 8;

/** What matters first; the rest is folded. `notDrawn`: a distance without its line. */
export function linesPart(
  reply: Reply<{ readonly soegeradius_m: number }>,
  rows: readonly LineRow[],
  notDrawn: ReadonlySet<string>,
): Content {
  const title = inLanguage(PROPERTY_WORDS.lines);
  if (!reply.ok) return part(title, failure(reply));
  const { soegeradius_m: radiusM } = reply.body;
  const { applies, unsure, near, none } = groupsOf(rows);
  const { text, kind } = answerSentence(rows, radiusM);
  const list = (shown: readonly LineRow[]) =>
    html`<ul class="lines-list">
      ${shown.map((row) => lineItem(row, radiusM, notDrawn.has(row.key)))}
    </ul>`;
  const noes = html`<details class="noes">
    <summary>${noesWords(none, radiusM)}</summary>
    ${list(none)}
  </details>`;
  return part(title, note(text, `head ${kind}`), [
    list([...applies, ...unsure, ...near]),
    none.length > 0 ? noes : nothing,
  ]);
}

function lineItem(row: LineRow, radiusM: number, isNotDrawn: boolean): TemplateResult {
  const { key, verdict, name, source } = row;
  const far = distanceWords(row, radiusM);
  const notMeasured = t(
    'Afstanden kan ikke tegnes: geometrien kunne ikke læses.',
    'The distance cannot be drawn: the geometry could not be read.',
  );
  // What programs call the layer is its title.
  const register = `${t('kilde', 'source')} ${inLanguage(lineSource(key))}`;
  return html`<li class="line-answer ${verdict}" data-line=${key}>
    <h4>${swatch(COLOURS[key])}${name}</h4>
    <p><span class="verdict">${inLanguage(VERDICT_WORDS[verdict])}</span>${far && ` · ${far}`}</p>
    ${small(meaningOf(row))}${isNotDrawn ? small(notMeasured) : nothing}
    <p class="small muted">
      ${apart(details(row, radiusM))} · <span title=${source}>${register}</span>
    </p>
    ${documentLink(row)}
  </li>`;
}

function small(text: string): Content {
  return text === '' ? nothing : note(text, 'small');
}

function meaningOf({ verdict }: LineRow): string {
  if (verdict.startsWith('old-')) return oldMeans();
  if (verdict === 'uncertain')
    return t(
      'Registreringen er ikke endeligt vedtaget.',
      'The registration is not finally adopted.',
    );
  if (verdict !== 'unavailable') return '';
  return document.body.dataset['daekning'] === undefined
    ? t(
        'Kilden kunne ikke læses. Det betyder ikke, at linjen ikke gælder her.',
        'The source could not be read. That does not mean the line is not in force here.',
      )
    : t(
        'Kilden kunne ikke læses, eller den dækker ikke stedet og det, der ligger omkring. Det betyder ikke, at linjen ikke gælder her.',
        'The source could not be read, or does not cover the place and what lies around it. That does not mean the line is not in force here.',
      );
}

function details(row: LineRow, radiusM: number): readonly string[] {
  const { basis, verdict, count, repealed, hit, ageS } = row;
  const since = hit?.gaeldende_fra ?? null;
  return [
    basis,
    verdict !== 'unavailable' &&
      count > 0 &&
      `${count} ${t('registreret inden for', 'registered within')} ${radiusM} m`,
    repealed > 0 && `${repealed} ${t('ophævet', 'repealed')}`,
    hit !== null && `${hit.objekt_id} (${hit.status.navn})`,
    since !== null && `${t('gældende fra', 'in force since')} ${dayText(since)}`,
    ageS !== null && `${t('kontrolleret for', 'checked')} ${span(ageS)} ${t('siden', 'ago')}`,
  ].filter((text) => text !== false);
}

function documentLink({ hit }: LineRow): Content {
  const url = URL.parse(hit?.dokument_url ?? '');
  // What a register calls an address may be anything.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return nothing;
  return html`<p class="small">
    <a href=${url.href} rel="noopener noreferrer" target="_blank">${t('dokument', 'document')}</a>
  </p>`;
}

/** It says nothing that is not in words too. */
export function swatch(colour: string): TemplateResult {
  const patch = svg`<rect x="1" y="1" width="12" height="12" rx="2" fill=${colour}></rect>`;
  return html`<svg class="swatch" width="14" height="14" aria-hidden="true">${patch}</svg>`;
}

/** All themes (D44): at sea there is no area. */
export function areasPart(reply: Reply<Areas>): Content {
  const title = inLanguage(PROPERTY_WORDS.areas);
  if (!reply.ok) return part(title, failure(reply));
  const rows = THEMES.flatMap((theme): readonly Pair[] => {
    const name = inLanguage(THEME_WORDS[theme]);
    const found = reply.body.omraader.filter(({ tema }) => tema === theme);
    if (found.length === 0) return [[name, t('intet område her', 'no area here')]];
    return found.map(({ navn, kode }) => [
      name,
      html`<bdi>${navn}</bdi>${kode === null ? '' : ` (${kode})`}`,
    ]);
  });
  return part(title, oldNotice(reply), pairs(rows));
}

/** What was searched for; null: the place was named in another way. */
export function subjectPart(subject: Subject | null): Content {
  if (subject === null) return nothing;
  const { name, company } = subject;
  return html`<section class="chosen">
    <h3>${t('Søgt', 'Searched for')}</h3>
    <p><bdi>${name}</bdi></p>
    ${company === undefined ? nothing : pairs(companyFacts(company))}
  </section>`;
}

export function addressPart(reply: Reply<NearestAddress>, radiusM: number): Content {
  const title = inLanguage(PROPERTY_WORDS.nearestAddress);
  if (!reply.ok) {
    const none = t(`Ingen adresse inden for ${radiusM} m.`, `No address within ${radiusM} m.`);
    return part(title, reply.status === 404 ? note(none, '') : failure(reply));
  }
  const { betegnelse, afstand_m: far } = reply.body.adresse;
  return part(title, oldNotice(reply), note(apart([betegnelse, metres(far)]), ''));
}

interface Told {
  readonly bfe: number | null;
  readonly property: Reply<Property> | null;
  readonly parcels: Reply<unknown> | null;
  readonly subject: Subject | null;
  readonly address: Reply<NearestAddress>;
}

export function propertyPart({
  bfe,
  property: reply,
  parcels: outlines,
  subject,
  address,
}: Told): Content {
  const title = t('Ejendom', 'Property');
  const isKnown = subject?.bfe !== undefined;
  if (bfe === null || reply === null) return part(title, withoutProperty(isKnown, address));
  if (!reply.ok) return part(`${title} ${bfe}`, failure(reply));
  const { jordstykker, bygninger, antal_bygninger: count } = reply.body;
  const parcels = jordstykker.map(({ matrikelnummer, ejerlav_navn: name }) =>
    `${matrikelnummer ?? '?'} ${name ?? ''}`.trim(),
  );
  const named = bygninger.slice(0, MOST_BUILDINGS);
  const more = count - named.length;
  const far = !isKnown && address.ok ? address.body.adresse.afstand_m : 0;
  const notDrawn = t(
    'Ejendommens jordstykker kunne ikke tegnes.',
    "The property's parcels could not be drawn.",
  );
  return part(
    title,
    [
      oldNotice(reply),
      far > 0 ? note(fromNearestWords(far), 'small muted') : nothing,
      outlines?.ok === false ? note(notDrawn, 'small') : nothing,
    ],
    pairs([
      [inLanguage(PROPERTY_WORDS.bfe), String(bfe)],
      [inLanguage(PROPERTY_WORDS.parcel), parcels.length === 0 ? '–' : apart(parcels, ', ')],
      [inLanguage(PROPERTY_WORDS.buildings), String(count)],
      ...named.map((building): Pair => ['', apart(buildingTexts(building))]),
      ...(more > 0 ? [['', `+ ${more}`] as const] : []),
    ]),
  );
}

/** An address that was not answered may well have a number. */
function withoutProperty(isKnown: boolean, address: Reply<NearestAddress>): Content {
  if (isKnown || address.ok)
    return note(t('Adressen har intet BFE-nummer.', 'The address has no BFE number.'), '');
  const notNear = t(
    'Ingen adresse i nærheden at slå ejendommen op fra.',
    'No address near by to look the property up from.',
  );
  if (address.status === 404) return note(notNear, '');
  const message = t(
    'adressen, ejendommen slås op fra, er ikke besvaret.',
    'the address it is looked up from was not answered.',
  );
  return failure({ message });
}

function buildingTexts({
  bygningsnummer: no,
  anvendelse: use,
  opfoerelsesaar: year,
}: Property['bygninger'][number]): readonly string[] {
  return [String(no ?? '?'), use?.tekst, builtWords(year)].filter((text) => text !== undefined);
}

export function sheetPart(facts: readonly (readonly [string, string])[]): Content {
  return part(t('Sted', 'Place'), pairs(facts));
}

function oldMeans(): string {
  return t(
    'Kopien er for gammel til at stå for et svar i dag. Spørg igen, når kilden svarer.',
    'The copy is too old to answer for today. Ask again when the source answers.',
  );
}

function oldNotice({ facts }: { readonly facts: { readonly isStale: boolean } }): Content {
  return facts.isStale ? note(oldMeans(), 'notice warn') : nothing;
}

function failure({ message }: { readonly message: string }): Content {
  const words = t(`Kunne ikke besvares: ${message}`, `Could not be answered: ${message}`);
  return note(words, 'notice bad');
}

type Pair = readonly [term: string, said: unknown];

function pairs(rows: readonly Pair[]): TemplateResult {
  return html`<dl class="pairs">
    ${rows.map(
      ([term, said]) =>
        html`<dt>${term}</dt>
          <dd>${said}</dd>`,
    )}
  </dl>`;
}

/** Marks of writing direction in one do not turn the next. */
function apart(texts: readonly string[], between = ' · '): TemplateResult {
  return html`${texts.map((text, at) => html`${at > 0 ? between : ''}<bdi>${text}</bdi>`)}`;
}

function part(title: string, ...content: readonly unknown[]): TemplateResult {
  return html`<section>
    <h3>${title}</h3>
    ${content}
  </section>`;
}
