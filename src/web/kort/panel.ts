/** The answers in words: what holds, how far, by which law, from which copy. */
import { PROPERTY_WORDS, THEME_WORDS, lineSource } from '../../layers/words.ts';
import {
  VERDICT_WORDS,
  answerSentence,
  distanceWords,
  groupsOf,
  noesWords,
} from '../shared/line-words.ts';
import { companyFacts } from '../shared/subject.ts';
import type { Subject } from '../shared/subject.ts';
import { h, s } from '../shared/dom.ts';
import type { Child } from '../shared/dom.ts';
import { inLanguage, language } from '../shared/language.ts';
import { areaRows } from '../shared/answers.ts';
import type { Areas, LineRow, NearestAddress, Reply } from '../shared/answers.ts';
import { COLOURS } from '../shared/colours.ts';
import { builtWords, fromNearestWords, metres, span } from '../shared/format.ts';
import { WORDS, dayText } from './words.ts';
import type { Words } from './words.ts';

/** A property, the fields the page shows. */
export interface Property {
  readonly bfe_nummer: number | null;
  readonly antal_bygninger: number;
  readonly jordstykker: readonly {
    readonly matrikelnummer: string | null;
    readonly ejerlav_navn: string | null;
  }[];
  readonly bygninger: readonly {
    readonly bygningsnummer: number | null;
    readonly anvendelse: { readonly tekst: string } | null;
    readonly opfoerelsesaar: number | null;
  }[];
}

function words(): Words {
  return inLanguage(WORDS);
}

/** Buildings named before the rest is a number. */
const MOST_BUILDINGS = 8;

/** What matters first; those without a neighbour fold into one line. `notDrawn`: a distance without its line. */
export function linesPart(
  reply: Reply<{ readonly soegeradius_m: number }>,
  rows: readonly LineRow[],
  notDrawn: ReadonlySet<string>,
): HTMLElement {
  const title = inLanguage(PROPERTY_WORDS.lines);
  if (!reply.ok) return part(title, failure(reply));
  const radiusM = reply.body.soegeradius_m;
  const { applies, unsure, near, none } = groupsOf(rows);
  const { text, kind } = answerSentence(rows, radiusM);
  const list = (shown: readonly LineRow[]) =>
    h(
      'ul',
      { class: 'lines-list' },
      ...shown.map((row) => lineItem(row, radiusM, notDrawn.has(row.key))),
    );
  return part(
    title,
    h('p', { class: `head ${kind}` }, text),
    list([...applies, ...unsure, ...near]),
    none.length > 0 &&
      h('details', { class: 'noes' }, h('summary', {}, noesWords(none, radiusM)), list(none)),
  );
}

function lineItem(row: LineRow, radiusM: number, isNotDrawn: boolean): HTMLElement {
  const far = distanceWords(row, radiusM);
  return h(
    'li',
    { class: `line-answer ${row.verdict}`, 'data-line': row.key },
    h('h4', {}, swatch(COLOURS[row.key]), row.name),
    h(
      'p',
      {},
      h('span', { class: 'verdict' }, inLanguage(VERDICT_WORDS[row.verdict])),
      far !== '' && ` · ${far}`,
    ),
    meaning(row),
    isNotDrawn && h('p', { class: 'small' }, words().notMeasured),
    h('p', { class: 'small muted' }, ...apart(details(row, radiusM)), ' · ', sourceOf(row)),
    documentLink(row),
  );
}

/** The register by its name; what programs call the layer is its title. */
function sourceOf({ key, source }: LineRow): HTMLElement {
  return h('span', { title: source }, `${words().source} ${inLanguage(lineSource(key))}`);
}

function meaning({ verdict }: LineRow): HTMLElement | null {
  const said = words();
  if (verdict === 'unavailable') {
    const isPartly = document.body.dataset['daekning'] !== undefined;
    return h('p', { class: 'small' }, isPartly ? said.unavailablePartly : said.unavailableMeans);
  }
  if (verdict === 'uncertain') return h('p', { class: 'small' }, said.uncertainMeans);
  return verdict.startsWith('old-') ? h('p', { class: 'small' }, said.oldMeans) : null;
}

function details(row: LineRow, radiusM: number): readonly string[] {
  const said = words();
  const { hit, ageS } = row;
  const since = hit?.gaeldende_fra ?? null;
  return [
    row.basis,
    ...(row.verdict !== 'unavailable' && row.count > 0
      ? [`${row.count} ${said.inForce} ${radiusM} m`]
      : []),
    ...(row.repealed > 0 ? [`${row.repealed} ${said.repealed}`] : []),
    ...(hit === null ? [] : [`${hit.objekt_id} (${hit.status.navn})`]),
    ...(since === null ? [] : [`${said.since} ${dayText(since, language())}`]),
    ...(ageS === null ? [] : [`${said.age} ${span(ageS)} ${said.ago}`]),
  ];
}

function documentLink({ hit }: LineRow): HTMLElement | null {
  const url = URL.parse(hit?.dokument_url ?? '');
  // What a register calls an address may be anything.
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null;
  return h(
    'p',
    { class: 'small' },
    h('a', { href: url.href, rel: 'noopener noreferrer', target: '_blank' }, words().document),
  );
}

/** A patch of a layer's colour; it says nothing that is not in words beside it. */
export function swatch(colour: string): SVGSVGElement {
  return s(
    'svg',
    { class: 'swatch', width: 14, height: 14, 'aria-hidden': 'true' },
    s('rect', { x: 1, y: 1, width: 12, height: 12, rx: 2, fill: colour }),
  );
}

export function areasPart(reply: Reply<Areas>): HTMLElement {
  if (!reply.ok) return part(inLanguage(PROPERTY_WORDS.areas), failure(reply));
  const rows = areaRows(reply.body).map(({ theme, name, code }): Pair => [
    inLanguage(THEME_WORDS[theme]),
    ...(name === null ? [words().noArea] : [h('bdi', {}, name), code === null ? '' : ` (${code})`]),
  ]);
  return part(inLanguage(PROPERTY_WORDS.areas), oldNotice(reply.facts.isStale), pairs(rows));
}

/** What was searched for; null: the place was named in another way. */
export function subjectPart(subject: Subject | null): HTMLElement | null {
  if (subject === null) return null;
  const { name, company } = subject;
  const facts = company === undefined ? [] : [pairs(companyFacts(company))];
  const shown = part(words().searched, h('p', {}, h('bdi', {}, name)), ...facts);
  shown.className = 'chosen';
  return shown;
}

export function addressPart(reply: Reply<NearestAddress>, radiusM: number): HTMLElement {
  const said = words();
  if (!reply.ok && reply.status === 404) {
    return part(
      inLanguage(PROPERTY_WORDS.nearestAddress),
      h('p', {}, `${said.noAddress} ${radiusM} m.`),
    );
  }
  if (!reply.ok) return part(inLanguage(PROPERTY_WORDS.nearestAddress), failure(reply));
  const { betegnelse, afstand_m: far } = reply.body.adresse;
  return part(
    inLanguage(PROPERTY_WORDS.nearestAddress),
    oldNotice(reply.facts.isStale),
    h('p', {}, ...apart([betegnelse, metres(far)])),
  );
}

/** Without a number there is nothing to ask; an address that was not answered may well have one. */
export function propertyPart({
  bfe,
  property: reply,
  subject,
  address,
}: {
  readonly bfe: number | null;
  readonly property: Reply<Property> | null;
  readonly subject: Subject | null;
  readonly address: Reply<NearestAddress>;
}): HTMLElement {
  const said = words();
  const isKnown = subject?.bfe !== undefined;
  if (bfe === null || reply === null) {
    if (isKnown || address.ok) return part(said.property, h('p', {}, said.notOne));
    if (address.status === 404) return part(said.property, h('p', {}, said.notNear));
    return part(said.property, h('p', { class: 'notice bad' }, `${said.failed}: ${said.notTold}`));
  }
  if (!reply.ok) return part(`${said.property} ${bfe}`, failure(reply));
  const { body, facts } = reply;
  const parcels = body.jordstykker.map(({ matrikelnummer, ejerlav_navn: name }) =>
    `${matrikelnummer ?? '?'} ${name ?? ''}`.trim(),
  );
  const named = body.bygninger.slice(0, MOST_BUILDINGS).map(buildingText);
  const more = body.antal_bygninger - named.length;
  const far = !isKnown && address.ok ? address.body.adresse.afstand_m : 0;
  return part(
    said.property,
    oldNotice(facts.isStale),
    far > 0 && h('p', { class: 'small muted' }, fromNearestWords(far)),
    pairs([
      [inLanguage(PROPERTY_WORDS.bfe), String(bfe)],
      [inLanguage(PROPERTY_WORDS.parcel), ...(parcels.length === 0 ? ['–'] : apart(parcels, ', '))],
      [inLanguage(PROPERTY_WORDS.buildings), String(body.antal_bygninger)],
      ...named.map((texts): Pair => ['', ...apart(texts)]),
      ...(more > 0 ? [['', `+ ${more}`] as const] : []),
    ]),
  );
}

function buildingText({
  bygningsnummer: no,
  anvendelse: use,
  opfoerelsesaar: year,
}: Property['bygninger'][number]): readonly string[] {
  return [String(no ?? '?'), use?.tekst, builtWords(year)].filter((text) => text !== undefined);
}

/** What stands on a printed sheet: which place, when it was asked, of which generation, from where. */
export function sheetPart(facts: readonly (readonly [string, string])[]): HTMLElement {
  return part(words().place, pairs(facts));
}

function oldNotice(isOld: boolean): HTMLElement | null {
  return isOld ? h('p', { class: 'notice warn' }, words().oldMeans) : null;
}

function failure({ message }: { readonly message: string }): HTMLElement {
  return h('p', { class: 'notice bad' }, `${words().failed}: ${message}`);
}

/** A term and what is said of it. */
type Pair = readonly [string, ...Child[]];

function pairs(rows: readonly Pair[]): HTMLElement {
  return h(
    'dl',
    { class: 'pairs' },
    ...rows.flatMap(([term, ...said]) => [h('dt', {}, term), h('dd', {}, ...said)]),
  );
}

/** Texts of one line. Marks of writing direction in one do not turn round what stands beside it. */
function apart(texts: readonly string[], between = ' · '): readonly Child[] {
  return texts.flatMap((text, at) => [at > 0 && between, h('bdi', {}, text)]);
}

function part(title: string, ...children: readonly Child[]): HTMLElement {
  return h('section', {}, h('h3', {}, title), ...children);
}
