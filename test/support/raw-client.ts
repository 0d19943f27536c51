/** Bytes over a bare socket, and the answers that came back, byte by byte. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name; one that is said twice has its values joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Heard {
  readonly answers: readonly RawAnswer[];
  /** What came behind the last whole answer. */
  readonly rest: string;
  /** `open`: the service has not closed the connection. */
  readonly end: 'open' | 'closed' | 'reset';
}

export interface Saying {
  /** Milliseconds between two pieces; 0: all at once. */
  readonly pauseMs?: number;
  /** Closes the client's side behind the last piece. */
  readonly halfClose?: boolean;
  /** Hears no more once nothing came in so many looks, one each 5 ms: no clock that a busy machine moves. */
  readonly quietLooks?: number;
  /** Reads nothing until all is written, as a simple client does. */
  readonly readsLast?: boolean;
}

const USUAL_QUIET_LOOKS = 60;
const MOST_LOOKS = 4_000;
const LOOK_MS = 5;

/** Says the pieces, one write each, and hears until the connection is closed or silent. */
export async function say(
  port: number,
  pieces: readonly (string | Buffer)[],
  {
    pauseMs = 0,
    halfClose = false,
    quietLooks = USUAL_QUIET_LOOKS,
    readsLast = false,
  }: Saying = {},
): Promise<Heard> {
  const chunks: Buffer[] = [];
  let end: Heard['end'] = 'open';
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('end', () => (end = end === 'open' ? 'closed' : end));
  socket.on('error', () => (end = 'reset'));
  if (readsLast) socket.pause();
  const ended = (): boolean => end !== 'open';
  for (const piece of pieces) {
    if (ended()) break;
    const isTaken = socket.write(piece, 'latin1');
    if (!isTaken && readsLast) await drained(socket);
    if (pauseMs > 0) await sleep(pauseMs);
  }
  if (halfClose) socket.end();
  socket.resume();
  await silence(() => chunks.length, ended, quietLooks);
  socket.destroy();
  return { ...answersIn(Buffer.concat(chunks)), end };
}

async function silence(heard: () => number, ended: () => boolean, quietLooks: number) {
  let before = 0;
  for (let looks = 0, quiet = 0; looks < MOST_LOOKS && quiet < quietLooks && !ended(); looks++) {
    await sleep(LOOK_MS);
    quiet = heard() === before ? quiet + 1 : 0;
    before = heard();
  }
}

/** Written, or lost with its connection. */
async function drained(socket: Socket): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race(
    ['drain', 'close'].map((event) => once(socket, event, { signal }).catch(() => undefined)),
  );
  over.abort();
}

const END_OF_HEAD = '\r\n\r\n';

/** Answers in a row, each with the length it tells; a 1xx has no body. */
export function answersIn(bytes: Buffer): Pick<Heard, 'answers' | 'rest'> {
  const answers: RawAnswer[] = [];
  let at = 0;
  for (;;) {
    const end = bytes.indexOf(END_OF_HEAD, at);
    if (end < 0) break;
    const [first = '', ...lines] = bytes.toString('latin1', at, end).split('\r\n');
    const said = /^HTTP\/1\.1 (\d{3}) /.exec(`${first} `);
    if (said === null) break;
    const headers = headersOf(lines);
    const start = end + END_OF_HEAD.length;
    // An answer to HEAD tells the length of a body that does not come.
    const isHead =
      start === bytes.length || bytes.toString('latin1', start, start + 7) === 'HTTP/1.';
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0);
    if (bytes.length < start + length) break;
    const body = bytes.toString('utf8', start, start + length);
    answers.push({ status: Number(said[1]), headers, body });
    at = start + length;
  }
  return { answers, rest: bytes.toString('latin1', at) };
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(': ');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 2);
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
