import { lineRows } from '../shared/answers.ts';
import { copyText } from '../shared/copy.ts';
import { fromNearestWords } from '../shared/format.ts';
import { t } from '../shared/language.ts';
import { answerSentence } from '../shared/line-words.ts';
import { partsOf } from '../shared/place-address.ts';
import { button, html, note, nothing } from '../shared/template.ts';
import type { Content, TemplateResult } from '../shared/template.ts';
import type { Place } from '../shared/coordinates.ts';
import { linesPath } from './api.ts';
import { areasView, companyView, heightView, linesView, propertyView } from './place.ts';
import type * as Programs from './programs.ts';
import { answerText, coordinateWords, linkOf, nameOf, sourceWords } from './shown.ts';
import type { Shown } from './shown.ts';

interface Around {
  /** undefined: none, or not there yet. */
  readonly map: Content | undefined;
  readonly askAgain: () => void;
  readonly draw: () => void;
}

export function placeView(shown: Shown, { map, askAgain, draw }: Around): TemplateResult {
  const { isExample, place, subject, nearest, lines, areas, height, property } = shown;
  const about =
    place === null
      ? t('Uden et punkt på kortet', 'Without a point on the map')
      : `${coordinateWords(place)} (WGS84)`;
  return html`<div class="place-head">
      <h2>
        <span class="badge" id="place-example" ?hidden=${!isExample}>
          ${t('Et eksempel', 'An example')}
        </span>
        <span id="place-title">${nameOf(shown)}</span>
      </h2>
      ${note(about)}
    </div>
    <div class="buttons start no-print">
      ${
        place === null
          ? nothing
          : button(t('Kopiér svaret', 'Copy the answer'), () => copyText(answerText(shown)))
      }
      ${button(t('Kopiér link', 'Copy a link'), () => copyText(linkOf(shown)))}
      ${button(t('Udskriv', 'Print'), () => window.print())}
      ${
        place === null
          ? nothing
          : html`<a id="to-map" href="kort#${partsOf({ place, named: subject }).join('&')}">
              ${t('Se det på kortet', 'See it on the map')}
            </a>`
      }
    </div>
    <pre class="wrap no-print" id="copy-text" hidden></pre>
    <div class="parts">
      ${sentenceView(lines)} ${place === null ? nothing : html`<figure id="map">${map}</figure>`}
      ${part(subject?.company, companyView, {
        ...{ id: 'company', title: t('Virksomheden', 'The company'), place: 'wide' },
      })}
      ${part(lines, (reply) => linesView(reply, askAgain), {
        id: 'lines',
        title: t('Byggelinjer og beskyttet natur', 'Building lines and protected nature'),
      })}
      ${part(property, (told) => html`${farNote(nearest?.afstand_m ?? 0)}${propertyView(told)}`, {
        ...{ id: 'property', title: t('Ejendommen', 'The property'), place: 'property' },
      })}
      ${part(areas, areasView, { id: 'areas', title: t('Områder', 'Areas') })}
      ${part(height, heightView, { id: 'height', title: t('Højde', 'Height') })}
    </div>
    <p class="muted hint" id="source">${sourceWords(shown)}</p>
    ${place === null ? nothing : programsView(place, draw)}`;
}

interface Part {
  readonly id: string;
  readonly title: string;
  readonly place?: string;
}

/** Nothing where it was not asked for. */
function part<Told>(
  told: Told | null | undefined,
  view: (told: Told) => Content,
  { id, title, place = 'left' }: Part,
): Content {
  if (told === null || told === undefined) return nothing;
  return html`<section class=${place} aria-labelledby="${id}-title">
    <h3 id="${id}-title">${title}</h3>
    <div id=${id}>${view(told)}</div>
  </section>`;
}

function farNote(farM: number): Content {
  const words = fromNearestWords(farM);
  return words === '' ? nothing : note(words, 'muted hint');
}

function sentenceView(lines: Shown['lines']): Content {
  if (lines?.ok !== true) return nothing;
  const { text, kind } = answerSentence(lineRows(lines, new Map()), lines.body.soegeradius_m);
  return html`<p class="sentence left ${kind}" id="sentence">${text}</p>`;
}

let programs: typeof Programs | null = null;

function programsView(place: Place, draw: () => void): TemplateResult {
  const open = async (): Promise<void> => {
    programs ??= await import('./programs.ts');
    draw();
  };
  const url = `${new URL('.', window.location.href).href}${linesPath(place)}`;
  return html`<details class="no-print" @toggle=${open}>
    <summary>${t('Sådan spørger et program', 'How a program asks the same')}</summary>
    ${programs?.programView(url, draw)}
  </details>`;
}
