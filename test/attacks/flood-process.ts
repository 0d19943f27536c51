/** An attacker in a process of its own: connections that each write a text at once, again and again. */
import { connect } from 'node:net';

export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  /** Written (each by some of them) as soon as a connection is open, and again as soon as it is closed and open anew. */
  readonly text: string | readonly string[];
  readonly durationMs: number;
  /** From so many addresses of this machine; absent: one. */
  readonly addresses?: number;
  /** Before a connection that was closed is opened anew; absent: none. */
  readonly pauseMs?: number;
}

export interface FloodReport {
  readonly opened: number;
  readonly answers: number;
}

const STATUS_LINE = 'HTTP/1.1 ';

async function flood({
  port,
  connections,
  text,
  durationMs,
  ...more
}: FloodOrder): Promise<FloodReport> {
  const { addresses = 0, pauseMs = 0 } = more;
  const texts = [text].flat();
  const untilMs = performance.now() + durationMs;
  let opened = 0;
  let answers = 0;
  const attack = (done: () => void, n: number, from?: string): void => {
    opened += 1;
    const bytes = Buffer.from(texts[n % texts.length] ?? '', 'latin1');
    const at = { port, host: '127.0.0.1', ...(from !== undefined && { localAddress: from }) };
    const socket = connect(at, () => socket.write(bytes));
    socket.on(
      'data',
      (chunk) => (answers += chunk.toString('latin1').split(STATUS_LINE).length - 1),
    );
    socket.on('error', () => undefined);
    const over = setTimeout(() => socket.destroy(), untilMs - performance.now());
    socket.on('close', () => {
      clearTimeout(over);
      if (performance.now() >= untilMs - 1) done();
      else if (pauseMs === 0) attack(done, n, from);
      else setTimeout(attack, pauseMs, done, n, from);
    });
  };
  const attackers = Array.from({ length: connections }, (_, n) => {
    const at = Math.floor(n / texts.length) % addresses;
    const from = addresses === 0 ? undefined : `127.1.${at >> 8}.${at & 255}`;
    return new Promise<void>((done) => attack(done, n, from));
  });
  await Promise.all(attackers);
  return { opened, answers };
}

process.once('message', (order: FloodOrder) => {
  void flood(order).then((report) =>
    process.send?.(report, undefined, undefined, () => process.disconnect()),
  );
});
