/** Bytes over a bare socket, and the answers that came back, byte by byte. */
import { connect } from 'node:net';
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
  /** Milliseconds between two pieces; 0: the next turn of the event loop. */
  readonly pauseMs?: number;
  /** Closes the client's side behind the last piece. */
  readonly halfClose?: boolean;
  /** Hears no more once nothing came for so long, milliseconds. */
  readonly quietMs?: number;
}

const USUAL_QUIET_MS = 300;
const MOST_MS = 20_000;
const LOOK_MS = 5;

/** Says the pieces, one write each, and hears until the connection is closed or silent. */
export async function say(
  port: number,
  pieces: readonly (string | Buffer)[],
  { pauseMs = 0, halfClose = false, quietMs = USUAL_QUIET_MS }: Saying = {},
): Promise<Heard> {
  const chunks: Buffer[] = [];
  let end: Heard['end'] = 'open';
  let lastMs = performance.now();
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    lastMs = performance.now();
  });
  socket.on('end', () => (end = end === 'open' ? 'closed' : end));
  socket.on('error', () => (end = 'reset'));
  const ended = (): boolean => end !== 'open';
  for (const piece of pieces) {
    if (ended()) break;
    socket.write(piece, 'latin1');
    await sleep(pauseMs);
    lastMs = performance.now();
  }
  if (halfClose) socket.end();
  const untilMs = performance.now() + MOST_MS;
  while (!ended() && performance.now() - lastMs < quietMs && performance.now() < untilMs) {
    await sleep(LOOK_MS);
  }
  socket.destroy();
  return { ...answersIn(Buffer.concat(chunks)), end };
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
    const length = Number(headers['content-length'] ?? 0);
    const start = end + END_OF_HEAD.length;
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
