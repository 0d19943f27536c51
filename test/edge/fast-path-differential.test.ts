/**
 * The fast path against the full pipeline: whatever bytes a connection says, whole, changed, in a row
 * and in pieces, both answer alike and bill alike, and what is billed is answered.
 */
import { afterAll, expect, test } from 'vitest';
import { LINE_KEYS } from '../../src/layers/keys.ts';
import type {
  BuildingLinesAnswer,
  Provenance,
  ReverseAreasAnswer,
} from '../../src/answers/answer.ts';
import type { ReverseAreas } from '../../src/registers/areas/reverse.ts';
import type { BuildingLines } from '../../src/registers/lines/lookup.ts';
import type { Point } from '../../src/geo/point.ts';
import { createRandom } from '../../sample/data/random.ts';
import type { Random } from '../../sample/data/random.ts';
import { say } from '../support/raw-client.ts';
import type { Heard, RawAnswer } from '../support/raw-client.ts';
import { keptAccess } from './access.ts';
import { GENERATION, clearLine, linesAt, memoryApp, atGeneration } from './edge.ts';
import { SEED_ENV, seedFrom } from '../support/run-settings.ts';
import { portOf } from '../support/free-port.ts';

/** In the gate seeds of its own; at night those of the night. */
const SEED = seedFrom(process.env[SEED_ENV] ?? '20261');
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 6);
/** Said at the same time, so that the fast path answers many of them together. */
const TOGETHER = 48;

const KEYS = {
  svc_live_one: { keyId: 'key_live' },
  svc_live_two: { keyId: 'key_two', accountId: 'account_2' },
  svc_live_dagi: { keyId: 'key_dagi', permission: 'restricted:dagi' },
  svc_pub_live_page: { keyId: 'key_page', kind: 'public', origins: ['example.dk'] },
  svc_test_one: { keyId: 'key_test', accountId: 'account_3', environment: 'test' },
  // A test and a live key of one account have the same limits.
  svc_test_two: { keyId: 'key_test_two', accountId: 'account_2', environment: 'test' },
} as const;

/** One object for all: that is how the fast path knows answers of the same data. */
const provenance: Provenance = { rung: 'snapshot', ageS: 60 };
const answerAt = (point: Point): BuildingLinesAnswer =>
  linesAt(point, LINE_KEYS, (key) => ({
    ...clearLine(key),
    distanceM: key === 'skov' ? point.wgs84.lon : null,
    provenance,
  }));
let promptly = 0;
let promptlyInAll = 0;
const lines: BuildingLines = {
  tryAnswerSync: () => ({
    generation: GENERATION,
    at: (point) => {
      promptly += 1;
      return answerAt(point);
    },
  }),
  at: (points) => atGeneration(points.map(answerAt)),
};

const areasAt = (point: Point): ReverseAreasAnswer => {
  promptly += 1;
  const areas = [{ theme: 'kommune', name: 'Opdigtet "Æbelø"', code: '0999' }] as const;
  return { point, areas, provenance: [provenance] };
};
const reverseAreas: ReverseAreas = {
  tryAnswerSync: () => ({ generation: GENERATION, at: areasAt }),
  at: (points) => atGeneration(points.map(areasAt)),
};

async function wayWith(fastPath: boolean) {
  const access = keptAccess(KEYS);
  const app = await memoryApp({ access, buildingLines: lines, reverseAreas }, { fastPath });
  return { app, access, port: await portOf(app) };
}

const [fast, full] = await Promise.all([wayWith(true), wayWith(false)]);
afterAll(() => Promise.all([fast.app.close(), full.app.close()]));

type Case = readonly string[];

function requestOf(random: Random): string {
  const lon = `12.${random.integer(1, 9_999)}`;
  const key = random.pick([...Object.keys(KEYS), 'svc_live_nobody']);
  const more: string[] = [];
  if (random.chance(0.9)) more.push(`Authorization: Bearer ${key}`);
  if (random.chance(0.3))
    more.push(`X-Request-Id: ${random.pick(['mine', 'a b', 'x'.repeat(80)])}`);
  if (random.chance(0.1)) more.push('Connection: close');
  if (random.chance(0.1)) more.push(random.pick(ODD_FIELDS));
  const target = random.pick([
    ...Array<string>(6).fill(`/v1/natur/byggelinjer?lon=${lon}&lat=55.6`),
    `/v1/natur/byggelinjer?lat=55.6&lon=${lon}`,
    `/v1/dagi/reverse?lat=55.61234567&lon=${lon}`,
    `/v1/natur/byggelinjer?lon=${lon}`,
    `/v1/natur/byggelinjer?lon=${lon}&lat=55.6&token=${key}`,
    `/v1/natur/byggelinjer?lon=1&lat=2`,
    '/v1/natur/nowhere',
  ]);
  const method = random.chance(0.95) ? 'GET' : random.pick(['HEAD', 'POST', 'OPTIONS', 'BREW']);
  const fields = random.chance(0.97) ? ['Host: geo.example', ...more] : more;
  return `${[`${method} ${target} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
}

const ODD_FIELDS = [
  ...['Content-Length: 0', 'Content-Length: 3', 'Transfer-Encoding: chunked'],
  ...['Expect: 100-continue', 'Expect: else', 'Upgrade: h2c', 'Accept-Language: en'],
  ...['Authorization: Bearer svc_test_one', 'Host: second.example'],
  ...['Connection: keep-alive, upgrade', 'TE: trailers'],
];
const ODD_BYTES = ['\0', '\r', '\n', ' ', ':', '\t', '\x7f', '\xe6', '/', '?', '&', '%', '0', 'G'];

function changed(text: string, random: Random): string {
  let out = text;
  for (let n = random.integer(1, 3); n > 0; n--) {
    const at = random.integer(0, out.length - 1);
    const some = random.integer(1, 12);
    out = random.pick([
      () => out.slice(0, at) + random.pick(ODD_BYTES) + out.slice(at + 1),
      () => out.slice(0, at) + random.pick(ODD_BYTES) + out.slice(at),
      () => out.slice(0, at) + out.slice(at + some),
      () => out.slice(0, at) + out.slice(at, at + some) + out.slice(at),
      () => out.slice(0, at),
    ])();
    if (out === '') return text;
  }
  return out;
}

function caseOf(random: Random): Case {
  const many = random.chance(0.3) ? 1 : random.integer(2, 8);
  let text = Array.from({ length: many }, () => requestOf(random)).join('');
  if (random.chance(0.6)) text = changed(text, random);
  if (random.chance(0.5)) return [text];
  const cuts = Array.from({ length: random.integer(1, 4) }, () => random.integer(1, text.length));
  const edges = [0, ...cuts.toSorted((a, b) => a - b), text.length];
  return edges
    .slice(1)
    .map((edge, i) => text.slice(edges[i], edge))
    .filter((piece) => piece !== '');
}

/** What both must say alike: all but the time of day. */
const told = ({ answers, rest, end }: Heard): unknown => ({
  answers: answers.map(({ headers, ...answer }) => ({
    ...answer,
    headers: { ...headers, date: '' },
  })),
  rest: rest.replaceAll(/^Date: .*$/gm, ''),
  end,
});

/**
 * A request whose chunked body or transfer coding is broken has two true answers: its own, or that it is no HTTP, by
 * whether it is begun before the bytes behind its head are read.
 */
function isTimed(one: Heard, other: Heard, pieces: Case): boolean {
  const last = [one, other].map(({ answers }) => answers.at(-1));
  const isEitherBroken = last.some((answer) => answer?.body.includes('not valid HTTP'));
  return isEitherBroken && /transfer-encoding:/i.test(pieces.join(''));
}

/** Where the two ways may end a connection with one of both each, the rest is compared. */
function toldOfBoth(one: Heard, other: Heard, pieces: Case): readonly [unknown, unknown] {
  if (!isTimed(one, other, pieces)) return [told(one), told(other)];
  const withoutLast = (heard: Heard) => told({ ...heard, answers: heard.answers.slice(0, -1) });
  return [withoutLast(one), withoutLast(other)];
}

/** An answer to HEAD costs nothing. */
const isAnswer = ({ status, headers, body }: RawAnswer): boolean =>
  status === 200 && headers['x-service-generation'] !== undefined && body !== '';

async function heardBy({ port, access }: typeof fast, cases: readonly Case[]) {
  access.settled.length = 0;
  const heard = await Promise.all(
    cases.map((pieces) => say(port, pieces, { pauseMs: pieces.length > 1 ? 3 : 0 })),
  );
  const bill = access.settled
    .map(({ keyId, operation, units, requestId }) => `${keyId} ${operation} ${units} ${requestId}`)
    .toSorted();
  return { heard, bill, outstanding: access.outstanding() };
}

test.each(Array.from({ length: ROUNDS }, (_, n) => SEED + n))(
  'bytes of the seed %i are answered and billed alike',
  async (seed) => {
    const random = createRandom(`fast path ${seed}`);
    const cases = Array.from({ length: TOGETHER }, () => caseOf(random));
    promptly = 0;
    const short = await heardBy(fast, cases);
    expect(promptly).toBeGreaterThan(TOGETHER / 12);
    promptlyInAll += promptly;
    const long = await heardBy(full, cases);
    for (const [i, pieces] of cases.entries()) {
      const [one, other] = toldOfBoth(short.heard[i]!, long.heard[i]!, pieces);
      expect(one, JSON.stringify(pieces)).toEqual(other);
    }
    // Whichever answer it was, each way bills what it answered.
    const isAnyTimed = cases.some((pieces, i) => isTimed(short.heard[i]!, long.heard[i]!, pieces));
    if (!isAnyTimed) expect(short.bill).toEqual(long.bill);
    for (const { heard, bill, outstanding } of [short, long]) {
      expect(bill).toHaveLength(heard.flatMap(({ answers }) => answers.filter(isAnswer)).length);
      expect(outstanding).toBe(0);
    }
  },
);

test('a quarter of what the rounds draw is answered on the fast path', () => {
  expect(promptlyInAll).toBeGreaterThan((ROUNDS * TOGETHER) / 4);
});

test('keys of both kinds, asked together, are each told their own environment', async () => {
  const keys = Array.from({ length: TOGETHER }, (_, i) => Object.keys(KEYS).at(-1 - (i % 3))!);
  const target = '/v1/natur/byggelinjer?lon=12.1&lat=55.6';
  const cases = keys.map((key) => [
    `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  ]);
  for (const way of [fast, full]) {
    const { heard } = await heardBy(way, cases);
    expect(heard.map(({ answers }) => answers[0]?.headers['x-service-environment'])).toEqual(
      keys.map((key) => (key.startsWith('svc_test_') ? 'test' : undefined)),
    );
  }
});
