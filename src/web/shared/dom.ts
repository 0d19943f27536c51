export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

export function byIdAs<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = byId(id);
  if (!(found instanceof kind)) throw new Error(`The element ${id} is of another kind.`);
  return found;
}

export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible;
}

/** Empty: takes it away. */
export function say(element: HTMLElement, text: string): void {
  element.textContent = text;
  show(element, text !== '');
}

/** Returns the focus after drawing again, else to `otherwise`. */
export function keepFocus(before: Element | null, otherwise: HTMLElement): void {
  const now = document.activeElement;
  if (now !== document.body && now?.checkVisibility() === true) return;
  const id = before?.id ?? '';
  const again = id === '' ? null : document.getElementById(id);
  (again?.checkVisibility() === true ? again : otherwise).focus();
}

/** The skip link, without a step in the address, which holds a place or a job; and Escape. */
export function installKeyboard(): void {
  const link = document.querySelector<HTMLAnchorElement>('a.skip');
  link?.addEventListener('click', (event) => {
    event.preventDefault();
    byId(link.hash.slice(1)).focus();
  });
  document.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) foldAround(document.activeElement);
  });
}

/** The innermost part around the focus, which goes to what unfolds it. A dialog closes itself. */
function foldAround(focused: Element | null): void {
  const around = focused?.closest(
    'dialog, details[open], :is(li, .opblock):has([aria-expanded=true])',
  );
  if (around instanceof HTMLDialogElement) return;
  const opens = around instanceof HTMLDetailsElement ? 'summary' : '[aria-expanded=true]';
  const opener = around?.querySelector<HTMLElement>(opens);
  opener?.click();
  opener?.focus();
}

/** In long names of registers: Chromium brings no Danish dictionary. */
const JOINTS =
  /(?<=\p{L}{2})(?=beskyttelse|bygge?linje|fredning|kreds|minde|areal|område|afstemning|vurdering|oplysning|linjer?\b)/gu;
const LONG = 13;

export function joints(name: string): readonly string[] {
  return name.length < LONG ? [name] : name.split(JOINTS);
}
