import { h } from './dom.ts';
import type { Child } from './dom.ts';

interface Table {
  readonly head: readonly Child[];
  /** Cells of a row, the first of which names it; or the row itself. */
  readonly rows: readonly (HTMLTableRowElement | readonly Child[])[];
  /** Columns of numbers, from 0. */
  readonly isNumber?: (column: number) => boolean;
  readonly class?: string;
  readonly caption?: string;
}

export function table(of: Table): HTMLTableElement {
  const { head, rows, isNumber = () => false, caption } = of;
  const kind = (at: number) => isNumber(at) && 'number';
  const cell = (child: Child, at: number) =>
    child instanceof HTMLTableCellElement ? child : h('td', { class: kind(at + 1) }, child);
  return h(
    'table',
    { class: of.class },
    caption !== undefined && h('caption', { class: 'visually-hidden' }, caption),
    h(
      'thead',
      {},
      h('tr', {}, ...head.map((name, at) => h('th', { scope: 'col', class: kind(at) }, name))),
    ),
    h(
      'tbody',
      {},
      ...rows.map((row) => {
        if (row instanceof HTMLTableRowElement) return row;
        const [first, ...rest] = row;
        return h('tr', {}, h('th', { scope: 'row' }, first), ...rest.map(cell));
      }),
    ),
  );
}

/** Scrolls by itself where it is wider than the page; `name` is for screen readers. */
export function scrolled(name: string, ...children: readonly Child[]): HTMLElement {
  const attributes = { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name };
  return h('div', attributes, ...children);
}
