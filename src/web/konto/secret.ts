/** Shown this once: to be copied, then forgotten. */
import { copyText } from '../shared/copy.ts';
import { byId } from '../shared/dom.ts';
import { button, html, nothing } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { redraw } from './board.ts';

interface Secret {
  readonly secret: string;
  readonly title: () => string;
  readonly about: () => string;
  readonly copied: () => string;
  /** Has the focus afterwards. */
  readonly backTo: string;
}

let shown: Secret | null = null;
let isCopied = false;

export function showSecret(secret: Secret): void {
  [shown, isCopied] = [secret, false];
  redraw();
  byId('fresh').focus();
}

export function forgetSecret(): void {
  shown = null;
}

export function secretView(): Content {
  if (shown === null) return nothing;
  const { secret, title, about, backTo } = shown;
  const done = (): void => {
    forgetSecret();
    redraw();
    byId(backTo).focus();
  };
  return html`<section class="fresh card" id="fresh" aria-labelledby="fresh-title" tabindex="-1">
    <h2 id="fresh-title">${title()}</h2>
    <p>${t('Gem den nu: den vises kun denne ene gang.', 'Save it now: it is shown only once.')}</p>
    <div class="secret">
      <code id="fresh-secret">${secret}</code>
      ${button(isCopied ? t('Kopieret', 'Copied') : t('Kopiér', 'Copy'), copySecret, 'primary')}
    </div>
    <p class="muted">${about()}</p>
    <div class="buttons start">${button(t('Jeg har gemt den', 'I have saved it'), done)}</div>
  </section>`;
}

async function copySecret(): Promise<void> {
  if (shown === null) return;
  isCopied = await copyText(shown.secret, byId('fresh-secret'), shown.copied());
  redraw();
}
