/** What pages do with elements of their markup. */

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found;
}

/** The same, of the kind the caller needs. */
export function byIdAs<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = byId(id);
  if (!(found instanceof kind)) throw new Error(`The element ${id} is of another kind.`);
  return found;
}

export function show(element: HTMLElement, visible: boolean): void {
  element.hidden = !visible;
}

/** Shows a message, or takes it away when it is empty. */
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

/** The skip link, without a step in the address, where a place or a job stands; and Escape. */
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

/** Folds the innermost part around the focus, and gives the focus to what unfolds it; a dialog closes itself. */
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

/** Joints of the long names of Danish registers: Chromium brings no Danish dictionary. */
const JOINTS =
  /(?<=\p{L}{2})(?=beskyttelse|bygge?linje|fredning|kreds|minde|areal|område|afstemning|vurdering|oplysning|linjer?\b)/gu;
const LONG = 13;

/** The parts of a long name, between which it may break. */
export function joints(name: string): readonly string[] {
  return name.length < LONG ? [name] : name.split(JOINTS);
}

/** Long enough for a browser to take the file, milliseconds. */
const TAKEN_MS = 60_000;

/** Gives a file to the reader. */
export function keepFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  download(href, name);
  setTimeout(() => URL.revokeObjectURL(href), TAKEN_MS);
}

/** As a file of that name; empty: of the service's. */
export function download(href: string, name = ''): void {
  Object.assign(document.createElement('a'), { href, download: name }).click();
}
