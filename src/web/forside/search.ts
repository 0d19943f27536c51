/** The search field: suggestions while it is typed, chosen by mouse, finger or keyboard (ARIA combobox). */
import { Refused } from '../shared/ask.ts';
import { byId, byIdAs, h, show } from '../shared/dom.ts';
import { coveredWords } from '../shared/covered.ts';
import { inLanguage } from '../shared/language.ts';
import { suggest } from './api.ts';
import type { Address, Suggestion } from './api.ts';

/** A pause in the typing, milliseconds: then it is asked. */
const PAUSE_MS = 150;

interface Search {
  /** An address was chosen. */
  readonly choose: (address: Address) => void;
  /** It could not be asked; undefined: it could again. */
  readonly fail: (error: unknown) => void;
}

/** Wires the field. */
export function beginSearch(wanted: Search): void {
  const field = new SearchField(wanted);
  field.begin();
}

class SearchField {
  readonly #wanted: Search;
  readonly #input = byIdAs('q', HTMLInputElement);
  readonly #list = byId('suggestions');
  #found: readonly Suggestion[] = [];
  /** All that the addresses cover; undefined: the country. */
  #land: string | undefined;
  /** Which of them is marked; -1: none. */
  #active = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Questions are numbered: the answer of one that was overtaken is not drawn. */
  #questions = 0;

  constructor(wanted: Search) {
    this.#wanted = wanted;
  }

  begin(): void {
    this.#input.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#look(), PAUSE_MS);
    });
    this.#input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        this.#move(event.key === 'ArrowDown' ? 1 : -1);
      } else if (event.key === 'Escape') this.#close();
    });
    this.#input.addEventListener('blur', () => this.#close());
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** Whether the service said what fits. */
  async #look(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#questions += 1;
    const question = this.#questions;
    const { value: text, selectionStart } = this.#input;
    if (text.trim() === '') {
      this.#close();
      return false;
    }
    try {
      const { forslag: found, meta } = await suggest(text, selectionStart ?? text.length);
      if (question !== this.#questions) return false;
      this.#found = found;
      this.#land = meta.daekning;
      this.#active = -1;
      this.#draw();
      this.#wanted.fail(undefined);
      byId('told').textContent = countWords(found.length);
      return true;
    } catch (error) {
      if (question !== this.#questions) return false;
      this.#close();
      this.#wanted.fail(error);
      return false;
    }
  }

  /** What is marked, else the first that fits. */
  async #submit(): Promise<void> {
    const isAnswered = this.#found.length > 0 || (await this.#look());
    const chosen = this.#found[Math.max(0, this.#active)];
    if (chosen !== undefined) this.#take(chosen);
    else {
      this.#input.focus();
      if (isAnswered) this.#wanted.fail(new Refused(404, 'not_found', noneWords(this.#land)));
    }
  }

  #take({ tekst, caretpos, data }: Suggestion): void {
    this.#input.value = tekst;
    this.#input.focus();
    this.#input.setSelectionRange(caretpos, caretpos);
    this.#close();
    // A road goes on to its houses.
    if ('betegnelse' in data) this.#wanted.choose(data);
    else void this.#look();
  }

  #move(step: number): void {
    const count = this.#found.length;
    if (count === 0) return;
    const from = this.#active < 0 && step < 0 ? count : this.#active;
    this.#active = (from + step + count) % count;
    this.#draw();
  }

  #close(): void {
    // Answers on their way would open it again.
    clearTimeout(this.#timer);
    this.#questions += 1;
    this.#found = [];
    this.#active = -1;
    this.#draw();
  }

  #draw(): void {
    const isOpen = this.#found.length > 0;
    show(this.#list, isOpen);
    this.#input.setAttribute('aria-expanded', String(isOpen));
    this.#list.replaceChildren(...this.#found.map((each, index) => this.#option(each, index)));
    if (this.#active < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', `suggestion-${this.#active}`);
  }

  #option(suggestion: Suggestion, index: number): Node {
    const attributes = {
      role: 'option',
      id: `suggestion-${index}`,
      'aria-selected': String(index === this.#active),
      // Before the field loses the focus.
      onpointerdown: (event: Event) => event.preventDefault(),
      onclick: () => this.#take(suggestion),
    };
    return h('li', attributes, suggestion.forslagstekst);
  }
}

function noneWords(land: string | undefined): string {
  const none = inLanguage({ da: 'Ingen adresse passer på det.', en: 'No address fits that.' });
  return none + coveredWords(land);
}

function countWords(count: number): string {
  if (count === 0) return inLanguage({ da: 'Ingen forslag.', en: 'No suggestions.' });
  return inLanguage({ da: `${count} forslag.`, en: `${count} suggestions.` });
}
