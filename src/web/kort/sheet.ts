/** The printed sheet: its head, and whether its map is complete. */
import { byId, h, show } from '../shared/dom.ts';
import { inLanguage, language } from '../shared/language.ts';
import { DEGREE_DECIMALS, degreesOf, metresOf } from '../shared/coordinates.ts';
import type { PlaceMap } from './map.ts';
import type { Answers } from './question.ts';
import { metres } from '../shared/format.ts';
import { PROPERTY_WORDS } from '../../layers/words.ts';
import { WORDS } from './words.ts';

/** How long what the sheet's map lacks is waited for, milliseconds; then it is printed without. */
const MAP_WAIT_MS = 5_000;

/** Which place, when it was asked, of which generation, from where. */
export function sheetFacts({
  place,
  askedAt,
  lines,
  areas,
  address,
}: Answers): readonly (readonly [string, string])[] {
  const said = inLanguage(WORDS);
  const { lon, lat } = degreesOf(place);
  const [x, y] = metresOf(place);
  const sources = new Set([
    ...(lines.ok ? [lines.body.meta.kilde] : []),
    ...(areas.ok ? [areas.body.meta.kilde] : []),
    ...(address.ok ? [address.body.meta.kilde] : []),
  ]);
  return [
    ['WGS84', `lon ${degrees(lon)}, lat ${degrees(lat)}`],
    ['EPSG:25832', `x ${x.toFixed(2)}, y ${y.toFixed(2)}`],
    [said.generation, lines.ok ? (lines.facts.generation ?? '–') : '–'],
    [said.asked, timeText(askedAt)],
    [said.sources, [...sources].join(', ')],
  ];
}

/** As many decimals as it was given with, at most to the millimetre. */
function degrees(value: number): string {
  return String(Number(value.toFixed(DEGREE_DECIMALS)));
}

function timeText(at: Date): string {
  return at.toLocaleString(language() === 'en' ? 'en-GB' : 'da-DK', {
    timeZone: 'Europe/Copenhagen',
    dateStyle: 'long',
    timeStyle: 'medium',
  });
}

/** Names the page after the place, and fills the head of the sheet. */
export function drawSheetHead(answers: Answers): void {
  const title = titleOf(answers);
  document.title = `${title} · ${inLanguage(WORDS).map} · Geoopslag`;
  byId('sheet-title').replaceChildren(h('bdi', {}, title));
  byId('sheet-about').textContent =
    `Geoopslag · ${inLanguage(WORDS).asked} ${timeText(answers.askedAt)} · ${window.location.host}`;
  const doubts = doubtsOf(answers);
  byId('sheet-doubts').replaceChildren(...doubts.map((text) => h('p', {}, text)));
  show(byId('sheet-doubts'), doubts.length > 0);
}

function titleOf({ place, subject, address }: Answers): string {
  if (subject !== null) return subject.name;
  if (address.ok) {
    const { betegnelse, afstand_m: far } = address.body.adresse;
    if (far === 0) return betegnelse;
    return `${metres(far)} ${inLanguage(WORDS).from} ${betegnelse}`;
  }
  const { lon, lat } = degreesOf(place);
  return `${degrees(lat)}, ${degrees(lon)}`;
}

/** What the sheet does not answer, or not for today: said before anything else on it. */
function doubtsOf({ lines, rows }: Answers): readonly string[] {
  const said = inLanguage(WORDS);
  if (!lines.ok)
    return [`${said.sheetUnanswered}: ${inLanguage(PROPERTY_WORDS.lines)}. ${said.sheetNoNo}`];
  const named = (...verdicts: readonly string[]) =>
    rows.filter(({ verdict }) => verdicts.includes(verdict)).map(({ name }) => name);
  const unknown = named('unavailable');
  const old = named('old-within', 'old-outside');
  return [
    ...(unknown.length > 0
      ? [`${said.sheetUnanswered}: ${unknown.join(', ')}. ${said.sheetNoNo}`]
      : []),
    ...(old.length > 0 ? [`${said.sheetOld}: ${old.join(', ')}. ${said.sheetOldMeans}`] : []),
  ];
}

export interface Printing {
  readonly map: () => PlaceMap | null;
  /** Whether the answers are not yet there, or what is drawn of them. */
  readonly isMeasuring: () => boolean;
}

/** Makes the button work, and the browser's own command. */
export function installPrinting({ map, isMeasuring }: Printing): void {
  const tell = (isWhole: boolean): void => {
    show(byId('sheet-partly'), !isWhole || isMeasuring());
  };
  const enter = (): void => {
    byId('map-part').classList.add('sheet');
  };
  byId('print').addEventListener('click', () => {
    enter();
    const whole = map()?.fitWhole(MAP_WAIT_MS) ?? Promise.resolve(false);
    // The sheet is laid out while the browser prints: see below.
    void whole.then(() => window.print()).finally(leave);
  });
  const leave = (): void => {
    byId('map-part').classList.remove('sheet');
    map()?.fit();
  };
  // The sheet has another size than the window: the map is drawn in it before the browser takes it.
  window.addEventListener('beforeprint', () => {
    enter();
    tell(map()?.fit() ?? false);
  });
  window.addEventListener('afterprint', leave);
}
