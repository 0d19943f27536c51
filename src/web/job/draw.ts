import { html } from '../shared/html.ts';
import type { Content } from '../shared/html.ts';

export const FILE_TYPES = '.csv,.txt,.tsv,.ndjson,.jsonl,.xlsx,.xlsm';

export let redraw = (): void => undefined;

export function onDraw(act: () => void): void {
  redraw = act;
}

/** Kept in the page, so that a screen reader hears it change. */
export function warnNotice(id: string, text: string): Content {
  return html`<p class="notice warn" id=${id} role="status" ?hidden=${text === ''}>${text}</p>`;
}
