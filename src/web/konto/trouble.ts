/** What every part of the page does with an error. */
import { Refused, wordsOf } from '../shared/ask.ts';

let leave: (why: string) => void = () => undefined;

/** @param act what is done when the session turns out to have ended */
export function onSignedOut(act: (why: string) => void): void {
  leave = act;
}

/** What went wrong, in words; null: nobody is signed in any more, and the page has said so. */
export function troubleOf(error: unknown): string | null {
  if (error instanceof Refused && error.status === 401) {
    leave(error.message);
    return null;
  }
  return wordsOf(error);
}

/** Draws again and returns the focus to the element with the same `data-key`, else to the named one. */
export function keepingFocus(draw: () => void, otherwise: HTMLElement): void {
  const held = document.activeElement?.getAttribute('data-key') ?? null;
  draw();
  if (held === null) return;
  const again = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(held)}"]`);
  (again ?? otherwise).focus();
}
