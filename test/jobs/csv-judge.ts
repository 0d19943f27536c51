/** RFC 4180 read by the book, by a reader that shares nothing with ours. */
export function parseRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[++i]!;
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') {
      row.push(cell);
      cell = '';
    } else if (c === '\r' && text[i + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      i += 1;
    } else cell += c;
  }
  if (cell !== '' || row.length > 0) throw new Error('The last row has no end.');
  return rows;
}

/** As spreadsheets read a file: a quote opens only at the beginning of a cell, any line end ends a row. */
export function readAs(text: string, separator: ',' | ';' | '\t'): string[][] {
  const rows: string[][] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const isEnd = (): boolean => at >= text.length || '\r\n'.includes(text[at]!);
  const cellAt = (): string => {
    let cell = '';
    const [quoted = ''] = /^"(?:[^"]|"")*"?/.exec(text.slice(at)) ?? [];
    if (quoted !== '') cell = quoted.slice(1).replace(/"$/, '').replaceAll('""', '"');
    at += quoted.length;
    // What comes between a closing quote and the next separator belongs to the cell.
    for (; !isEnd() && text[at] !== separator; at += 1) cell += text[at]!;
    return cell;
  };
  while (at < text.length) {
    const row = [cellAt()];
    while (text[at] === separator) {
      at += 1;
      row.push(cellAt());
    }
    rows.push(row);
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  return rows;
}

const NUMBER = /^[+-]?(\d{1,3}(\.\d{3})+|\d*)([.,]\d*)?(e[+-]?\d+)?$/i;

/** The cells that a spreadsheet would run, or could not show as they are, whichever way it reads them. */
export function runningCells(text: string): string[] {
  return ([',', ';', '\t'] as const).flatMap((separator) =>
    readAs(text, separator)
      .flat()
      .filter((cell) => /^[=+\-@＝＋－＠\t\r]/.test(cell) && !NUMBER.test(cell))
      .map((cell) => `by ${JSON.stringify(separator)}: ${JSON.stringify(cell)}`),
  );
}
