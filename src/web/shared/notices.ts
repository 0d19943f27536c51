import { byId } from './dom.ts';

const TOAST_MS = 6_000;

let toastTimer: ReturnType<typeof setTimeout> | undefined;

/** An error stays until the reader goes on. */
export function toast(text: string, kind: 'good' | 'bad' = 'good'): void {
  const place = byId('toast');
  const clear = (): void => {
    document.onkeydown = document.onpointerdown = null;
    place.textContent = '';
  };
  clearTimeout(toastTimer);
  clear();
  place.className = kind;
  place.textContent = text;
  toastTimer = setTimeout(() => {
    if (kind === 'good') clear();
    else document.onkeydown = document.onpointerdown = clear;
  }, TOAST_MS);
}
