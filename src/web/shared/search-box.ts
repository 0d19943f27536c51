import { TYPING_MS } from './ask.ts';
import type { Place } from './coordinates.ts';
import { byId, byIdAs, say, show } from './dom.ts';
import { t } from './language.ts';
import { suggestNames, suggestedNumbers } from './search-sources.ts';
import type { Suggestion } from './search-sources.ts';
import { readSubject } from './subject.ts';
import type { Ask, Subject } from './subject.ts';
import { html, nothing, render } from './template.ts';
import type { TemplateResult } from './template.ts';
import { typedOf } from './typed.ts';
import type { Typed } from './typed.ts';

export interface SearchDeps {
  readonly ask: Ask;
  readonly onPlace: (place: Place) => void;
  /** Says why it cannot be shown; null: it is. */
  readonly onSubject: (subject: Subject) => string | null;
}

const LEAST_CHARS = 2;

export class SearchBox {
  readonly #deps: SearchDeps;
  readonly #input = byIdAs('q', HTMLInputElement);
  readonly #list = byId('suggestions');
  readonly #error = byId('q-error');
  #shown: readonly Suggestion[] = [];
  #of = '';
  /** -1: none is marked. */
  #at = -1;
  /** Its houses are looked for. */
  #isOfRoad = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();
  #survivesBlur = false;

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    this.#input.addEventListener('blur', () => {
      if (!this.#survivesBlur) this.#close();
    });
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** What was asked about in another way. */
  name(text: string, trouble = ''): void {
    this.#close();
    say(this.#error, trouble);
    this.#input.value = text;
  }

  #typed(): void {
    say(this.#error, '');
    this.#stop();
    this.#isOfRoad &&= this.#input.value !== '';
    const text = this.#input.value.trim();
    const typed = typedOf(text);
    if (typed.kind === 'number') this.#show(suggestedNumbers(typed));
    else if (text.length < LEAST_CHARS || typed.kind !== 'text') this.#close();
    else this.#timer = setTimeout(() => void this.#ask(), TYPING_MS);
  }

  /** false: overtaken. */
  async #ask(survivesBlur = false): Promise<boolean> {
    const asking = this.#begin(survivesBlur);
    const text = this.#input.value;
    const caret = this.#input.selectionStart ?? text.length;
    const asked = { text, caret, isOfRoad: this.#isOfRoad };
    try {
      const { found, trouble } = await suggestNames(this.#deps.ask, asked, asking);
      if (asking.aborted) return false;
      this.#survivesBlur = false;
      this.#show(found);
      say(this.#error, trouble);
    } catch (error) {
      if (!asking.aborted) throw error;
    }
    return !asking.aborted;
  }

  #show(found: readonly Suggestion[]): void {
    this.#shown = found;
    this.#of = this.#input.value;
    this.#mark(-1);
    // Without the focus nothing would close it.
    const isOpen = found.length > 0 && document.activeElement === this.#input;
    show(this.#list, isOpen);
    this.#input.setAttribute('aria-expanded', String(isOpen));
    byId('told').textContent =
      found.length === 0 ? '' : t(`${found.length} forslag.`, `${found.length} suggestions.`);
  }

  #mark(at: number): void {
    this.#at = at;
    render(
      this.#shown.map((each, index) => this.#option(each, index)),
      this.#list,
    );
    const marked = this.#list.children[at];
    marked?.scrollIntoView({ block: 'nearest' });
    if (marked === undefined) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', marked.id);
  }

  #option(suggestion: Suggestion, index: number): TemplateResult {
    const { text, about, sort } = suggestion;
    // Else the field loses the focus, which closes the list.
    const keepFocus = (event: Event): void => event.preventDefault();
    return html`<li
      role="option"
      id="suggestion-${index}"
      aria-selected=${index === this.#at}
      @pointerdown=${keepFocus}
      @click=${() => void this.#choose(suggestion)}
    >
      <span><bdi>${text}</bdi>${about === '' ? nothing : html`<small>${about}</small>`}</span>
      <small>${sort}</small>
    </li>`;
  }

  /** An answer on its way would open the list again. */
  #stop(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
    this.#survivesBlur = false;
  }

  #begin(survivesBlur: boolean): AbortSignal {
    this.#stop();
    this.#survivesBlur = survivesBlur;
    this.#asking = new AbortController();
    return this.#asking.signal;
  }

  #close(): void {
    this.#stop();
    this.#show([]);
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      // What is around the field stays unfolded.
      if (this.#shown.length > 0) event.preventDefault();
      this.#close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || this.#shown.length === 0) return;
    event.preventDefault();
    const count = this.#shown.length;
    const from = this.#at < 0 && step < 0 ? 0 : this.#at;
    this.#mark((from + step + count) % count);
  }

  /** What is marked, else the first. */
  async #submit(): Promise<void> {
    const typed = typedOf(this.#input.value);
    if (typed.kind === 'place') {
      this.#close();
      this.#deps.onPlace(typed.place);
      return;
    }
    if (typed.kind === 'refused' || typed.kind === 'production-unit') {
      say(this.#error, refusedWords(typed));
      return;
    }
    if (this.#shown.length === 0 || this.#of !== this.#input.value) {
      if (typed.kind === 'number') this.#show(suggestedNumbers(typed));
      else if (!(await this.#ask(true))) return;
    }
    const chosen = this.#shown[Math.max(0, this.#at)];
    if (chosen !== undefined) await this.#choose(chosen);
  }

  async #choose({ text, choice }: Suggestion): Promise<void> {
    if (choice.kind === 'text') {
      this.#isOfRoad = true;
      this.#fill(choice.text, choice.caret);
      await this.#ask(true);
      return;
    }
    this.#isOfRoad = false;
    this.#close();
    if (choice.kind === 'subject') this.#take(choice.subject);
    else {
      this.#fill(text, text.length);
      const asking = this.#begin(true);
      const read = await readSubject(this.#deps.ask, choice.named);
      // Something else was typed or chosen meanwhile.
      if (asking.aborted) return;
      if (read.ok) this.#take(read.body);
      else say(this.#error, read.message);
    }
  }

  #fill(text: string, caret: number): void {
    this.#input.value = text;
    this.#input.setSelectionRange(caret, caret);
  }

  #take(subject: Subject): void {
    this.#fill(subject.name, subject.name.length);
    say(this.#error, this.#deps.onSubject(subject) ?? '');
  }
}

function refusedWords(
  typed: Extract<Typed, { readonly kind: 'refused' | 'production-unit' }>,
): string {
  if (typed.kind === 'production-unit')
    return t(
      'P-numre kan ikke slås op her. Skriv virksomhedens CVR-nummer.',
      'P numbers cannot be looked up here. Type the company’s CVR number.',
    );
  return typed.reason === 'outside'
    ? t('Stedet ligger uden for Danmark.', 'The place lies outside Denmark.')
    : t(
        'Skriv begge koordinater, for eksempel 56,9537 11,3822.',
        'Type both coordinates, such as 56.9537 11.3822.',
      );
}
