/** A page by keyboard alone: where the focus is, whether it is seen, and the way to what one wants. */
import type { Page } from 'playwright-core';

/** More stops than any page has before what a person looks for. */
const MOST_STOPS = 120;

interface Focus {
  /** What a screen reader calls it, about: its label, its aria-label or its text. */
  readonly name: string;
  readonly id: string;
  /** What is wrong with how it is shown; empty: nothing. */
  readonly fault: string;
}

/** Asked inside the page. What has the focus is in the window and bears a mark that is not there without it. */
const FOCUS = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return { name: '', id: '', fault: 'nothing has the focus' };
  const box = at.getBoundingClientRect();
  const style = getComputedStyle(at);
  const isSeen = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const isMarked = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent;
  return {
    name: name.replaceAll(/\\s+/g, ' ').trim(),
    id: at.id,
    fault: !isSeen ? 'out of sight' : !isMarked ? 'no visible focus' : '',
  };
})()`;

export function focusOf(page: Page): Promise<Focus> {
  return page.evaluate<Focus>(FOCUS);
}

/** Presses Tab until what is called so, or has that id, has the focus. Throws when a stop on the way is not seen. */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  const stops: string[] = [];
  for (let n = 0; n < MOST_STOPS; n++) {
    await page.keyboard.press('Tab');
    const { name, id, fault } = await focusOf(page);
    // Past the last element the browser's own surface has its turn.
    if (id === '' && name === '') continue;
    stops.push(name === '' ? `#${id}` : name);
    if (fault !== '')
      throw new Error(`${fault} on the way to ${String(wanted)}: ${stops.join(' > ')}`);
    const isIt =
      typeof wanted === 'string' ? name === wanted || `#${id}` === wanted : wanted.test(name);
    if (isIt) return;
  }
  throw new Error(`Tab never comes to ${String(wanted)}: ${stops.join(' > ')}`);
}

export async function pressOn(page: Page, wanted: string | RegExp): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press('Enter');
}
