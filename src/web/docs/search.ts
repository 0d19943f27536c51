/** Search over guides, operations and errors. */
import type { GuideHit } from '../../http/pages/guide-search.ts';
import { request, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs } from '../shared/dom.ts';
import { t } from '../shared/language.ts';
import { html, render } from '../shared/template.ts';

const REST_MS = 250;

let hits: readonly GuideHit[] | null = null;
let trouble = '';
let asked = 0;

export function installSearch(): void {
  const field = byIdAs('search', HTMLInputElement);
  let timer: ReturnType<typeof setTimeout> | undefined;
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(field.value.trim()), REST_MS);
  });
}

async function look(text: string): Promise<void> {
  asked += 1;
  const mine = asked;
  const read = text === '' ? null : await ask(text).catch(wordsOf);
  if (mine !== asked) return;
  if (typeof read === 'string') trouble = read;
  else [hits, trouble] = [read, ''];
  drawSearch();
}

async function ask(text: string): Promise<readonly GuideHit[]> {
  const response = await request(`docs/soeg.json?q=${encodeURIComponent(text)}`);
  return ((await response.json()) as { readonly fundet: readonly GuideHit[] }).fundet;
}

/** In the language of now. */
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
