/** The search field of a page, an ARIA combobox: an address with suggestions, or coordinates. */
import type { Reply } from './answers.ts';
import { parseCoordinates } from './coordinates.ts';
import type { Place } from './coordinates.ts';
import { coveredWords } from './covered.ts';
import { byId, byIdAs, h, say, show } from './dom.ts';
import { t } from './language.ts';
import type { Address } from './place-address.ts';

interface Suggestion {
  readonly type: 'vejnavn' | 'adgangsadresse' | 'adresse';
  readonly tekst: string;
  readonly forslagstekst: string;
  readonly caretpos: number;
  readonly data: Address | { readonly id: string };
}

/** An answer of `GET /v1/adresser/autocomplete`. */
interface Suggested {
  readonly forslag: readonly Suggestion[];
  /** Absent: the register covers the country. */
  readonly meta: { readonly daekning?: string };
}

export interface SearchDeps {
  /** Asks the service. Throws for an abort alone. */
  readonly suggest: (path: string, signal: AbortSignal) => Promise<Reply<Suggested>>;
  /** `address`: the one that was chosen; null: coordinates were typed. */
  readonly onPlace: (place: Place, address: Address | null) => void;
}

/** Milliseconds of no typing before it is asked. */
const PAUSE_MS = 120;
const MOST_SUGGESTIONS = 8;
const LEAST_CHARS = 2;

/** A field that works, and can be told what it holds. */
export class AddressSearch {
  readonly #deps: SearchDeps;
  readonly #input = byIdAs('q', HTMLInputElement);
  readonly #list = byId('suggestions');
  readonly #error = byId('q-error');
  #shown: readonly Suggestion[] = [];
  /** The text they are of. */
  #of = '';
  /** Which of them is marked; -1: none. */
  #at = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking = new AbortController();

  constructor(deps: SearchDeps) {
    this.#deps = deps;
    this.#input.addEventListener('input', () => this.#typed());
    this.#input.addEventListener('keydown', (event) => this.#pressed(event));
    this.#input.addEventListener('blur', () => this.#close());
    byId('search').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#submit();
    });
  }

  /** Shows what was asked about in another way than by this field. */
  name(text: string): void {
    this.#close();
    say(this.#error, '');
    this.#input.value = text;
  }

  #typed(): void {
    say(this.#error, '');
    this.#stop();
    const text = this.#input.value.trim();
    if (text.length < LEAST_CHARS || parseCoordinates(text).kind !== 'text') this.#close();
    else this.#timer = setTimeout(() => void this.#ask(), PAUSE_MS);
  }

  async #ask(): Promise<void> {
    this.#stop();
    const asking = new AbortController();
    this.#asking = asking;
    const q = this.#input.value;
    const query = new URLSearchParams({
      q,
      caretpos: String(this.#input.selectionStart ?? q.length),
      per_side: String(MOST_SUGGESTIONS),
    });
    try {
      const path = `v1/adresser/autocomplete?${query}`;
      const reply = await this.#deps.suggest(path, asking.signal);
      if (asking.signal.aborted) return;
      if (!reply.ok) {
        this.#close();
        say(this.#error, reply.message);
        return;
      }
      const { forslag: found, meta } = reply.body;
      this.#show(found);
      this.#of = q;
      const none = t('Ingen adresser passer.', 'No address fits.');
      say(this.#error, found.length === 0 ? none + coveredWords(meta.daekning) : '');
    } catch (error) {
      if (!asking.signal.aborted) throw error;
    }
  }

  #show(found: readonly Suggestion[]): void {
    this.#shown = found;
    this.#at = -1;
    this.#list.replaceChildren(...found.map((each, index) => this.#option(each, index)));
    show(this.#list, found.length > 0);
    this.#input.setAttribute('aria-expanded', String(found.length > 0));
    this.#input.removeAttribute('aria-activedescendant');
    byId('told').textContent =
      found.length === 0 ? '' : t(`${found.length} forslag.`, `${found.length} suggestions.`);
  }

  #option(suggestion: Suggestion, index: number): Node {
    return h(
      'li',
      {
        role: 'option',
        id: `suggestion-${index}`,
        'aria-selected': 'false',
        // Before the field loses the focus, which closes the list.
        onpointerdown: (event: Event) => event.preventDefault(),
        onclick: () => this.#choose(suggestion),
      },
      suggestion.forslagstekst,
    );
  }

  /** Nothing is asked any more: an answer on its way would open the list again. */
  #stop(): void {
    clearTimeout(this.#timer);
    this.#asking.abort();
  }

  #close(): void {
    this.#stop();
    this.#show([]);
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

  /** Coordinates; else what is marked, else the first that fits. */
  async #submit(): Promise<void> {
    const parsed = parseCoordinates(this.#input.value.trim());
    if (parsed.kind === 'place') {
      this.#close();
      this.#deps.onPlace(parsed.place, null);
    } else if (parsed.kind === 'refused') say(this.#error, refusedWords(parsed.reason));
    else {
      if (this.#shown.length === 0 || this.#of !== this.#input.value) await this.#ask();
      const chosen = this.#shown[Math.max(0, this.#at)];
      if (chosen !== undefined) this.#choose(chosen);
    }
  }

  /** A road is a text to go on with; an address with a point is a place. */
  #choose({ tekst: text, caretpos: caret, data }: Suggestion): void {
    this.#input.value = text;
    this.#input.setSelectionRange(caret, caret);
    if (!('koordinat' in data)) {
      void this.#ask();
      return;
    }
    this.#close();
    if (data.koordinat === null) say(this.#error, noPoint());
    else this.#deps.onPlace({ srid: 4326, ...data.koordinat }, data);
  }
}

function noPoint(): string {
  return t('Adressen har ikke noget punkt at slå op.', 'The address has no point to look up.');
}

function refusedWords(reason: 'outside' | 'incomplete'): string {
  return reason === 'outside'
    ? t('Stedet ligger uden for Danmark.', 'The place lies outside Denmark.')
    : t(
        'Skriv begge koordinater, for eksempel 56,9537 11,3822.',
        'Type both coordinates, such as 56.9537 11.3822.',
      );
}
