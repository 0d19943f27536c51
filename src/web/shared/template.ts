/** Templates without directives (ADR 13); `html.ts` has more. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { joints } from './dom.ts';

export { html, nothing, render, svg } from 'lit-html';
export type { TemplateResult } from 'lit-html';

export type Content = TemplateResult | Node | string | typeof nothing;

/** Nothing where it is empty. */
export function badNotice(text: string): Content {
  return text === '' ? nothing : html`<p class="notice bad" role="alert">${text}</p>`;
}

/** `kind`: a class. */
export function button(text: Content, deed: () => unknown, kind?: string): TemplateResult {
  return html`<button type="button" class=${kind ?? nothing} @click=${deed}>${text}</button>`;
}

/** `kind`: a class. */
export function note(text: Content, kind = 'muted'): TemplateResult {
  return html`<p class=${kind}>${text}</p>`;
}

/** Its text is unchanged. */
export function jointedName(name: string): readonly Content[] {
  return joints(name).map((part, at) =>
    at === 0 ? part : html`<span class="joint">${part}</span>`,
  );
}
