/** Reads the specification as data: headings, tables, and the type words of their cells. */

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** The text below a heading (any level) up to the next heading of any level. */
export function section(document: string, heading: string): string {
  const lines = document.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+ /, '') === heading && line !== heading);
  if (start < 0) throw new Error(`The document has no heading "${heading}".`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line));
  return rest.slice(0, end < 0 ? undefined : end).join('\n');
}

/** Every table of a text, in order. Cells are trimmed; `\|` stays a character. */
export function tables(text: string): Table[] {
  const found: string[][] = [];
  let open = false;
  for (const line of text.split('\n')) {
    const isRow = line.startsWith('|');
    if (isRow && !open) found.push([]);
    if (isRow) found.at(-1)?.push(line);
    open = isRow;
  }
  return found.map(([head = '', , ...body]) => {
    const header = cells(head);
    return {
      header,
      rows: body.map((line) => {
        const values = cells(line);
        return Object.fromEntries(header.map((name, index) => [name, values[index] ?? '']));
      }),
    };
  });
}

function cells(line: string): string[] {
  return line
    .replaceAll('\\|', '\u0000')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\u0000', '|').trim());
}

export type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'code';

/** What a type cell says: the kind of value and whether null may stand for it. */
export interface SaidType {
  readonly kind: Kind;
  readonly nullable: boolean;
  /** Names inside braces, where the cell gives them. */
  readonly keys: readonly string[] | null;
}

export function saidType(cell: string): SaidType {
  // What stands in parentheses is about something inside; what follows a semicolon is a remark.
  const named = cell.replace(/`[^`]*`/g, (quoted) => ` ${quoted[1] ?? ''}_ `);
  const words = named.replace(/\([^)]*\)/g, '').split(';', 1)[0] ?? '';
  const braces = /\{(.*)\}/.exec(cell)?.[1] ?? null;
  return {
    kind: kindOf(words),
    nullable: /\bnull\b/.test(words),
    keys: braces === null ? null : keysOf(braces),
  };
}

function kindOf(text: string): Kind {
  const words = text
    .trim()
    .replace(/^null or /, '')
    .trim();
  if (/^(array|\[_)/.test(words) || words.startsWith('string[]')) return 'array';
  if (/^code field/.test(words)) return 'code';
  if (/^(number|integer)/.test(words)) return 'number';
  if (/^boolean/.test(words)) return 'boolean';
  if (/^(object|\{_)/.test(words)) return 'object';
  if (/^(string|one of|[a-z]_)/.test(words)) return 'string';
  throw new Error(`No kind of value is known for: ${text}`);
}

/** Top-level names of `a: x, b (y, z), c`, with nested braces and parentheses left out. */
export function keysOf(list: string): string[] {
  let flat = list.replaceAll('`', '');
  for (let before = ''; before !== flat;) {
    before = flat;
    flat = flat.replace(/\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\]/g, '');
  }
  return flat
    .split(',')
    .map((part) => /^\s*(_?[a-zA-Z]\w*)/.exec(part)?.[1])
    .filter((name) => name !== undefined);
}
