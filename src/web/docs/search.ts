import type { GuideHit } from '../../http/pages/guide-search.ts';
import { request, turns, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { html, render } from '../shared/template.ts';

const REST_MS = 250;
/** Between questions to a service that does not answer, and how many there are. */
const AWAY_MS = 5_000;
const MOST_TRIES = 200;

let hits: readonly GuideHit[] | null = null;
let trouble = '';
let tries = 0;
const nextQuestion = turns();
let timer: ReturnType<typeof setTimeout> | undefined;

export function installSearch(): void {
  byId('search').addEventListener('input', () => {
    tries = 0;
    lookAfter(REST_MS);
  });
}

function lookAfter(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void look(byIdAs('search', HTMLInputElement).value.trim()), ms);
}

async function look(text: string): Promise<void> {
  const isLatest = nextQuestion();
  const read = text === '' ? null : await ask(text).catch(wordsOf);
  if (!isLatest()) return;
  // What was found before answers another question.
  [hits, trouble] = typeof read === 'string' ? [null, read] : [read, ''];
  tries = trouble === '' ? 0 : tries + 1;
  if (tries > 0 && tries < MOST_TRIES) lookAfter(AWAY_MS);
  drawSearch();
}

async function ask(text: string): Promise<readonly GuideHit[]> {
  const response = await request(`docs/soeg.json?q=${encodeURIComponent(text)}`);
  return ((await response.json()) as { readonly fundet: readonly GuideHit[] }).fundet;
}

export function drawSearch(): void {
  const found = hits ?? [];
  const counted =
    found.length === 0
      ? t('Intet fundet.', 'Nothing found.')
      : t(`${found.length} steder`, `${found.length} places`);
  byId('search-said').textContent = trouble === '' && hits !== null ? counted : trouble;
  render(
    found.map(
      ({ href, da, en, heading, language, excerpt }) =>
        html`<li>
          <a href=${href}>${t(da, en)}${heading === '' ? '' : `: ${heading}`}</a>
          <p class="muted" lang=${language}>${excerpt}</p>
        </li>`,
    ),
    byId('found'),
  );
}
