import { PROPERTY_WORDS } from '../../layers/words.ts';
import { DEGREE_DECIMALS, degreesOf, metresOf } from '../shared/coordinates.ts';
import { byId, show } from '../shared/dom.ts';
import { metres, signedMoment } from '../shared/format.ts';
import { html, note, nothing } from '../shared/template.ts';
import type { TemplateResult } from '../shared/template.ts';
import { inLanguage, t } from '../shared/language.ts';
import type { PlaceMap } from './map.ts';
import type { Answers } from './question.ts';

/** For what the map lacks; then it is printed without. */
const MAP_WAIT_MS = 5_000;

export function sheetFacts({
  place,
  askedAt,
  lines,
  areas,
  address,
}: Answers): readonly (readonly [string, string])[] {
  const { lon, lat } = degreesOf(place);
  const [x, y] = metresOf(place);
  const sources = [lines, areas, address].flatMap((each) =>
    each.ok ? [each.body.meta.kilde] : [],
  );
  return [
    ['WGS84', `lon ${degrees(lon)}, lat ${degrees(lat)}`],
    ['EPSG:25832', `x ${x.toFixed(2)}, y ${y.toFixed(2)}`],
    [t('Datageneration', 'Data generation'), lines.ok ? (lines.facts.generation ?? '–') : '–'],
    [t('Spurgt', 'Asked'), signedMoment(askedAt)],
    [t('Kilder', 'Sources'), [...new Set(sources)].join(', ')],
  ];
}

/** As many decimals as it was given with, at most to the millimetre. */
function degrees(value: number): string {
  return String(Number(value.toFixed(DEGREE_DECIMALS)));
}

export function sheetHead(answers: Answers): TemplateResult {
  const doubts = doubtsOf(answers).map((text) => note(text, ''));
  const about = `Geoopslag · ${t('Spurgt', 'Asked')} ${signedMoment(answers.askedAt)} · ${window.location.host}`;
  return html`<p class="sheet-title"><bdi>${titleOf(answers)}</bdi></p>
    <p>${about}</p>
    ${doubts.length === 0 ? nothing : html`<div class="notice bad">${doubts}</div>`}`;
}

export function titleOf({ place, subject, address }: Answers): string {
  if (subject !== null) return subject.name;
  if (address.ok) {
    const { betegnelse, afstand_m: far } = address.body.adresse;
    return far === 0 ? betegnelse : `${metres(far)} ${t('fra', 'from')} ${betegnelse}`;
  }
  const { lon, lat } = degreesOf(place);
  return `${degrees(lat)}, ${degrees(lon)}`;
}

/** Said before anything else on the sheet. */
function doubtsOf({ lines, rows }: Answers): readonly string[] {
  const unanswered = t('Ikke besvaret', 'Not answered');
  const noNo = t(
    'Arket siger ikke, at de ikke gælder her.',
    'The sheet does not say that they are not in force here.',
  );
  if (!lines.ok) return [`${unanswered}: ${inLanguage(PROPERTY_WORDS.lines)}. ${noNo}`];
  const named = (...verdicts: readonly string[]) =>
    rows.flatMap(({ verdict, name }) => (verdicts.includes(verdict) ? [name] : [])).join(', ');
  const [unknown, old] = [named('unavailable'), named('old-within', 'old-outside')];
  const fromOld = t('Fra en gammel kopi', 'From an old copy');
  const oldMeans = t('Det er ikke et svar for i dag.', 'That is no answer for today.');
  return [
    ...(unknown === '' ? [] : [`${unanswered}: ${unknown}. ${noNo}`]),
    ...(old === '' ? [] : [`${fromOld}: ${old}. ${oldMeans}`]),
  ];
}

export interface Printing {
  readonly map: () => PlaceMap | null;
  /** Whether the answers, or what is drawn of them, are on their way. */
  readonly isMeasuring: () => boolean;
}

/** Makes the browser's own command work; returns what the button does. */
export function installPrinting({ map, isMeasuring }: Printing): () => void {
  const sheet = byId('map-part').classList;
  const leave = (): void => {
    sheet.remove('sheet');
    map()?.fit();
  };
  // The sheet has another size than the window: the map is drawn in it first.
  window.addEventListener('beforeprint', () => {
    sheet.add('sheet');
    const isWhole = map()?.fit() ?? false;
    show(byId('sheet-partly'), !isWhole || isMeasuring());
  });
  window.addEventListener('afterprint', leave);
  return () => {
    sheet.add('sheet');
    const whole = map()?.fitWhole(MAP_WAIT_MS) ?? Promise.resolve(false);
    // The sheet is laid out while the browser prints: see above.
    void whole.then(() => window.print()).finally(leave);
  };
}
