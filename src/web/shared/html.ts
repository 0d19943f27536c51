/** Templates of the pages (ADR 13). Text in a template is always text: nothing from the network is ever markup. */
export { html, nothing, render, svg } from 'lit-html';
export type { TemplateResult } from 'lit-html';
export { live } from 'lit-html/directives/live.js';
export { ref } from 'lit-html/directives/ref.js';
export { repeat } from 'lit-html/directives/repeat.js';
