/**
 * What a connection is owed: answers in order, one for each thing that is billed, and the last one
 * readable; on the fast path and without it.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import { say } from '../support/raw-client.ts';
import { until } from '../support/until.ts';
import { HANG_MS } from '../support/run-settings.ts';
import type { Heard } from '../support/raw-client.ts';
import { keptAccess } from './access.ts';
import { GENERATION, atGeneration, linesAt, sharedApp, testApp } from './edge.ts';
import { portOf } from '../support/free-port.ts';

const PATH = '/v1/natur/byggelinjer';
const KEY = 'svc_live_one';
const lookup = (lon = '12.1', ...more: string[]): string =>
  head(`GET ${PATH}?lon=${lon}&lat=55.6`, `Authorization: Bearer ${KEY}`, ...more);
const head = (first: string, ...more: string[]): string =>
  `${[`${first} HTTP/1.1`, 'Host: geo.example', ...more].join('\r\n')}\r\n\r\n`;

const batch = (...more: string[]): string =>
  head(
    `POST ${PATH}:batch`,
    ...[`Authorization: Bearer ${KEY}`, 'Content-Type: application/json', ...more],
  );
const BODY = JSON.stringify({ punkter: [{ lon: 12.1, lat: 55.6 }] });

const WEBSOCKET = 'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Version:';

const lines: BuildingLines = {
  tryAnswerSync: () => ({ generation: GENERATION, at: (point) => linesAt(point, LINE_KEYS) }),
  at: (points, keys) => atGeneration(points.map((point) => linesAt(point, keys))),
};

const statuses = ({ answers }: Heard): number[] => answers.map(({ status }) => status);
const points = ({ answers }: Heard): unknown[] =>
  answers
    .filter(({ status }) => status === 200)
    .map(({ body }) => (JSON.parse(body) as { punkt?: { lon: number } }).punkt?.lon);

describe.each([true, false])('a connection, fast path: %s', async (fastPath) => {
  const access = keptAccess({ [KEY]: { keyId: 'key_live' } });
  const app = await sharedApp({ access, buildingLines: lines }, { fastPath });
  const port = await portOf(app);
  afterEach(() => {
    expect(access.outstanding()).toBe(0);
    access.settled.length = 0;
  });

  describe('that asks ahead', () => {
    test('is owed so many answers and no more, and is closed behind the last of them', async () => {
      const asked = Array.from({ length: 300 }, (_, i) => lookup(`12.${1000 + i}`));
      const heard = await say(port, [asked.join('')]);
      expect(statuses(heard)).toEqual(Array<number>(HTTP_LIMITS.owedAnswers).fill(200));
      expect(points(heard)).toEqual(asked.slice(0, 64).map((_, i) => Number(`12.${1000 + i}`)));
      expect(heard.answers.map(({ headers }) => headers['connection'])).toEqual([
        ...Array<string>(HTTP_LIMITS.owedAnswers - 1).fill('keep-alive'),
        'close',
      ]);
      expect(heard).toMatchObject({ rest: '', end: 'closed' });
      expect(access.settled).toHaveLength(HTTP_LIMITS.owedAnswers);
    });

    test.each(['GET /healthz', 'CONNECT a:80', WEBSOCKET])(
      'has nothing past that parsed: %s',
      async (next) => {
        let parsed = 0;
        const count = (): void => {
          parsed += 1;
        };
        app.server.on('request', count).on('connect', count);
        const ahead = `${head('GET /healthz').repeat(HTTP_LIMITS.owedAnswers)}${head(next)}`;
        const heard = await say(port, [`${ahead}${head('GET /healthz').repeat(1_000)}`]);
        app.server.off('request', count).off('connect', count);
        expect(parsed).toBe(HTTP_LIMITS.owedAnswers);
        expect(statuses(heard)).toEqual(Array<number>(HTTP_LIMITS.owedAnswers).fill(200));
        expect(heard).toMatchObject({ rest: '', end: 'closed' });
      },
    );

    test('exactly as many as it may goes on', async () => {
      const heard = await say(port, [lookup().repeat(HTTP_LIMITS.owedAnswers)]);
      expect(statuses(heard)).toEqual(Array<number>(HTTP_LIMITS.owedAnswers).fill(200));
      expect(heard.end).toBe('open');
    });

    test('and reads its answers is read on, however much it asks', async () => {
      const pieces = Array.from({ length: 200 }, () => lookup());
      const heard = await say(port, pieces, { pauseMs: 2 });
      expect(statuses(heard)).toEqual(Array<number>(200).fill(200));
      expect(heard.end).toBe('open');
    });

    test('with bodies gets each answered, in order', async () => {
      const asked = `${batch(`Content-Length: ${BODY.length}`)}${BODY}${lookup()}`;
      const heard = await say(port, [asked.repeat(20)]);
      expect(statuses(heard)).toEqual(Array<number>(40).fill(200));
      expect(access.settled.map(({ operation }) => operation)).toEqual(
        Array.from({ length: 20 }, () => ['byggelinjerBatch', 'byggelinjer']).flat(),
      );
    });
  });

  test('that names the type of a body and sends none is told so', async () => {
    const heard = await say(port, [batch()]);
    expect(statuses(heard)).toEqual([400]);
    expect(heard.answers[0]?.body).toContain('The body is empty');
    expect(statuses(await say(port, [lookup('12.1', 'Content-Type: application/json')]))).toEqual([
      200,
    ]);
  });

  test('whose body goes on behind its answer is asked on when that has ended', async () => {
    const bytes = 1024 * 1024;
    const wrong = head('POST /nowhere', `Content-Length: ${bytes}`);
    const pieces = Array<Buffer>(16).fill(Buffer.alloc(bytes / 16, ' '));
    const heard = await say(port, [wrong, ...pieces, lookup()], { pauseMs: 2, quietLooks: 200 });
    expect(statuses(heard)).toEqual([404, 200]);
    expect(heard).toMatchObject({ rest: '', end: 'open' });
    expect(access.settled).toHaveLength(1);
  });

  describe('that expects to be told to go on', () => {
    const expecting = batch(`Content-Length: ${BODY.length}`, 'Expect: 100-continue');

    test.each([1, 3])('is told so behind the %i answers it is owed, byte by byte', async (many) => {
      const heard = await say(port, [`${lookup().repeat(many)}${expecting}${BODY}`]);
      expect(statuses(heard)).toEqual([...Array<number>(many).fill(200), 100, 200]);
      expect(heard.answers.at(-2)).toEqual({ status: 100, headers: {}, body: '' });
      expect(heard.rest).toBe('');
    });

    test('is told so at once when nothing is owed', async () => {
      const heard = await say(port, [expecting, BODY], { pauseMs: 50 });
      expect(statuses(heard)).toEqual([100, 200]);
    });
  });

  describe('with something behind a lookup, in one segment', () => {
    const closing = lookup('12.1', 'Connection: close');
    const broken = `${lookup('12.1', 'Transfer-Encoding: chunked')}rubbish`;
    const chunked = `${batch('Transfer-Encoding: chunked')}5\r\n{"punk\r\nZZ\r\n`;
    test.each([
      ['rubbish', `${lookup()}\0\x01rubbish\r\n\r\n`, [200, 400]],
      ['a head that is none', `${lookup()}GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n`, [200, 400]],
      ['a head too long', `${lookup()}GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, [200, 400]],
      ['CONNECT', `${lookup()}${head('CONNECT a:80')}`, [200, 405]],
      ['two lengths', `${lookup()}${head('POST /', 'Content-Length: 1, 2')}`, [200, 400]],
      ['more after it said it was the last', `${closing}${lookup()}`, [200]],
      ['rubbish after it said it was the last', `${closing}rubbish`, [200]],
      ['a second and rubbish', `${lookup()}${lookup()}rubbish\r\n\r\n`, [200, 200, 400]],
      ['a lookup whose own body breaks off', `${lookup()}${broken}`, [200, 400]],
      ['the same alone', broken, [400]],
      ['a body that breaks off', `${lookup()}${chunked}`, [200, 400]],
      ['a miracle', `${lookup()}${head('GET /healthz', 'Expect: a-miracle')}`, [200, 400]],
    ])('answers what it bills: %s', async (_what, text, expected) => {
      const heard = await say(port, [text]);
      expect(statuses(heard)).toEqual(expected);
      expect(heard).toMatchObject({ rest: '', end: 'closed' });
      const billed = expected.filter((status) => status === 200).length;
      expect(access.settled).toHaveLength(billed);
      expect(heard.answers.at(-1)?.headers['connection']).toBe('close');
    });

    test('answers what it bills: the end of what its client says', async () => {
      const heard = await say(port, [lookup()], { halfClose: true });
      expect([statuses(heard), access.settled.length]).toEqual([[200], 1]);
    });
  });

  // Megabytes: on the way of the product alone.
  describe.runIf(fastPath)('that sends more than is taken', () => {
    const BYTES = 12 * 1024 * 1024;
    const piece = Buffer.alloc(64 * 1024, ' ');
    const body = Array<Buffer>(BYTES / piece.length).fill(piece);
    const ofType = (type: string, ...more: string[]): string =>
      head(`POST ${PATH}:batch`, `Content-Type: ${type}`, ...more);
    const keyed = `Authorization: Bearer ${KEY}`;
    const length = `Content-Length: ${BYTES}`;
    const chunked = 'Transfer-Encoding: chunked';
    const chunk = Buffer.concat([
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]);

    test.each([
      ['413, by its length', [batch(length), ...body], 413],
      ['413, counted', [batch(chunked), ...body.map(() => chunk), '0\r\n\r\n'], 413],
      ['401', [ofType('application/json', length, 'Connection: close'), ...body], 401],
      ['404', [head('POST /nowhere', length, 'Connection: close'), ...body], 404],
      ['415', [ofType('text/plain', keyed, length, 'Connection: close'), ...body], 415],
    ])('reads its %s', async (_what, pieces, status) => {
      for (const readsLast of [false, true]) {
        const heard = await say(port, pieces, { quietLooks: 200, readsLast });
        expect(heard.end).not.toBe('reset');
        expect(statuses(heard)).toEqual([status]);
        expect(heard.rest).toBe('');
      }
    });
  });
});

/**
 * An answer that is held leaves while its body waits unread. Whether the connection is then read on hangs
 * on the order of a few ticks: each of many must be.
 */
test('what is asked behind an answer that was held before its body is answered', async () => {
  const app = await testApp({}, {});
  const port = await portOf(app);
  const origin = `http://127.0.0.1:${port}`;
  const lane = async (lane: number): Promise<void> => {
    const agent = new Agent({ connections: 1, headersTimeout: HANG_MS });
    const ask = async (options: { method: 'GET' | 'POST'; path: string; body?: string }) => {
      const { statusCode, body } = await agent.request({ origin, ...options });
      await body.text();
      return statusCode;
    };
    for (let n = 0; n < 20; n++) {
      const body = ' '.repeat(100_000 + ((lane * 20 + n) % 150) * 1_000);
      expect(await ask({ method: 'POST', path: '/nowhere', body })).toBe(404);
      expect(await ask({ method: 'GET', path: '/healthz' })).toBe(200);
    }
    await agent.close();
  };
  await Promise.all(Array.from({ length: 16 }, (_, n) => lane(n)));
});

describe('where all places are taken', async () => {
  const total = 16;
  const waiting: (() => void)[] = [];
  const slow: BuildingLines = {
    at: async (points, keys) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return await lines.at(points, keys, null as never);
    },
  };
  const app = await sharedApp(
    { access: keptAccess({ [KEY]: { keyId: 'key_live' } }), buildingLines: slow },
    { trustedProxies: ['127.0.0.2'], connections: { total, address: 2 * total } },
  );
  const port = await portOf(app);

  const opened: Socket[] = [];
  const open = async (localAddress: string, text: string): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).resume();
    opened.push(socket);
    await once(socket, 'connect');
    await new Promise((done) => socket.write(text, done));
    return socket;
  };
  const many = (count: number, from: string, text: string): Promise<Socket[]> =>
    Promise.all(Array.from({ length: count }, () => open(from, text)));
  const closedOf = (sockets: readonly Socket[]): number =>
    sockets.filter(({ closed }) => closed).length;
  const isAlone = async (): Promise<boolean> =>
    (await promisify(app.server.getConnections.bind(app.server))()) === 0;
  afterEach(async () => {
    for (const resolve of waiting.splice(0)) resolve();
    for (const socket of opened.splice(0)) socket.destroy();
    await until(isAlone);
  });

  test('by work, a probe is answered, and all else is told so', async () => {
    for (let n = 1; n <= total; n += 1) {
      await open('127.0.0.3', lookup());
      await until(() => waiting.length === n);
    }
    const probe = await say(port, [head('GET /readyz?x')]);
    expect(probe.answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
      [400, 'close'],
    ]);
    const other = await say(port, [lookup()]);
    expect(other.answers[0]?.status).toBe(503);
    expect(other.answers[0]?.body).toContain('"type":"overloaded"');
    expect(closedOf(opened)).toBe(0);
  });

  test('by a proxy, its connections are not those of one client', async () => {
    const half = (client: string): string =>
      batch(`X-Forwarded-For: ${client}`, 'Content-Length: 9').concat('{');
    const single = await open('127.0.0.3', '');
    const idle = await many(4, '127.0.0.2', '');
    const few = await open('127.0.0.2', half('192.0.2.1:4711'));
    const greedy = await many(9, '127.0.0.2', half('[2001:db8::1]:4711'));
    expect(closedOf(opened)).toBe(0);
    for (let n = 0; n < 4; n += 1) {
      expect((await say(port, [head('GET /healthz', 'Connection: close')])).answers).toHaveLength(
        1,
      );
    }
    await until(() => closedOf(greedy) > 0);
    expect(closedOf([single, few, ...idle])).toBe(0);
  });
});
