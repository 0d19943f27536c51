/** Drawing the page again, and what more than one part of it is made of. */
import { html } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';

export const FILE_TYPES = '.csv,.txt,.tsv,.ndjson,.jsonl,.xlsx,.xlsm';

let draw: () => void = () => undefined;

export function onDraw(act: () => void): void {
  draw = act;
}

/** In the language of now. */
export function redraw(): void {
  draw();
}

/** What is to be known of what is shown; kept in the page, so that a screen reader hears it change. */
export function warnNotice(id: string, text: string): Content {
  return html`<p class="notice warn" id=${id} role="status" ?hidden=${text === ''}>${text}</p>`;
}
