/** One thing has one name: whatever pages, messages and files of jobs say in Danish and English. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');
const ROOMS = ['web', 'http/pages', 'jobs', 'layers/words.ts'];

interface Pair {
  readonly da: string;
  readonly en: string;
  readonly where: string;
}

function filesOf(room: string): readonly string[] {
  if (room.endsWith('.ts')) return [room];
  return readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|html)$/.test(name))
    .map((name) => join(room, name));
}

function pairsIn(where: string): readonly Pair[] {
  const text = readFileSync(join(SRC, where), 'utf8');
  const markup = [...text.matchAll(/data-en="([^"]+)"\s*>([^<]+)</g)].map(
    ([, en = '', da = '']) => ({ da: da.replaceAll(/\s+/g, ' ').trim(), en, where }),
  );
  return where.endsWith('.html') ? markup : [...markup, ...pairsInCode(text, where)];
}

function pairsInCode(text: string, where: string): readonly Pair[] {
  const pairs: Pair[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 't') {
      const [da, en] = node.arguments;
      if (da && en) add(da, en);
    }
    if (ts.isObjectLiteralExpression(node)) {
      const valueOf = (name: string) =>
        node.properties.find(
          (each): each is ts.PropertyAssignment =>
            ts.isPropertyAssignment(each) && each.name.getText() === name,
        )?.initializer;
      const [da, en] = [valueOf('da'), valueOf('en')];
      if (da && en) add(da, en);
    }
    ts.forEachChild(node, visit);
  };
  const add = (da: ts.Node, en: ts.Node): void => {
    if (ts.isStringLiteral(da) && ts.isStringLiteral(en))
      pairs.push({ da: da.text, en: en.text, where });
  };
  visit(ts.createSourceFile(where, text, ts.ScriptTarget.Latest, true));
  return pairs;
}

const PAIRS = ROOMS.flatMap(filesOf).flatMap(pairsIn);
/** One word of a language for two forms of the other's. */
const FORMS = {
  da: ['af', 'lag', 'svar', 'i kraft'],
  en: ['(optional)', 'failed', 'released', 'reverted', 'new', 'gone', 'moved', 'pause', 'resume'],
} as const;
/** What a thing was called, too. */
const OTHER_NAMES: readonly (readonly [name: string, other: RegExp])[] = [
  ['log ind', /\blog(?:ger?|get)? på\b/i],
  ['log ud', /\blog(?:ger?|get)? af\b/i],
  ['BFE-nummer', /ejendomsnumm|bfe-nr/i],
  ['jordstykke', /\bparcel(?:len|ler|lerne)?\b/i],
  ['kunne ikke afgøres', /\butilgængelig/i],
  ['gælder her', /\binden for, usikker|ikke inden for/i],
  ['postnummer', /\bpostdistriktsnummer|\bzip/i],
  ['driftsnøgle', /operatørnøgle|driftstoken/i],
  ['e-mailadresse', /(?<!e-)\bmailadresse|\bemail\b/i],
];
/** Names, not sentences. */
const NAMES = PAIRS.filter(
  ({ da, en }) => da.split(' ').length <= 3 && !/[.!?…]$/.test(da) && !isForm({ da, en }),
);

function isForm(pair: Pick<Pair, 'da' | 'en'>): boolean {
  return (['da', 'en'] as const).some((each) =>
    (FORMS[each] as readonly string[]).includes(pair[each].toLowerCase()),
  );
}

function twice(from: 'da' | 'en', to: 'da' | 'en'): readonly string[] {
  const found = new Map<string, Map<string, string>>();
  for (const pair of NAMES) {
    const names = found.get(pair[from].toLowerCase()) ?? new Map<string, string>();
    names.set(pair[to].toLowerCase(), pair.where);
    found.set(pair[from].toLowerCase(), names);
  }
  return [...found].flatMap(([name, others]) =>
    others.size < 2 ? [] : [`${name}: ${[...others].map((each) => each.join(' in ')).join(', ')}`],
  );
}

test('a Danish name has one English name, and an English one a Danish', () => {
  expect(NAMES.length).toBeGreaterThan(200);
  expect(twice('da', 'en')).toEqual([]);
  expect(twice('en', 'da')).toEqual([]);
});

test.each(OTHER_NAMES)('a %s is called nothing else', (_name, other) => {
  const found = PAIRS.filter(({ da }) => other.test(da));
  expect(found.map(({ da, where }) => `${where}: ${da}`)).toEqual([]);
});
