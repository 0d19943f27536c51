/**
 * The fast path of single lookups, where the store, the meter or the client fails it. That it answers as the full
 * pipeline does: fast-path-differential.test.ts.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import { HTTP_LIMITS } from '../../src/http/limits.ts';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { BuildingLinesAnswer } from '../../src/answers/answer.ts';
import type { Point } from '../../src/geo/point.ts';
import { following, keptAccess, rateLimited } from './access.ts';
import type { KeptAccess } from './access.ts';
import { GENERATION, clearLine, linesAt, memoryApp, atGeneration } from './edge.ts';
import { HANG_MS } from '../support/run-settings.ts';
import { linesInto } from '../support/log.ts';
import { answersIn, say } from '../support/raw-client.ts';
import type { RawAnswer } from '../support/raw-client.ts';
import { until } from '../support/until.ts';
import { portOf } from '../support/free-port.ts';

const LIVE = 'svc_live_one';

const PATH = '/v1/natur/byggelinjer';
const TEN = `${PATH}?lon=12.1&lat=55.6`;

let access: KeptAccess;
let app: FastifyInstance;
let isOpen = false;
let port: number;
/** Points answered on either way. */
let short: Point[];
let long: Point[];
let isReady: boolean;
let fails: Error | null;

const answerAt = (point: Point): BuildingLinesAnswer =>
  linesAt(point, LINE_KEYS, (key) => ({
    ...clearLine(key),
    distanceM: key === 'skov' ? point.wgs84.lon : null,
    count: key === 'skov' ? 1 : 0,
    provenance: { rung: 'snapshot', ageS: 60 },
  }));

const lines: BuildingLines = {
  tryAnswerSync: () =>
    isReady
      ? {
          generation: GENERATION,
          at: (point) => {
            if (fails !== null) throw fails;
            short.push(point);
            return answerAt(point);
          },
        }
      : null,
  at: (points) => {
    long.push(...points);
    return atGeneration(points.map(answerAt));
  },
};

async function openEdge(): Promise<void> {
  isOpen = true;
  app = await memoryApp({ access: following(() => access), buildingLines: lines });
  await app.listen({ port: 0, host: '127.0.0.1' });
}

beforeEach(async () => {
  access = keptAccess({ [LIVE]: {} });
  [short, long, isReady, fails] = [[], [], true, null];
  // Built once: only the test that closes it leaves none behind.
  if (!isOpen) await openEdge();
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => expect.poll(connections, { interval: 5 }).toBe(0));
afterAll(() => app.close());

const LAST = 'Connection: close';
function head(target: string, ...more: string[]): string {
  const shown = `Authorization: Bearer ${LIVE}`;
  const all = [`GET ${target} HTTP/1.1`, 'Host: geo.example', shown, ...more];
  return `${all.join('\r\n')}\r\n\r\n`;
}

async function ask(text = head(TEN, LAST)): Promise<RawAnswer> {
  const { answers } = await say(port, [text], { quietLooks: 4_000 });
  return answers[0]!;
}
const dial = () => connect({ port, host: '127.0.0.1', noDelay: true });

const connections = () => promisify(app.server.getConnections.bind(app.server))();

describe('a plain question', () => {
  test('is logged as on the full pipeline, without its key or point', async () => {
    const written: string[] = [];
    const logStream = linesInto(written);
    const services = { access, buildingLines: lines };
    const logged = await memoryApp(services, { logLevel: 'info', logStream });
    port = await portOf(logged);
    const answeredLines = () =>
      written
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === 'answered');
    const { headers: dated } = await ask(head(TEN, LAST, 'X-Request-Id: mine'));
    expect(Math.abs(Date.parse(dated['date'] ?? '') - Date.now())).toBeLessThan(HANG_MS);
    await until(() => answeredLines().length === 1);
    const headers = { authorization: `Bearer ${LIVE}`, 'x-request-id': 'mine' };
    await logged.inject({ url: TEN, headers });
    await until(() => answeredLines().length === 2);
    await logged.close();
    expect([short.length, long.length]).toEqual([1, 1]);
    const [first, second] = answeredLines();
    expect(first).toMatchObject({ request_id: 'mine', method: 'GET', path: PATH, status: 200 });
    const timed = { time: 0, ms: 0 };
    expect({ ...first, ...timed }).toEqual({ ...second, ...timed });
    expect(written.join('')).not.toMatch(/svc_live|(?<!:)55\.6/);
  });
});

describe('whatever else', () => {
  test('a key that nobody can look up now is told so by the full pipeline, and nothing breaks', async () => {
    const broken: unknown[] = [];
    const note = (error: unknown): unknown => broken.push(error);
    process.on('unhandledRejection', note);
    const overloaded = new Failure('overloaded', { error: 'The store is away.', retryAfterS: 3 });
    const answers = [];
    for (const find of [
      () => Promise.reject(overloaded),
      () => {
        throw overloaded;
      },
    ]) {
      Object.assign(access.keys, { find });
      answers.push(await ask());
    }
    await sleep(20);
    process.off('unhandledRejection', note);
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(broken).toEqual([]);
  });

  test('data that is not at hand is asked for on the full pipeline', async () => {
    isReady = false;
    expect((await ask()).status).toBe(200);
    expect([short.length, long.length]).toEqual([0, 1]);
  });

  test.each([
    ['engine', 200],
    ['reserve', 503],
    ['settle', 503],
  ] as const)(
    'a request whose %s fails is %i, and takes one token of the burst',
    async (what, status) => {
      const admit = access.meter.admit.bind(access.meter);
      let tokens = 0;
      access.meter.admit = (principal, address) => {
        admit(principal, address);
        tokens += 1;
      };
      if (what === 'engine') fails = new Error('The snapshot is broken.');
      else access.failing[what] = new Failure('overloaded', { error: 'Full.', retryAfterS: 1 });
      expect((await ask()).status).toBe(status);
      expect([tokens, short.length, access.outstanding()]).toEqual([
        1,
        what === 'settle' ? 1 : 0,
        0,
      ]);
      expect(access.settled).toHaveLength(status === 200 ? 1 : 0);
      fails = null;
      Reflect.deleteProperty(access.failing, what);
      expect((await ask()).status).toBe(200);
    },
  );

  test('a burst that is used up is 429', async () => {
    access.failing.admit = rateLimited();
    const answer = await ask();
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('2');
    delete access.failing.admit;
    expect((await ask()).status).toBe(200);
  });
});

describe('units that have to be asked for', () => {
  let decide: (error?: Error) => void;
  let isAsked: boolean;
  beforeEach(() => {
    isAsked = false;
    const reserve = access.meter.reserve.bind(access.meter);
    access.meter.reserve = (principal, units) =>
      new Promise((resolve, reject) => {
        isAsked = true;
        decide = (error) => {
          access.meter.reserve = reserve;
          if (error !== undefined) {
            reject(error);
            return;
          }
          void reserve(principal, units);
          resolve();
        };
      });
  });
  const isReserving = () => until(() => isAsked);

  test('are waited for', async () => {
    const answer = ask();
    await isReserving();
    decide();
    expect((await answer).status).toBe(200);
    expect([short.length, long.length, access.outstanding()]).toEqual([1, 0, 0]);
  });

  test('and refused on the full pipeline', async () => {
    const answer = ask();
    await isReserving();
    const failure = new Failure('quota_exceeded', { error: 'Used up.', retryAfterS: 9 });
    access.failing.reserve = failure;
    decide(failure);
    const { status, headers } = await answer;
    expect([status, headers['retry-after']]).toEqual([429, '9']);
    expect(access.outstanding()).toBe(0);
  });

  test('and given back for a client that has hung up', async () => {
    const socket = dial();
    socket.write(head(TEN));
    await isReserving();
    socket.destroy();
    await expect.poll(connections, { interval: 5 }).toBe(0);
    decide();
    await sleep(50);
    expect([short.length, access.outstanding(), access.settled.length]).toEqual([0, 0, 0]);
    expect((await ask()).status).toBe(200);
  });
});

describe('a connection', () => {
  test('of a client that reads nothing holds up nobody, and nothing of it is mixed', async () => {
    const client = dial();
    await once(client, 'connect');
    const lons = Array.from({ length: HTTP_LIMITS.owedAnswers }, (_, i) =>
      Number(`12.${1000 + i}`),
    );
    const last = lons.at(-1);
    client.write(
      lons
        .map((lon) => head(`${PATH}?lon=${lon}&lat=55.6`, ...(lon === last ? [LAST] : [])))
        .join(''),
    );
    for (let i = 0; i < 20; i++) {
      const { body } = await ask(head(`${PATH}?lon=9.${100 + i}&lat=56.5`, LAST));
      expect(JSON.parse(body)).toMatchObject({ punkt: { lon: Number(`9.${100 + i}`) } });
    }
    const { answers } = answersIn(await buffer(client));
    const told = answers.map(({ body }) => JSON.parse(body) as { punkt: { lon: number } });
    expect(told.map(({ punkt }) => punkt.lon)).toEqual(lons);
  });

  test('at rest is ended when the service closes', async () => {
    const [client, silent] = [dial(), dial()];
    client.write(head(TEN));
    await once(client, 'data');
    const ended = [client, silent].map((socket) => once(socket.resume(), 'end'));
    const start = performance.now();
    isOpen = false;
    const closed = app.close();
    await Promise.all(ended);
    await closed;
    // Sooner than a connection at rest ends by itself.
    expect(performance.now() - start).toBeLessThan(HANG_MS);
  });
});
