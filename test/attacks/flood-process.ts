/** An attacker in a process of its own: connections that each write a text at once, again and again. */
import { connect } from 'node:net';

export interface FloodOrder {
  readonly port: number;
  readonly connections: number;
  /** Written as soon as a connection is open, and again as soon as it is closed and open anew. */
  readonly text: string;
  readonly durationMs: number;
}

export interface FloodReport {
  readonly opened: number;
  /** Status lines that came back. */
  readonly answers: number;
}

const STATUS_LINE = 'HTTP/1.1 ';

async function flood({ port, connections, text, durationMs }: FloodOrder): Promise<FloodReport> {
  const bytes = Buffer.from(text, 'latin1');
  const untilMs = performance.now() + durationMs;
  let opened = 0;
  let answers = 0;
  const attack = (done: () => void): void => {
    opened += 1;
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on(
      'data',
      (chunk) => (answers += chunk.toString('latin1').split(STATUS_LINE).length - 1),
    );
    socket.on('error', () => undefined);
    const over = setTimeout(() => socket.destroy(), untilMs - performance.now());
    socket.on('close', () => {
      clearTimeout(over);
      if (performance.now() < untilMs - 1) attack(done);
      else done();
    });
  };
  await Promise.all(Array.from({ length: connections }, () => new Promise<void>(attack)));
  return { opened, answers };
}

process.once('message', (order: FloodOrder) => {
  void flood(order).then((report) =>
    process.send?.(report, undefined, undefined, () => process.disconnect()),
  );
});
