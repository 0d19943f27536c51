/**
 * Danish unless the reader chose English. Words that stand in the markup have their English beside them:
 * `data-en` for the text, `data-en-<attribute>` for an attribute.
 */

export type Language = 'da' | 'en';

/** Where this browser keeps the reader's choice. */
const CHOICE = 'sprog';
const ATTRIBUTES = ['placeholder', 'aria-label', 'title'];

/** The document says which language it is in now. */
export function language(): Language {
  return document.documentElement.lang === 'en' ? 'en' : 'da';
}

/** The one of two texts that is in the reader's language. */
export function inLanguage<Text>(texts: { readonly da: Text; readonly en: Text }): Text {
  return texts[language()];
}

/** What the reader chose before; Danish where nothing is kept. */
export function chosenLanguage(): Language {
  try {
    return localStorage.getItem(CHOICE) === 'en' ? 'en' : 'da';
  } catch {
    return 'da';
  }
}

/** Changes the words of the markup, and remembers the choice where the browser lets it. */
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
  try {
    localStorage.setItem(CHOICE, chosen);
  } catch {
    // Asked again at the next visit.
  }
}
