/**
 * The head of the plainest request: a GET of HTTP/1.1 without a body, whole, with nothing behind it.
 * This is no reader of HTTP: it knows one kind of request for certain and leaves every other to
 * node's own, so that no text can mean one thing here and another there.
 */
import type { IncomingMessage } from 'node:http';

/** What of a head matters to a plain question. */
export interface PlainHead {
  /** Path and query as sent. */
  readonly target: string;
  readonly authorization: string | undefined;
  /** `X-Request-Id`. */
  readonly requestId: string | undefined;
}

const START = 'GET /';
const END = '\r\n\r\n';
const LINE = '\r\n';

/** Request line and fields, strictly: no other spaces, no continued lines, no bytes beyond ASCII. */
const GRAMMAR =
  /^GET \/[\x21-\x7e]* HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\x20-\x7e]*\r\n)+\r\n$/;

/** Fields that make more of a request than a plain GET, whatever they say. */
const MORE = new Set([
  'content-length',
  'expect',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

interface Fields {
  host?: string;
  authorization?: string;
  'x-request-id'?: string;
}

type Field = keyof Fields;

/** null: not plain, or not certainly so. `text`: the bytes as latin1. */
export function readPlainHead(text: string): PlainHead | null {
  if (!text.startsWith(START) || !text.endsWith(END) || !GRAMMAR.test(text)) return null;
  const endOfTarget = text.indexOf(' ', START.length);
  const fields: Fields = {};
  let start = text.indexOf(LINE) + LINE.length;
  while (start < text.length - LINE.length) {
    const end = text.indexOf(LINE, start);
    if (!takeField(fields, text, { start, end })) return null;
    start = end + LINE.length;
  }
  if (fields.host === undefined) return null;
  return {
    target: text.slice(START.length - 1, endOfTarget),
    authorization: fields.authorization,
    requestId: fields['x-request-id'],
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** False: this field is not one of a plain request. */
function takeField(fields: Fields, text: string, { start, end }: Span): boolean {
  const colon = text.indexOf(':', start);
  const name = text.slice(start, colon).toLowerCase();
  if (MORE.has(name)) return false;
  if (name === 'connection')
    return (
      text
        .slice(colon + 1, end)
        .trim()
        .toLowerCase() === 'keep-alive'
    );
  if (!isField(name)) return true;
  // Said twice it could be read in two ways.
  if (fields[name] !== undefined) return false;
  fields[name] = text.slice(colon + 1, end).trim();
  return true;
}

function isField(name: string): name is Field {
  return name === 'host' || name === 'authorization' || name === 'x-request-id';
}

/** The same of a request that node has read; null: it is not plain. */
export function plainHeadOf({ method, headers, url = '' }: IncomingMessage): PlainHead | null {
  const isPlain =
    method === 'GET' &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers.expect === undefined;
  if (!isPlain) return null;
  const requestId = headers['x-request-id'];
  return {
    target: url,
    authorization: headers.authorization,
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}
