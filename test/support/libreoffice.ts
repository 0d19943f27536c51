/** LibreOffice as a Danish reader has it: Debian's libreoffice-calc and libreoffice-l10n-da, without a window. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { SaxesParser } from 'saxes';

const run = promisify(execFile);
const PATHS = [
  process.env['SOFFICE'] ?? '',
  '/usr/bin/soffice',
  '/usr/lib/libreoffice/program/soffice',
];
const LIMIT_MS = 240_000;

/** Where it is, or null after saying so. */
export function findSoffice(): string | null {
  const found = PATHS.find((path) => path !== '' && existsSync(path));
  if (found !== undefined) return found;
  console.log(
    "SKIPPED: LibreOffice is missing: install Debian's libreoffice-calc and libreoffice-l10n-da.",
  );
  return null;
}

const DANISH = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>da-DK</value></prop></item>
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooLocale" oor:op="fuse"><value>da</value></prop></item>
<item oor:path="/org.openoffice.Office.Linguistic/General"><prop oor:name="DefaultLocale" oor:op="fuse"><value>da-DK</value></prop></item>
</oor:items>`;

export interface Conversion {
  /** An extension, with the filter where it is not the usual one: `csv:Text - txt - csv (StarCalc):59,34,76`. */
  readonly to: string;
  /** How a CSV is read. */
  readonly from?: string;
}

export class LibreOffice {
  readonly #soffice: string;
  readonly #profile: string;
  readonly #directory: string;

  constructor(soffice: string, directory: string) {
    this.#soffice = soffice;
    this.#directory = directory;
    this.#profile = join(directory, 'profile');
    mkdirSync(join(this.#profile, 'user'), { recursive: true });
    writeFileSync(join(this.#profile, 'user/registrymodifications.xcu'), DANISH);
  }

  /** Opens a file and saves it as another; the bytes of that. */
  async convert(file: string, { to, from }: Conversion): Promise<Buffer> {
    const out = join(this.#directory, 'out');
    const args = [
      `-env:UserInstallation=${pathToFileURL(this.#profile).href}`,
      ...['--headless', '--norestore', '--nolockcheck'],
      ...(from === undefined ? [] : [`--infilter=${from}`]),
      ...['--convert-to', to, '--outdir', out, file],
    ];
    const { stdout, stderr } = await run(this.#soffice, args, {
      timeout: LIMIT_MS,
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    const made = join(out, basename(file, extname(file)) + `.${to.split(':', 1)[0] ?? ''}`);
    if (!existsSync(made)) throw new Error(`LibreOffice made no ${made}:\n${stdout}\n${stderr}`);
    return readFileSync(made);
  }

  /** Opens a file, and tells what its cells are. */
  async open(file: string, from?: string): Promise<readonly OpenedSheet[]> {
    const flat = await this.convert(file, { to: 'fods', ...(from !== undefined && { from }) });
    return sheetsOf(flat.toString());
  }
}

/** What a cell is to LibreOffice. `value`: a number's, a day's or a truth's own; a text's text. */
export interface OpenedCell {
  readonly type:
    | 'string'
    | 'float'
    | 'date'
    | 'boolean'
    | 'percentage'
    | 'currency'
    | 'time'
    | 'empty';
  readonly value: string;
  readonly formula: string | null;
}

export interface OpenedSheet {
  readonly name: string;
  readonly rows: readonly (readonly OpenedCell[])[];
}

const EMPTY: OpenedCell = { type: 'empty', value: '', formula: null };
/** A sheet's unused rest stands as one row or cell that is repeated. */
const MOST_REPEATED = 1_000;

/** Reads a flat document (`.fods`). */
function sheetsOf(text: string): readonly OpenedSheet[] {
  const reader = new FlatReader();
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => reader.enter(name, attributes));
  parser.on('text', (said) => reader.text(said));
  parser.on('closetag', ({ name }) => reader.leave(name));
  parser.write(text).close();
  return reader.sheets;
}

type Attributes = Readonly<Record<string, string>>;

class FlatReader {
  readonly sheets: { name: string; rows: OpenedCell[][] }[] = [];
  #row: OpenedCell[] = [];
  #rowTimes = 1;
  #cell: { readonly given: Attributes; readonly paragraphs: string[] } | null = null;
  #isNote = false;
  #isInText = false;

  enter(name: string, given: Attributes): void {
    if (name === 'table:table') this.sheets.push({ name: given['table:name'] ?? '', rows: [] });
    else if (name === 'table:table-row') {
      this.#row = [];
      this.#rowTimes = Number(given['table:number-rows-repeated'] ?? 1);
    } else if (name === 'table:table-cell') this.#cell = { given, paragraphs: [] };
    else if (name === 'office:annotation') this.#isNote = true;
    else if (this.#cell === null || this.#isNote) return;
    else if (name === 'text:p') {
      this.#cell.paragraphs.push('');
      this.#isInText = true;
    } else if (name === 'text:s') this.#say(' '.repeat(Number(given['text:c'] ?? 1)));
    else if (name === 'text:tab') this.#say('\t');
    else if (name === 'text:line-break') this.#say('\n');
  }

  text(said: string): void {
    if (this.#isInText) this.#say(said);
  }

  leave(name: string): void {
    if (name === 'text:p') this.#isInText = false;
    else if (name === 'office:annotation') this.#isNote = false;
    else if (name === 'table:table-cell') this.#endCell();
    else if (name === 'table:table-row') this.#endRow();
    else if (name === 'table:table') this.#endSheet();
  }

  #say(text: string): void {
    const paragraphs = this.#cell?.paragraphs;
    if (paragraphs === undefined || paragraphs.length === 0) return;
    paragraphs.push((paragraphs.pop() ?? '') + text);
  }

  #endCell(): void {
    if (this.#cell === null) return;
    const { given, paragraphs } = this.#cell;
    const times = Number(given['table:number-columns-repeated'] ?? 1);
    for (let n = 0; n < Math.min(times, MOST_REPEATED); n++)
      this.#row.push(cellOf(given, paragraphs));
    this.#cell = null;
  }

  #endRow(): void {
    while (this.#row.at(-1)?.type === 'empty') this.#row.pop();
    const times = this.#row.length === 0 ? 1 : this.#rowTimes;
    for (let n = 0; n < times; n++) this.sheets.at(-1)?.rows.push(this.#row);
  }

  #endSheet(): void {
    const rows = this.sheets.at(-1)?.rows ?? [];
    while (rows.at(-1)?.length === 0) rows.pop();
  }
}

function cellOf(given: Attributes, paragraphs: readonly string[]): OpenedCell {
  // LibreOffice keeps a truth of a workbook as the function that gives it.
  const truth = /^of:=(TRUE|FALSE)\(\)$/.exec(given['table:formula'] ?? '')?.[1];
  if (truth !== undefined) return { type: 'boolean', value: truth.toLowerCase(), formula: null };
  const type = given['office:value-type'] as OpenedCell['type'] | undefined;
  if (type === undefined) return EMPTY;
  const own = given[`office:${type === 'date' || type === 'boolean' ? type : ''}-value`];
  const value = given['office:value'] ?? own ?? paragraphs.join('\n');
  return { type, value, formula: given['table:formula'] ?? null };
}
