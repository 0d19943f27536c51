/** Texts that stand in the source, found by the compiler's own parser. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const SRC = join(import.meta.dirname, '../../src');

export function filesBelow(root: string, ending: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending));
}

/** Each node of the TypeScript files below `root` that are wanted; no other is parsed. */
export function visitSources(
  root: string,
  isWanted: (name: string, text: string) => boolean,
  visit: (node: ts.Node, name: string) => void,
): void {
  for (const name of filesBelow(root, '.ts')) {
    const text = readFileSync(join(root, name), 'utf8');
    if (!isWanted(name, text)) continue;
    const walk = (node: ts.Node): void => {
      visit(node, name);
      ts.forEachChild(node, walk);
    };
    walk(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  }
}
