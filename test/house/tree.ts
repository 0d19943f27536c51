/** What the figures are read from: the files of a checkout, their functions, comments and imports. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

export interface Source {
  /** From the root of the tree. */
  readonly path: string;
  readonly lines: number;
  /** Lines of each function that has a body in braces, from its first to its last. */
  readonly functions: readonly number[];
  /** Words between the marks of a doc comment. */
  readonly docWords: number;
  readonly dialectWords: number;
  readonly commentWords: number;
  /** Files of this tree that it imports, from the root, once a statement. */
  readonly imports: readonly string[];
  readonly values: readonly string[];
}

/** Words that comments use for a standard term (`behind` for after, `told` for reported, and so on). */
const DIALECT =
  /\b(behind|told|tells|nobody|whoever|at hand|stands?|stood|beside|of its own|has it|asked again)\b/gi;

export function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export function filesOf(root: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const out = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const gone = execFileSync('git', ['ls-files', '--deleted'], { cwd: root, encoding: 'utf8' });
  const deleted = new Set(gone.split('\n'));
  return out.split('\n').filter((path) => path !== '' && !deleted.has(path));
}

export function readSource(root: string, path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const functions: number[] = [];
  const imports: string[] = [];
  const values: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body && ts.isBlock(node.body)) {
      const lineOf = (at: number): number => file.getLineAndCharacterOfPosition(at).line;
      functions.push(lineOf(node.end) - lineOf(node.getStart()) + 1);
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      const from = node.moduleSpecifier;
      if (from !== undefined && ts.isStringLiteral(from) && from.text.startsWith('.')) {
        const target = normalize(join(dirname(path), from.text));
        imports.push(target);
        if (!isOfTypes(node)) values.push(target);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  const docs = text.match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  const docWords = docs.reduce((sum, doc) => sum + wordsIn(doc), 0);
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const comments = (text.match(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g) ?? []).join('\n');
  return {
    ...{ path, lines, functions, docWords, imports, values },
    commentWords: wordsIn(comments),
    dialectWords: comments.match(DIALECT)?.length ?? 0,
  };
}

function isOfTypes(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
}
