/** Search over guides, operations and errors. */
import type { GuideHit } from '../../http/pages/guide-search.ts';
import { request, wordsOf } from '../shared/ask.ts';
import { byId, byIdAs, h } from '../shared/dom.ts';
import { t } from '../shared/language.ts';

const REST_MS = 250;

let hits: readonly GuideHit[] | null = null;
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
  if (text === '') {
    hits = null;
    drawSearch();
    return;
  }
  try {
    const response = await request(`docs/soeg.json?q=${encodeURIComponent(text)}`);
    const { fundet } = (await response.json()) as { readonly fundet: readonly GuideHit[] };
    if (mine !== asked) return;
    hits = fundet;
    drawSearch();
  } catch (error) {
    if (mine === asked) byId('search-said').textContent = wordsOf(error);
  }
}

/** In the language of now. */
export function drawSearch(): void {
  byId('search-said').textContent =
    hits === null
      ? ''
      : hits.length === 0
        ? t('Intet fundet.', 'Nothing found.')
        : t(`${hits.length} steder`, `${hits.length} places`);
  byId('found').replaceChildren(
    ...(hits ?? []).map(({ href, da, en, heading, language, excerpt }) => {
      const title = t(da, en);
      return h(
        'li',
        {},
        h('a', { href }, heading === '' ? title : `${title}: ${heading}`),
        h('p', { class: 'muted', lang: language }, excerpt),
      );
    }),
  );
}
