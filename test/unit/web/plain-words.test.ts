/**
 * What a person reads on a page is a sentence in their language: every refusal that the code can make,
 * and every word that an answer brings, is collected here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { REGISTERS } from '../../../src/registers.ts';
import { GUARDS } from '../../../sync/check.ts';
import * as NAMES from '../../../src/http/v1/drift/names.ts';
import { KINDS } from '../../../src/core/rows/job-types.ts';
import { FAILURES, codesOf } from '../../../src/kernel/failures.ts';
import type { FailureType } from '../../../src/kernel/failures.ts';
import * as TERMS from '../../../src/web/drift/terms.ts';
import { SOURCE_WORDS as HOSTS } from '../../../src/layers/words.ts';
import OPERATIONS from '../../../src/web/konto/operations.json' with { type: 'json' };
import { DELIVERY_ERRORS } from '../../../src/web/konto/terms.ts';
import type { Words } from '../../../src/layers/words.ts';
import { plainSentence } from '../../../src/web/shared/plain-words.ts';
import { SRC, filesBelow, visitSources } from '../../support/source-nodes.ts';

const LANGUAGES = ['da', 'en'] as const;
const GENERAL = { da: 'Det lykkedes ikke', en: 'That did not work' };

/** A whole sentence, too. */
function apiWordsIn(sentence: string): readonly string[] {
  const odd = oddWordsIn(sentence);
  const begin = sentence.replaceAll(/"[^"]*"/g, '');
  return /^[a-zæøå]/.test(begin) ? [...odd, 'begins with a small letter'] : odd;
}

/** Judged by other means than those of the page: what only programs call something. */
function oddWordsIn(sentence: string): readonly string[] {
  const unquoted = sentence.replaceAll(/"[^"]*"/g, '');
  const words = unquoted.match(/[^\s,;:()«»„”]+/g) ?? [];
  return words.filter((word) => {
    const bare = word.replace(/[.?!]+$/, '');
    if (/^(?:GeoJSON|GeoPackage|FlatGeobuf|PostGIS|[GM]iB|svc_\S*|https?:\/\/\S*)$/.test(bare))
      return false;
    return (
      /_|\[|\]|[{}<>=]|\/v\d/.test(bare) ||
      /^[a-zæøå]+[A-ZÆØÅ]/.test(bare) ||
      (/^[a-zæøå]+\.[a-z]/i.test(bare) && !/\.dk$|localhost|xlsx|csv|\d/.test(bare)) ||
      /^(?:E[A-Z]{4,}|GET|POST|PATCH|DELETE|JSON|null|true|false)$/.test(bare) ||
      /^(?:Retry-After|Content-|Accept-|X-|If-|Idempotency-)/.test(bare)
    );
  });
}

interface Said {
  readonly language: 'da' | 'en';
  readonly text: string;
  readonly code: string;
}

type Keys = Readonly<Partial<Record<string, Said['language']>>>;
const OF_FAILURE: Keys = { error: 'en', errorDa: 'da' };
const OF_TABLE: Keys = { en: 'en', da: 'da' };

/** Every sentence of a refusal in the source; what is put in is a `7`. */
function refusalsInSource(): readonly Said[] {
  const found: Said[] = [];
  visitSources(
    SRC,
    (name, text) => !/^web|\/sample\//.test(name) && /\berror(?:Da)?:/.test(text),
    (node, name) => {
      if (!ts.isPropertyAssignment(node)) return;
      const isTable = name.endsWith('row-errors.ts');
      const language = (isTable ? OF_TABLE : OF_FAILURE)[node.name.getText()];
      const text = language === undefined ? null : textOf(node.initializer);
      if (language === undefined || text === null) return;
      found.push({ language, text: text.replaceAll(/\{\w+\}/g, '7'), code: codeAround(node) });
    },
  );
  return found;
}

function textOf(node: ts.Expression): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => `${text}7${span.literal.text}`,
      node.head.text,
    );
  if (!ts.isBinaryExpression(node)) return null;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === null || right === null ? null : left + right;
}

/** The code that stands beside it, else the class that it is thrown as. */
function codeAround({ parent }: ts.PropertyAssignment): string {
  const beside = ts.isObjectLiteralExpression(parent) ? parent.properties : [];
  for (const each of beside) {
    if (ts.isPropertyAssignment(each) && each.name.getText() === 'code')
      return textOf(each.initializer) ?? '';
  }
  const [first] = ts.isNewExpression(parent.parent) ? (parent.parent.arguments ?? []) : [];
  return (first !== undefined && textOf(first)) || 'invalid_request';
}

describe('a refusal on a page', () => {
  const all = refusalsInSource();

  test('is found in the source', () => {
    expect(all.length).toBeGreaterThan(300);
    expect(all.map(({ text }) => text)).toContain(
      'permission skal være read, jobs eller restricted:<område,…>.',
    );
  });

  test('names nothing that only a program knows', () => {
    const shown = all.map(({ language, text, code }) => plainSentence(text, code, language));
    expect(shown.filter((sentence) => apiWordsIn(sentence).length > 0)).toEqual([]);
  });

  test('keeps what it says where that is for people', () => {
    const kept = all.filter(
      ({ language, text, code }) => plainSentence(text, code, language) === text,
    );
    expect(kept.length / all.length).toBeGreaterThan(0.7);
  });

  test.each(Object.keys(FAILURES) as FailureType[])(
    'of class %s has a sentence for any cause',
    (type) => {
      for (const language of LANGUAGES) {
        for (const code of codesOf(type)) {
          const text = FAILURES[type][language];
          for (const sentence of [
            plainSentence(text, code, language),
            plainSentence('x_y', code, language),
          ])
            expect(apiWordsIn(sentence)).toEqual([]);
        }
        expect(plainSentence(FAILURES[type][language], type, language)).not.toContain(
          GENERAL[language],
        );
      }
    },
  );

  test.each([
    ['name skal have 1 til 80 tegn.', 'Navnet skal have 1 til 80 tegn.', 'da'],
    ['url must begin with https://.', 'The address must begin with https://.', 'en'],
    ['Egenskaben name mangler.', 'Navnet mangler.', 'da'],
    ['For mange job. Prøv igen efter Retry-After.', 'For mange job. Prøv igen om lidt.', 'da'],
    [
      'read ECONNRESET',
      'Something you typed or chose cannot be used. Correct it and try again.',
      'en',
    ],
    ['Kolonnen "vejNavn" er tom.', 'Kolonnen "vejNavn" er tom.', 'da'],
  ] as const)('%s', (text, sentence, language) => {
    expect(plainSentence(text, 'invalid_request', language)).toBe(sentence);
  });
});

describe('a text of a page', () => {
  /** Named on purpose, for who writes the receiver or the command. */
  const NAMED =
    /X-Service-Signature|webhook-signature|<nøgle>|<key>|(?:Copy|Kopiér) JSON|^old[A-Z]\w+$/g;

  test('of a module names nothing that only a program knows', () => {
    const texts = textsOfModules();
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((text) => oddWordsIn(text.replaceAll(NAMED, '')).length > 0)).toEqual([]);
  });

  test('of a document neither, outside what is marked as code', () => {
    const texts = textsOfDocuments();
    expect(texts.length).toBeGreaterThan(120);
    expect(texts.filter((text) => oddWordsIn(text.replaceAll(NAMED, '')).length > 0)).toEqual([]);
  });
});

describe('a word that an answer brings', () => {
  type Table = Readonly<Record<string, Words>>;

  /** Said in both languages, and none of it as programs say it. */
  function expectSaid(ids: readonly string[], table: Table): void {
    expect(ids.filter((id) => !Object.hasOwn(table, id))).toEqual([]);
    const told = Object.values(table).flatMap(({ da, en }) => [da, en]);
    const bare = told.map((text) => text.replace(/Miljøportalen|[A-ZÆØÅ]{3,}/, ''));
    expect(bare.filter((text) => /[_[\]{}]|[a-zæøå][A-Z]/.test(text))).toEqual([]);
  }

  test('of the operations page is said', () => {
    expectSaid(GUARDS, TERMS.GUARDS);
    expectSaid(Object.values(NAMES.RUN_KINDS), TERMS.KINDS);
    const triggers = Object.values(NAMES.TRIGGERS).filter((name) => name !== 'ukendt');
    expectSaid(triggers, TERMS.TRIGGERS);
    expectSaid(Object.values(NAMES.ANSWERED_NAMES), TERMS.ANSWERS);
    expectSaid(Object.values(NAMES.BREAKER_NAMES), TERMS.BREAKERS);
    expectSaid(Object.values(NAMES.ACTION_NAMES), TERMS.ACTIONS);
    const phases = ['claim', 'fetch', 'diff', 'check', 'derive', 'apply', 'announce'];
    expectSaid(phases, TERMS.PHASES);
    expectSaid(['unreadable', 'repaired', 'empty', 'outside-denmark'], TERMS.ISSUES);
    expectSaid(quotedIn('wfs/failure.ts', /\| '(\w+)'/g), TERMS.FAILURES);
    const hosts = filesBelow(join(SRC, 'registers'), '.ts').flatMap((name) =>
      quotedIn(join('registers', name), /\bhost: '([\w-]+)'/g),
    );
    expectSaid(['portal', ...hosts], HOSTS);
  });

  test.each([
    ['no connection (ECONNRESET)', 'Der er ingen forbindelse til registret.'],
    ['no whole answer within 30000 ms', 'Registret svarede ikke i tide.'],
    ['answered 503: Service Unavailable', 'Registret svarede med en fejl.'],
    ['bbrEjendom: columns id_lokalId', undefined],
  ])('of a failed run, %s, is a sentence', (failure, sentence) => {
    expect(TERMS.MEANINGS.find(([pattern]) => pattern.test(failure))?.[1].da).toBe(sentence);
  });

  test('of a delivery that failed is said', () => {
    const words = quotedIn('webhooks/transport.ts', /^ {2}[A-Z_]+: '([^']+)',/gm);
    expect(words).toContain('connection refused');
    const others = ['timeout', 'interrupted', 'connection lost', 'TLS failed'];
    expectSaid([...words, ...others, 'not an HTTP answer'], DELIVERY_ERRORS);
  });

  test('of a month of use is said', () => {
    const ids = REGISTERS.flatMap(({ questions }) => questions)
      .filter(({ area }) => area !== null)
      .map(({ key }) => key);
    expect(ids).toContain('bbrEjendom');
    expectSaid([...ids, ...KINDS.map((kind) => `jobs:${kind}`)], OPERATIONS);
  });
});

function quotedIn(file: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(join(SRC, file), 'utf8').matchAll(pattern)].map(([, word = '']) => word);
}

const WEB = join(SRC, 'web');

/** Both languages of every pair in the modules of pages; what is put in is a `7`. */
function textsOfModules(): readonly string[] {
  const found: string[] = [];
  visitSources(
    WEB,
    (name, text) => name.endsWith('words.ts') || /\bt\(|\b(?:da|en):/.test(text),
    (node, name) => {
      const isPair = ts.isCallExpression(node) && node.expression.getText() === 't';
      const isWord =
        ts.isPropertyAssignment(node) &&
        (/^(?:da|en)$/.test(node.name.getText()) || /words\.ts$/.test(name));
      const texts = isPair ? node.arguments : isWord ? [node.initializer] : [];
      found.push(...texts.flatMap((text) => textOf(text) ?? []));
    },
  );
  return found;
}

/** Texts and their English in the documents of pages. */
function textsOfDocuments(): readonly string[] {
  return filesBelow(WEB, '.html').flatMap((name) => {
    const whole = readFileSync(join(WEB, name), 'utf8');
    const html = whole.replaceAll(/<!--[\s\S]*?-->|<(code|pre|script)[\s>][\s\S]*?<\/\1>/g, '');
    const english = [...html.matchAll(/ data-en(?:-[a-z-]+)?="([^"]*)"/g)];
    const danish = html.replaceAll(/<[^>]*>/g, '\n').split('\n');
    const texts = [...english.map(([, text = '']) => text), ...danish.map((text) => text.trim())];
    return texts.filter((text) => text !== '');
  });
}
