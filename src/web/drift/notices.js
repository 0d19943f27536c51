/** What every page says: a question before a deed, and a word after it. */
import { byId } from './dom.js';

const TOAST_MS = 6_000;

/** Asks first, in a dialog that the keyboard and a screen reader stay inside. */
export function confirmed(title, yes, content) {
  const dialog = byId('confirm');
  byId('confirm-title').textContent = title;
  byId('confirm-text').replaceChildren(...content);
  byId('confirm-yes').textContent = yes;
  dialog.returnValue = 'no';
  dialog.showModal();
  byId('confirm-no').focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

let toastTimer;

/** A word that goes away by itself. */
export function toast(text, kind = 'good') {
  const place = byId('toast');
  place.className = kind;
  place.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (place.textContent = ''), TOAST_MS);
}
