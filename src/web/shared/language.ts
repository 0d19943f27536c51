/**
 * Danish unless the reader chose English. Markup has its English in `data-en` and
 * `data-en-<attribute>`.
 */

import type { Words } from '../../layers/words.ts';

export type Language = 'da' | 'en';

const CHOICE = 'sprog';
const ATTRIBUTES = ['placeholder', 'aria-label', 'title'];

export function language(): Language {
  return document.documentElement.lang === 'en' ? 'en' : 'da';
}

export function inLanguage<Text>(texts: { readonly da: Text; readonly en: Text }): Text {
  return texts[language()];
}

export function t(da: string, en: string): string {
  return inLanguage({ da, en });
}

/** An unknown key is its own name. */
export function wordOf(table: Readonly<Record<string, Words>>, key: string): string {
  const both = Object.hasOwn(table, key) ? table[key] : undefined;
  return both === undefined ? key : inLanguage(both);
}

/** Danish where nothing is kept. */
export function chosenLanguage(): Language {
  try {
    return localStorage.getItem(CHOICE) === 'en' ? 'en' : 'da';
  } catch {
    return 'da';
  }
}

export function onLanguage(choose: (chosen: Language) => void): void {
  for (const button of languageButtons()) {
    button.addEventListener('click', () =>
      choose(button.dataset['language'] === 'en' ? 'en' : 'da'),
    );
  }
}

function languageButtons(): NodeListOf<HTMLElement> {
  return document.querySelectorAll('button[data-language]');
}

/** Now and in each language that the reader chooses. */
export function beginSpeaking(draw: () => void): void {
  const choose = (chosen: Language): void => {
    speak(chosen);
    draw();
  };
  onLanguage(choose);
  choose(chosenLanguage());
}

/** A browser's own words are in the browser's language. */
export function speakOfFields(): void {
  const say = ({ target, type }: Event): void => {
    if (!(target instanceof HTMLInputElement)) return;
    target.setCustomValidity('');
    const { valid, valueMissing } = target.validity;
    if (valid || type === 'input') return;
    const missing = t('Udfyld feltet.', 'Fill in the field.');
    const email = t('Skriv hele adressen: navn@firma.dk.', 'Write the whole address: a@b.dk.');
    target.setCustomValidity(valueMissing ? missing : email);
  };
  for (const name of ['input', 'invalid']) document.addEventListener(name, say, true);
}

/** Of the markup; a new choice is remembered. */
export function speak(chosen: Language): void {
  document.documentElement.lang = chosen;
  for (const element of document.querySelectorAll<HTMLElement>('[data-en]')) {
    element.dataset['da'] ??= element.textContent;
    element.textContent = element.dataset[chosen] ?? '';
  }
  for (const attribute of ATTRIBUTES) {
    for (const element of document.querySelectorAll(`[data-en-${attribute}]`)) {
      const kept = `data-da-${attribute}`;
      if (!element.hasAttribute(kept))
        element.setAttribute(kept, element.getAttribute(attribute) ?? '');
      element.setAttribute(attribute, element.getAttribute(`data-${chosen}-${attribute}`) ?? '');
    }
  }
  for (const button of languageButtons()) {
    button.setAttribute('aria-pressed', String(button.dataset['language'] === chosen));
  }
  if (chosen === chosenLanguage()) return;
  try {
    localStorage.setItem(CHOICE, chosen);
  } catch {
    // Asked again at the next visit.
  }
}
