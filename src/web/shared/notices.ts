import { byId, byIdAs, keepFocus } from './dom.ts';
import { html, render } from './template.ts';
import type { Content } from './template.ts';

const TOAST_MS = 6_000;

/** In a dialog that the keyboard and a screen reader stay inside. A text is a paragraph. */
export function confirmed(
  title: string,
  yes: string,
  content: readonly Content[],
): Promise<boolean> {
  const dialog = byIdAs('confirm', HTMLDialogElement);
  byId('confirm-title').textContent = title;
  const parts = content.map((part) => (typeof part === 'string' ? html`<p>${part}</p>` : part));
  render(parts, byId('confirm-text'));
  byId('confirm-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  byId('confirm-no').focus();
  return new Promise((resolve) => {
    const answer = (): void => {
      // What opened it may be gone.
      keepFocus(null, byId('indhold'));
      resolve(dialog.returnValue === 'yes');
    };
    dialog.addEventListener('close', answer, { once: true });
  });
}

let toastTimer: ReturnType<typeof setTimeout> | undefined;

export function toast(text: string, kind: 'good' | 'bad' = 'good'): void {
  const place = byId('toast');
  place.className = kind;
  place.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.textContent = ''), TOAST_MS);
}
