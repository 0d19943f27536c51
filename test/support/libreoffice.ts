/** LibreOffice as a Danish reader has it: Debian's libreoffice-calc and libreoffice-l10n-da, without a window. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import { parseXml } from '../../src/wfs/dom.ts';
import type { XmlElement } from '../../src/wfs/dom.ts';

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

  async open(file: string, from?: string): Promise<readonly OpenedSheet[]> {
    const flat = await this.convert(file, { to: 'fods', ...(from !== undefined && { from }) });
    return sheetsOf(flat.toString());
  }
}

/** What a cell is to LibreOffice. `value`: a number's, a day's or a truth's own; a text's text. */
export interface OpenedCell {
  /** As OpenDocument names it (`float`, `date`); `empty`: it has none. */
  readonly type: string;
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
  return parseXml(text)
    .getElementsByTagName('table:table')
    .map((table) => ({
      name: table.getAttribute('table:name') ?? '',
      rows: used(table.getElementsByTagName('table:table-row').flatMap(rowsOf), isUnused),
    }));
}

const isUnused = ({ length }: readonly OpenedCell[]): boolean => length === 0;

/** Without what is not used at the end. */
function used<T>(all: readonly T[], isEmpty: (each: T) => boolean): readonly T[] {
  return all.slice(0, all.findLastIndex((each) => !isEmpty(each)) + 1);
}

function rowsOf(row: XmlElement): readonly (readonly OpenedCell[])[] {
  const all = childrenOf(row, 'table:table-cell').flatMap((cell) => {
    const times = timesOf(cell, 'table:number-columns-repeated');
    return Array.from({ length: Math.min(times, MOST_REPEATED) }, () => cellOf(cell));
  });
  const cells = used(all, ({ type }) => type === 'empty');
  const times = isUnused(cells) ? 1 : timesOf(row, 'table:number-rows-repeated');
  return Array.from({ length: times }, () => cells);
}

function timesOf(element: XmlElement, name: string): number {
  return Number(element.getAttribute(name) ?? 1);
}

function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter(({ nodeName }) => nodeName === name);
}

/** Of a paragraph, with its blanks and breaks. */
function textOf(node: XmlElement): string {
  if (node.nodeName === 'text:s') return ' '.repeat(timesOf(node, 'text:c'));
  if (node.nodeName === 'text:tab') return '\t';
  if (node.nodeName === 'text:line-break') return '\n';
  return node.nodeValue ?? node.childNodes.map((child) => textOf(child as XmlElement)).join('');
}

function cellOf(cell: XmlElement): OpenedCell {
  const given = (name: string) => cell.getAttribute(name) ?? undefined;
  // LibreOffice keeps a truth of a workbook as the function that gives it.
  const truth = /^of:=(TRUE|FALSE)\(\)$/.exec(given('table:formula') ?? '')?.[1];
  if (truth !== undefined) return { type: 'boolean', value: truth.toLowerCase(), formula: null };
  const type = given('office:value-type');
  if (type === undefined) return EMPTY;
  const own = given(`office:${type === 'date' || type === 'boolean' ? type : ''}-value`);
  const paragraphs = childrenOf(cell, 'text:p').map(textOf);
  const value = given('office:value') ?? own ?? paragraphs.join('\n');
  return { type, value, formula: given('table:formula') ?? null };
}
