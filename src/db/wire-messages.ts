/** Messages of PostgreSQL's protocol 3.0. */

export interface Startup {
  readonly kind: 'start' | 'encryption' | 'cancel';
  readonly bytes: number;
  /** null: no limit. */
  readonly statementMs: number | null;
}

const ENCRYPTION_REQUESTS = [80_877_103, 80_877_104];
const CANCEL_REQUEST = 80_877_102;

/** The first message has no type byte. null: incomplete. */
export function readStartup(buffer: Buffer): Startup | null {
  if (buffer.length < 8) return null;
  const bytes = buffer.readInt32BE(0);
  if (buffer.length < bytes) return null;
  const code = buffer.readInt32BE(4);
  if (ENCRYPTION_REQUESTS.includes(code)) return { kind: 'encryption', bytes, statementMs: null };
  if (code === CANCEL_REQUEST) return { kind: 'cancel', bytes, statementMs: null };
  return { kind: 'start', bytes, statementMs: statementMsOf(buffer.toString('utf8', 8, bytes)) };
}

/** `parameters`: names and values in turn, each ended by a zero byte. */
function statementMsOf(parameters: string): number | null {
  const words = parameters.split('\0');
  const at = words.findIndex((word, n) => n % 2 === 0 && word === 'statement_timeout');
  return at < 0 ? null : limitOf(words[at + 1] ?? '');
}

const LOCAL_LIMIT = /^\s*set\s+local\s+statement_timeout\s*(?:=|to)\s*(\d+)\s*;?\s*$/i;

/** For the rest of the transaction; null: none set. */
export function localLimitOf(message: Buffer): number | null {
  if (message.length > 200) return null;
  const type = String.fromCharCode(message[0] ?? 0);
  if (type !== 'Q' && type !== 'P') return null;
  const text = message.toString('utf8', 5).split('\0')[type === 'Q' ? 0 : 1] ?? '';
  return limitOf(LOCAL_LIMIT.exec(text)?.[1] ?? '');
}

function limitOf(text: string): number | null {
  const ms = Number(text);
  return Number.isInteger(ms) && ms > 0 ? ms : null;
}

/** Whole messages of a buffer, and the bytes the next needs. */
export function split(buffer: Buffer): { messages: Buffer[]; needed: number } {
  const messages: Buffer[] = [];
  let at = 0;
  while (buffer.length - at >= 5) {
    const bytes = 1 + buffer.readInt32BE(at + 1);
    if (buffer.length - at < bytes) return { messages, needed: bytes };
    messages.push(buffer.subarray(at, at + bytes));
    at += bytes;
  }
  return { messages, needed: 5 };
}

const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^\s*copy\b[^;]*\bfrom\s+stdin\b/i, 'COPY FROM STDIN: insert from unnest() instead'],
  [/^\s*(un)?listen\b/i, 'LISTEN'],
  [/^\s*set\s+(?!local\b|transaction\b|constraints\b)/i, 'SET: use SET LOCAL in a transaction'],
  [/^\s*prepare\b(?!\s+transaction)/i, 'PREPARE'],
];

/** null: the shared session can run it. */
export function refusalOf(type: string, message: Buffer): string | null {
  if (type !== 'Q' && type !== 'P') return null;
  const nameEnd = type === 'P' ? message.indexOf(0, 5) : 4;
  if (nameEnd > 5) return 'The embedded store does not take named statements.';
  const head = message.toString('utf8', nameEnd + 1, nameEnd + 1 + 500);
  const found = REFUSED.find(([pattern]) => pattern.test(head));
  return found === undefined ? null : `The embedded store does not take ${found[1]}.`;
}

const [SUSPENDED, NOTICE] = Buffer.from('sN');
export const READY_FOR_QUERY = 'Z'.charCodeAt(0);

/** PGlite 0.5.8 ends failed statements twice; the second would answer the next. */
export function endedOnce(answer: Buffer): Buffer {
  // Every other message before the end has a last byte of zero.
  const isTwice = answer.at(-12) === READY_FOR_QUERY && answer.at(-7) !== 0;
  return isTwice ? Buffer.concat([answer.subarray(0, -12), answer.subarray(-6)]) : answer;
}

/** Broken off by PostGIS without error: a suspended portal, a leftover snapshot (PGlite 0.5.8). */
export function hasLostStatement(answer: Buffer): boolean {
  return split(answer).messages.some(
    (each) => each[0] === SUSPENDED || (each[0] === NOTICE && each.includes('AtEOXact_Snapshot')),
  );
}

/** Authentication passed (the socket's directory protects it), settings, ready. */
export function greeting(serverVersion: string): Buffer {
  const settings = {
    server_version: serverVersion,
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    IntervalStyle: 'postgres',
    TimeZone: 'UTC',
    integer_datetimes: 'on',
    standard_conforming_strings: 'on',
  };
  return Buffer.concat([
    message('R', int32(0)),
    ...Object.entries(settings).map(([name, value]) => message('S', text(name), text(value))),
    message('K', int32(process.pid), int32(0)),
    message('Z', Buffer.from('I')),
  ]);
}

export function errorResponse(code: string, reason: string, severity = 'FATAL'): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${code}`, `M${reason}`].map(text);
  return message('E', ...fields, Buffer.alloc(1));
}

export function query(sql: string): Buffer {
  return message('Q', text(sql));
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32BE(value);
  return buffer;
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`, 'utf8');
}
