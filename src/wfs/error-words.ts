/**
 * An upstream's own error text, from a report, JSON, a page or plain text: short, on one line,
 * without secrets.
 */
import { charsetOf } from './charset.ts';
import { scrubText, scrubUrl } from './failure.ts';
import { inspect } from './inspect.ts';

const WORDS_CHARS = 200;

/** '' for a body without readable text. */
export function errorWords(bytes: Uint8Array, asked: URL): string {
  const envelope = inspect(bytes);
  const words =
    envelope.kind === 'exception' ? withCode(envelope.text, textOf(bytes)) : wordsOf(textOf(bytes));
  return withoutSecrets(oneLine(words), asked);
}

/** For a source whose text may quote the question, which may be personal (D117). */
export function errorCode(bytes: Uint8Array): string {
  const { code } = saidIn(parsed(textOf(bytes)));
  return /^[\w.-]{1,60}$/.test(code) ? code : '';
}

/** ` to https://…` without query, user and secrets; '' where unknown. */
export function redirectTarget(location: string | undefined, asked: URL): string {
  const target = location === undefined ? null : URL.parse(location, asked.href);
  return target === null ? '' : ` to ${withoutSecrets(scrubUrl(target.href), asked)}`;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder(charsetOf(bytes)).decode(bytes).trim();
}

/** The code is in an attribute next to the text. */
function withCode(words: string, report: string): string {
  const code = /\b(?:exceptionCode|code)\s*=\s*["']([\w.-]{1,60})["']/.exec(report)?.[1];
  return code === undefined || words.includes(code) ? words : `${code}: ${words}`;
}

function wordsOf(text: string): string {
  if (text.startsWith('{') || text.startsWith('[')) {
    const { code, message } = saidIn(parsed(text));
    return [code, message].filter((part) => part !== '').join(': ');
  }
  if (text.startsWith('<')) return /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? '';
  return /[^\P{C}\s]/u.test(text) ? '' : text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

const CODES = ['code', 'errorCode', 'type', 'status'];
const MESSAGES = ['message', 'title', 'detail', 'reason', 'description', 'error'];
const INSIDE = ['errors', 'error', 'extensions', 'fault', 'root_cause'];

function saidIn(value: unknown, depth = 0): { readonly code: string; readonly message: string } {
  const record: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof record !== 'object' || record === null || depth > 3) return { code: '', message: '' };
  const members = record as Readonly<Record<string, unknown>>;
  const inner = INSIDE.map((name) => saidIn(members[name], depth + 1));
  const innerCode = inner.find(({ code }) => code !== '')?.code;
  const innerMessage = inner.find(({ message }) => message !== '')?.message;
  return {
    code: innerCode ?? wordIn(members, CODES),
    message: innerMessage ?? wordIn(members, MESSAGES),
  };
}

function wordIn(members: Readonly<Record<string, unknown>>, names: readonly string[]): string {
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > WORDS_CHARS ? `${line.slice(0, WORDS_CHARS)}…` : line;
}

const SECRET_NAME = /key|token|user|pass|secret|sig/i;
/** A long value that is not a word, whatever its name. */
const SECRET_VALUE = /^[\w+/=-]{20,}$/;

/** An answer may quote the question with its key, plain or URL-encoded. */
function withoutSecrets(text: string, asked: URL): string {
  let clean = scrubText(text);
  for (const [name, value] of asked.searchParams) {
    if (value === '' || !(SECRET_NAME.test(name) || SECRET_VALUE.test(value))) continue;
    clean = clean.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…');
  }
  return clean;
}
