/** One thing has one name: whatever pages, messages and files of jobs say in Danish and English. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { SRC, filesBelow, visitSources } from '../../support/source-nodes.ts';

const ROOMS = /^(?:web|http\/pages|jobs)\/|^layers\/words\.ts$/;

type Pair = Readonly<Record<'da' | 'en' | 'where', string>>;

/** What a node says in both languages: a call of `t`, or an object of `da` and `en`. */
function saidBy(node: ts.Node): readonly (ts.Node | undefined)[] {
  if (ts.isCallExpression(node)) return node.expression.getText() === 't' ? node.arguments : [];
  if (!ts.isObjectLiteralExpression(node)) return [];
  const assigned = node.properties.filter((each) => ts.isPropertyAssignment(each));
  return ['da', 'en'].map(
    (name) => assigned.find((each) => each.name.getText() === name)?.initializer,
  );
}

const PAIRS: Pair[] = [];
visitSources(
  SRC,
  (name, text) => ROOMS.test(name) && /\bt\(|\bda:/.test(text),
  (node, where) => {
    const [da, en] = saidBy(node);
    if (da && en && ts.isStringLiteral(da) && ts.isStringLiteral(en))
      PAIRS.push({ da: da.text, en: en.text, where });
  },
);
for (const where of [...filesBelow(SRC, '.ts'), ...filesBelow(SRC, '.html')]) {
  if (!ROOMS.test(where)) continue;
  const text = readFileSync(join(SRC, where), 'utf8');
  for (const [, en = '', da = ''] of text.matchAll(/data-en="([^"]+)"\s*>([^<]+)</g))
    PAIRS.push({ da: da.replaceAll(/\s+/g, ' ').trim(), en, where });
}
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
