/** The field above the answers: an address with suggestions while it is typed, or coordinates. */
import { coveredWords } from '../shared/covered.ts';
import { byId, byIdAs, h, say, show } from '../shared/dom.ts';
import { inLanguage } from '../shared/language.ts';
import type { ChosenAddress, Reply } from './answers.ts';
import { parseCoordinates } from './coordinates.ts';
import type { Place } from './coordinates.ts';
import { WORDS } from './words.ts';

interface Suggestion {
  readonly type: 'vejnavn' | 'adgangsadresse' | 'adresse';
  readonly tekst: string;
  readonly forslagstekst: string;
  readonly caretpos: number;
  readonly data: ChosenAddress | { readonly id: string };
}

export interface SearchDeps {
  readonly suggest: (
    path: string,
    signal: AbortSignal,
  ) => Promise<
    Reply<{
      readonly forslag: readonly Suggestion[];
      readonly meta: { readonly daekning?: string };
    }>
  >;
  /** `address`: the one that was chosen; null: coordinates were typed. */
  readonly onPlace: (place: Place, address: ChosenAddress | null) => void;
}

/** Milliseconds of no typing before it is asked. */
const PAUSE_MS = 120;
const MOST_SUGGESTIONS = 8;
const LEAST_CHARS = 2;

/** Makes the field work. */
export function installSearch(deps: SearchDeps): void {
  new Search(deps).install();
}

class Search {
  readonly #deps: SearchDeps;
  readonly #input = byIdAs('q', HTMLInputElement);
  readonly #list = byId('suggestions');
  readonly #error = byId('q-error');
  #shown: readonly Suggestion[] = [];
  #at = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(deps: SearchDeps) {
    this.#deps = deps;
  }

  install(): void {
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    this.#input.addEventListener('blur', () => this.#close());
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  #typed(): void {
    say(this.#error, '');
    clearTimeout(this.#timer);
    this.#asking.abort();
    const text = this.#input.value.trim();
    if (text.length < LEAST_CHARS || parseCoordinates(text).kind !== 'text') {
      this.#close();
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    this.#asking.abort();
    const asking = new AbortController();
    this.#asking = asking;
    const q = this.#input.value;
    const caret = this.#input.selectionStart ?? q.length;
    const query = new URLSearchParams({
      q,
      caretpos: String(caret),
      per_side: String(MOST_SUGGESTIONS),
    });
    try {
      const path = `v1/adresser/autocomplete?${query.toString()}`;
      const reply = await this.#deps.suggest(path, asking.signal);
      if (asking.signal.aborted) return;
      if (reply.ok) this.#show(reply.body.forslag);
      else say(this.#error, reply.message);
      if (reply.ok && reply.body.forslag.length === 0)
        say(this.#error, inLanguage(WORDS).foundNone + coveredWords(reply.body.meta.daekning));
    } catch (error) {
      if (!asking.signal.aborted) throw error;
    }
  }

  #show(found: readonly Suggestion[]): void {
    this.#shown = found;
    this.#at = -1;
    this.#list.replaceChildren(
      ...found.map((suggestion, index) =>
        h(
          'li',
          {
            role: 'option',
            id: `suggestion-${index}`,
            'aria-selected': 'false',
            // Before the field loses the focus, which closes the list.
            onmousedown: (event: Event) => {
              event.preventDefault();
              this.#choose(suggestion);
            },
          },
          suggestion.forslagstekst,
        ),
      ),
    );
    show(this.#list, found.length > 0);
    this.#input.setAttribute('aria-expanded', String(found.length > 0));
  }

  #close(): void {
    this.#shown = [];
    this.#at = -1;
    show(this.#list, false);
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
  }

  #pressed(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#close();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || this.#shown.length === 0) return;
    event.preventDefault();
    const count = this.#shown.length;
    this.#at = this.#at < 0 && step < 0 ? count - 1 : (this.#at + step + count) % count;
    for (const [index, item] of [...this.#list.children].entries()) {
      item.setAttribute('aria-selected', String(index === this.#at));
      if (index === this.#at) item.scrollIntoView({ block: 'nearest' });
    }
    this.#input.setAttribute('aria-activedescendant', `suggestion-${this.#at}`);
  }

  async #submit(): Promise<void> {
    clearTimeout(this.#timer);
    const parsed = parseCoordinates(this.#input.value.trim());
    if (parsed.kind === 'place') {
      this.#close();
      this.#deps.onPlace(parsed.place, null);
      return;
    }
    const said = inLanguage(WORDS);
    if (parsed.kind === 'refused') {
      say(this.#error, parsed.reason === 'outside' ? said.outsideDenmark : said.incomplete);
      return;
    }
    if (this.#shown.length === 0) await this.#ask();
    const chosen = this.#shown[Math.max(0, this.#at)];
    if (chosen !== undefined) this.#choose(chosen);
  }

  /** A road is a text to go on with; an address with a point is a place. */
  #choose({ tekst: text, caretpos: caret, data }: Suggestion): void {
    this.#input.value = text;
    this.#input.setSelectionRange(caret, caret);
    if ('koordinat' in data && data.koordinat !== null) {
      this.#close();
      const { lon, lat } = data.koordinat;
      this.#deps.onPlace({ srid: 4326, lon, lat }, data);
      return;
    }
    if ('koordinat' in data) {
      this.#close();
      say(this.#error, inLanguage(WORDS).noPoint);
      return;
    }
    void this.#ask();
  }
}
