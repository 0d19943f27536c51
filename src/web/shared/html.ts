/** ADR 13. Nothing from the network is ever markup. */
import { live } from 'lit-html/directives/live.js';
import { byId, byIdAs, keepFocus } from './dom.ts';
import { t } from './language.ts';
import { html, nothing, render } from './template.ts';
import type { Content, TemplateResult } from './template.ts';

export * from './template.ts';
export { repeat } from 'lit-html/directives/repeat.js';
export { when } from 'lit-html/directives/when.js';

interface RowsTable {
  readonly head: readonly Content[];
  /** The first cell names its row. */
  readonly rows: readonly (readonly Content[])[];
  /** From 0. */
  readonly isNumber?: (column: number) => boolean;
  readonly caption?: string;
}

export function rowsTable({ head, rows, isNumber, caption }: RowsTable): TemplateResult {
  const kind = (at: number) => (isNumber?.(at) === true ? 'number' : nothing);
  return html`<table>
    ${
      caption === undefined
        ? nothing
        : html`<caption class="visually-hidden">
            ${caption}
          </caption>`
    }
    <thead>
      <tr>
        ${head.map((name, at) => html`<th scope="col" class=${kind(at)}>${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...rest]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${rest.map((cell, at) => html`<td class=${kind(at + 1)}>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** `name` is for screen readers. */
export function scrolledPart(name: string, content: Content): TemplateResult {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}>${content}</div>`;
}

export function factList(facts: readonly (readonly [name: string, value: unknown])[]) {
  return html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export type Choice = readonly [value: string, words: string];
export type SelectField = readonly [
  id: string,
  label: string,
  choices: readonly Choice[],
  chosen: string,
];

/** Shows what is chosen now, whatever the reader tried; a change is heard above it. */
export function selectField([id, label, choices, chosen]: SelectField): TemplateResult {
  return html`<label for=${id}>${label}</label>
    <select id=${id}>
      ${choices.map(
        ([value, words]) =>
          html`<option value=${value} .selected=${live(value === chosen)}>${words}</option>`,
      )}
    </select>`;
}

interface FileField {
  readonly id: string;
  readonly label: string;
  readonly accept: string;
  readonly open?: (file: File) => unknown;
}

export function fileField({ id, label, accept, open }: FileField): TemplateResult {
  const onChange = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const [file] = input.files ?? [];
    byIdAs(`${id}-name`, HTMLOutputElement).value = file?.name ?? '';
    if (file === undefined || open === undefined) return;
    open(file);
    // So that the same file can be chosen again.
    input.value = '';
  };
  return html`<label for=${id} id="${id}-label">${label}</label>
    <input type="file" id=${id} name=${id} accept=${accept} hidden @change=${onChange} />
    <div>
      <button
        type="button"
        id="${id}-pick"
        aria-describedby="${id}-label ${id}-hint"
        @click=${() => byId(id).click()}
      >
        ${t('Vælg fil', 'Choose a file')}
      </button>
      <output class="muted" id="${id}-name"></output>
    </div>`;
}

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
    dialog.onclose = () => {
      // What opened it may be gone.
      keepFocus(null, byId('indhold'));
      resolve(dialog.returnValue === 'yes');
    };
  });
}
