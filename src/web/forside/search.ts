/** The search field: suggestions while it is typed, chosen by mouse, finger or keyboard (ARIA combobox). */
import { byId, byIdAs, h, show } from '../shared/dom.ts';
import { inLanguage } from '../shared/language.ts';
import { suggest } from './api.ts';
import type { Address, Suggestion } from './api.ts';

/** A pause in the typing, milliseconds: then it is asked. */
const PAUSE_MS = 150;

/** Characters the service wants before it looks. */
const LEAST_CHARS = 1;

interface Search {
  /** An address was chosen. */
  readonly choose: (address: Address) => void;
  /** It could not be asked; undefined: it could again. */
  readonly fail: (error: unknown) => void;
}

/** Wires the field. */
export function beginSearch({ choose, fail }: Search): void {
  const input = byIdAs('q', HTMLInputElement);
  const list = byId('suggestions');
  let found: readonly Suggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let questions = 0;

  function draw(): void {
    const isOpen = found.length > 0;
    show(list, isOpen);
    input.setAttribute('aria-expanded', String(isOpen));
    list.replaceChildren(
      ...found.map((each, index) =>
        h(
          'li',
          {
            role: 'option',
            id: `suggestion-${index}`,
            'aria-selected': String(index === active),
            // Before the field loses the focus.
            onpointerdown: (event: Event) => event.preventDefault(),
            onclick: () => take(each),
          },
          each.forslagstekst,
        ),
      ),
    );
    if (active < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `suggestion-${active}`);
  }

  function close(): void {
    found = [];
    active = -1;
    draw();
  }

  function take({ tekst, caretpos, data }: Suggestion): void {
    input.value = tekst;
    input.focus();
    input.setSelectionRange(caretpos, caretpos);
    close();
    // A road goes on to its houses.
    if ('betegnelse' in data) choose(data);
    else void look();
  }

  async function look(): Promise<void> {
    clearTimeout(timer);
    questions += 1;
    const question = questions;
    const text = input.value;
    if (text.trim().length < LEAST_CHARS) {
      close();
      return;
    }
    try {
      const suggestions = await suggest(text, input.selectionStart ?? text.length);
      if (question !== questions) return;
      found = suggestions;
      active = -1;
      draw();
      fail(undefined);
      byId('told').textContent = countWords(found.length);
    } catch (error) {
      if (question !== questions) return;
      close();
      fail(error);
    }
  }

  function move(step: number): void {
    if (found.length === 0) return;
    const from = active < 0 && step < 0 ? found.length : active;
    active = (from + step + found.length) % found.length;
    draw();
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Escape') close();
  });
  input.addEventListener('blur', close);
  byId('search').addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });

  /** What is marked, else the first that fits. */
  async function submit(): Promise<void> {
    if (found.length === 0) await look();
    const chosen = found[Math.max(0, active)];
    if (chosen !== undefined) take(chosen);
    else input.focus();
  }
}

function countWords(count: number): string {
  if (count === 0) return inLanguage({ da: 'Ingen forslag.', en: 'No suggestions.' });
  return inLanguage({ da: `${count} forslag.`, en: `${count} suggestions.` });
}
