/** Templates without directives (ADR 13); `html.ts` has more. */
import { html, nothing } from 'lit-html';
import type { TemplateResult } from 'lit-html';
import { joints } from './dom.ts';

export { html, nothing, render, svg } from 'lit-html';
export type { TemplateResult } from 'lit-html';

/** What a template may hold as text or as a part of it. */
export type Content = TemplateResult | Node | string | typeof nothing;

/** What went wrong; nothing where it is empty. */
export function badNotice(text: string): Content {
  return text === '' ? nothing : html`<p class="notice bad" role="alert">${text}</p>`;
}

/** A paragraph; its kind is a class of the styles. */
export function note(text: Content, kind = 'muted'): TemplateResult {
  return html`<p class=${kind}>${text}</p>`;
}

/** A name that may break at its joints; its text is unchanged. */
export function jointedName(name: string): readonly Content[] {
  return joints(name).map((part, at) =>
    at === 0 ? part : html`<span class="joint">${part}</span>`,
  );
}
