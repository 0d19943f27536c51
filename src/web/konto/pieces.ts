import { byIdAs } from '../shared/dom.ts';
import { badNotice, button, confirmed, html, nothing, repeat } from '../shared/html.ts';
import type { Content, TemplateResult } from '../shared/html.ts';
import { t } from '../shared/language.ts';
import { redraw, troubleOf } from './board.ts';
import type { Part } from './board.ts';
import { quoted } from './words.ts';

interface Section {
  readonly id: string;
  readonly title: Content;
  readonly button?: Content;
}

export function section({ id, title, button = nothing }: Section, content: Content) {
  return html`<section id="${id}-part" aria-labelledby="${id}-title">
    <div class="heading">
      <h2 id="${id}-title">${title}</h2>
      ${button}
    </div>
    ${content}
  </section>`;
}

export function newButton(id: string, isShown: boolean, text: string, deed: () => unknown) {
  return html`<button type="button" class="primary" id=${id} ?hidden=${!isShown} @click=${deed}>
    ${text}
  </button>`;
}

interface Rows<Value> {
  readonly id: string;
  readonly item: (value: Value) => TemplateResult;
  readonly none: string;
}

export function rowList<Value extends { readonly id: string }>(
  { value, trouble }: Pick<Part<readonly Value[]>, 'value' | 'trouble'>,
  { id, item, none }: Rows<Value>,
): TemplateResult {
  const rows = value ?? [];
  return html`${badNotice(trouble)}
    <ul class="rows" id=${id} ?hidden=${rows.length === 0}>
      ${repeat(rows, (row) => row.id, item)}
    </ul>
    ${value?.length === 0 ? html`<p class="card muted" id="no-${id}">${none}</p>` : nothing}`;
}

/** The same words on every line: a screen reader hears whose. */
export function rowButton(name: string, text: string, deed: () => unknown, isBusy = false) {
  return html`<button
    type="button"
    aria-label="${text} ${quoted(name)}"
    aria-disabled=${isBusy ? 'true' : nothing}
    @click=${deed}
  >
    ${text}
  </button>`;
}

export function sureTo(verb: string, name: string, means: Content): Promise<boolean> {
  return confirmed(`${verb} ${quoted(name)}?`, verb, [means]);
}

interface Choice {
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly value: string;
  readonly isChecked?: boolean;
}

export function choice({ type, name, value, isChecked = false }: Choice, text: Content) {
  return html`<label class="choice"
    ><input type=${type} name=${name} value=${value} ?checked=${isChecked} /><span
      >${text}</span
    ></label
  >`;
}

interface Choices extends Pick<Choice, 'type' | 'name'> {
  readonly legend: string;
  readonly chosen: readonly string[];
}

export type Named = readonly (readonly [value: string, text: Content])[];

export function choices({ type, name, legend, chosen }: Choices, all: Named): TemplateResult {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${all.map(([value, text]) =>
      choice({ type, name, value, isChecked: chosen.includes(value) }, text),
    )}
  </fieldset>`;
}

export function noted(text: string, note: string): TemplateResult {
  return html`${text} <span class="muted">${note}</span>`;
}

interface TextField {
  readonly id: string;
  readonly name: string;
  readonly label: Content;
  readonly most: number;
  readonly type?: 'text' | 'email' | 'url';
  readonly isRequired?: boolean;
  readonly value?: string;
  readonly placeholder?: string;
  readonly hint?: string;
}

export function textField({ label, value = '', ...field }: TextField): TemplateResult {
  const { id, name, most, type = 'text', isRequired = true, placeholder = '', hint = '' } = field;
  return html`<label for=${id}>${label}</label>
    <input
      id=${id}
      name=${name}
      type=${type}
      maxlength=${most}
      autocomplete="off"
      spellcheck="false"
      ?required=${isRequired}
      placeholder=${placeholder}
      aria-describedby="${id}-hint"
      value=${value}
    />
    <p class="muted hint" id="${id}-hint" ?hidden=${hint === ''}>${hint}</p>`;
}

/** Returns what is done once the dialog is closed. */
type Send = (given: FormData) => Promise<() => unknown>;

/** Shows a refusal next to what was typed. */
export class FormDialog {
  readonly #id: string;
  #send: Send = () => Promise.resolve(() => undefined);
  #trouble = '';
  #isSending = false;

  constructor(id: string) {
    this.#id = id;
  }

  /** With the template's defaults. */
  open(send: Send): void {
    [this.#send, this.#trouble] = [send, ''];
    redraw();
    const dialog = byIdAs(this.#id, HTMLDialogElement);
    dialog.querySelector('form')?.reset();
    dialog.showModal();
  }

  /** @param isChecked whether the browser says what is missing */
  view(title: Content, yes: string, content: Content, isChecked = false): TemplateResult {
    const id = this.#id;
    return html`<dialog id=${id} aria-labelledby="${id}-title">
      <form ?novalidate=${!isChecked} @submit=${(event: SubmitEvent) => this.#submit(event)}>
        <h2 id="${id}-title">${title}</h2>
        ${content}
        <p class="notice bad" id="${id}-error" role="alert" ?hidden=${this.#trouble === ''}>
          ${this.#trouble}
        </p>
        <div class="buttons">
          ${button(t('Annuller', 'Cancel'), () => byIdAs(id, HTMLDialogElement).close(), 'quiet')}
          <button type="submit" class="primary" aria-disabled=${String(this.#isSending)}>
            ${yes}
          </button>
        </div>
      </form>
    </dialog>`;
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.#isSending) return;
    const form = event.target as HTMLFormElement;
    [this.#isSending, this.#trouble] = [true, ''];
    redraw();
    try {
      const done = await this.#send(new FormData(form));
      form.closest('dialog')?.close();
      done();
    } catch (error) {
      this.#trouble = troubleOf(error) ?? '';
    } finally {
      this.#isSending = false;
      redraw();
    }
  }
}

export function textOf(given: FormData, name: string): string {
  const text = given.get(name);
  return typeof text === 'string' ? text.trim() : '';
}

export function allOf(given: FormData, name: string): readonly string[] {
  return given.getAll(name).filter((value) => typeof value === 'string');
}
