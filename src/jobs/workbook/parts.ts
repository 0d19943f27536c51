import { JOB_LIMITS } from '../limits.ts';
import { codeFormatOf } from './code-format.ts';
import type { CodeFormat } from './code-format.ts';
import { isDateFormat } from './dates.ts';
import type { DateSystem } from './dates.ts';
import { partName } from './archive.ts';
import type { WorkbookArchive } from './archive.ts';
import { broken, tooManyFormats, tooManyParts, tooManyTexts } from './refusals.ts';
import { walkXml } from './xml.ts';
import type { XmlVisitor } from './xml.ts';

export interface SheetPart {
  readonly name: string;
  readonly isHidden: boolean;
  readonly path: string;
}

export interface NumberStyle {
  readonly isDate: boolean;
  /** Whole numbers shown with leading zeros; null: they are not. */
  readonly code: CodeFormat | null;
}

export interface WorkbookParts {
  readonly sheets: readonly SheetPart[];
  readonly dateSystem: DateSystem;
  /** A formula's 0 may stand for a value only a spreadsheet computes. */
  readonly isComputedOnOpening: boolean;
  readonly styles: readonly NumberStyle[];
  readonly texts: readonly string[];
}

/** Throws when there is no workbook. */
export async function readParts(from: WorkbookArchive): Promise<WorkbookParts> {
  const root = await relationsOf(from, '_rels/.rels', '');
  const main = root.find(({ type }) => type === 'officeDocument')?.path;
  if (main === undefined) throw broken('no workbook');
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const name = main.slice(folder.length);
  const relations = await relationsOf(from, `${folder}_rels/${name}.rels`, folder);
  const { listed, ...calculation } = await sheetsOf(from, main);
  const sheets = listed.flatMap(({ id, ...sheet }) => {
    const relation = relations.find((each) => each.id === id && each.type === 'worksheet');
    return relation === undefined ? [] : [{ ...sheet, path: relation.path }];
  });
  const pathOf = (type: string) => relations.find((each) => each.type === type)?.path;
  const styles = await stylesOf(from, pathOf('styles'));
  return { sheets, ...calculation, styles, texts: await textsOf(from, pathOf('sharedStrings')) };
}

async function visit(from: WorkbookArchive, path: string, visitor: Partial<XmlVisitor>) {
  const whole = { ...NO_VISITOR, ...visitor };
  const walk = walkXml(from.part(path), whole);
  while (!(await walk.next()).done);
}

const NO_VISITOR: XmlVisitor = {
  open: () => undefined,
  text: () => undefined,
  close: () => undefined,
};

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

async function relationsOf(
  from: WorkbookArchive,
  path: string,
  folder: string,
): Promise<readonly Relation[]> {
  const found: Relation[] = [];
  await visit(from, path, {
    open: (name, { Id = '', Type = '', Target = '', TargetMode }) => {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      if (found.length === JOB_LIMITS.workbook.members) throw tooManyParts();
      const isFromRoot = /^[/\\]/.test(Target);
      const target = partName(decoded(isFromRoot ? Target : folder + Target));
      if (target === null) throw broken('a target outside');
      found.push({ id: Id, type: Type.slice(Type.lastIndexOf('/') + 1), path: target });
    },
  });
  return found;
}

/** Targets are URLs, which some programs escape. */
function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

interface ListedSheet extends Omit<SheetPart, 'path'> {
  readonly id: string;
}

async function sheetsOf(from: WorkbookArchive, path: string) {
  const listed: ListedSheet[] = [];
  let dateSystem: DateSystem = 1900;
  let isComputedOnOpening = false;
  await visit(from, path, {
    open: (tag, attributes) => {
      if (tag === 'workbookPr' && isTrue(attributes.date1904)) dateSystem = 1904;
      if (tag === 'calcPr') isComputedOnOpening = isTrue(attributes.fullCalcOnLoad);
      if (tag !== 'sheet') return;
      if (listed.length === JOB_LIMITS.workbook.members) throw tooManyParts();
      const { name = '', state = 'visible' } = attributes;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      listed.push({ name, isHidden: state !== 'visible', id });
    },
  });
  return { dateSystem: dateSystem as DateSystem, isComputedOnOpening, listed };
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

async function stylesOf(
  from: WorkbookArchive,
  path: string | undefined,
): Promise<readonly NumberStyle[]> {
  if (path === undefined) return [];
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isInCells = false;
  await visit(from, path, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (codes.size + formats.length > JOB_LIMITS.workbook.formats) throw tooManyFormats();
      if (name === 'cellXfs') isInCells = true;
      else if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'xf' && isInCells) formats.push(Number(numFmtId));
    },
    close: (name) => {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats.map((id) => {
    const code = codes.get(id) ?? null;
    return { isDate: isDateFormat(id, code), code: codeFormatOf(code) };
  });
}

async function textsOf(
  from: WorkbookArchive,
  path: string | undefined,
): Promise<readonly string[]> {
  if (path === undefined || !from.has(path)) return [];
  const { texts: most, textChars } = JOB_LIMITS.workbook;
  const texts: string[] = [];
  let chars = 0;
  const run = new TextRuns();
  await visit(from, path, {
    open: (name) => {
      if (name === 'si') run.begin();
      else run.open(name);
    },
    text: (text) => run.text(text),
    close: (name) => {
      if (name !== 'si') {
        run.close(name);
        return;
      }
      const text = run.take();
      chars += text.length;
      if (texts.push(text) > most || chars > textChars) throw tooManyTexts();
    },
  });
  return texts;
}

/** A text in several runs; ignores phonetic hints. */
export class TextRuns {
  #text = '';
  #isInText = false;
  #isAloud = false;

  begin(): void {
    this.#text = '';
  }

  open(name: string): void {
    if (name === 'rPh') this.#isAloud = true;
    else if (name === 't') this.#isInText = true;
  }

  text(text: string): void {
    if (this.#isInText && !this.#isAloud) this.#text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.#isAloud = false;
    else if (name === 't') this.#isInText = false;
  }

  take(): string {
    return unescaped(this.#text);
  }
}

/** Characters that XML forbids (22.9.2.19, ST_Xstring). */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

const ESCAPE = /_x([0-9a-f]{4})_/gi;
