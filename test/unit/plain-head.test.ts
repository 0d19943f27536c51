/** The head of a plain request, with node's own reader as judge: what we read, it must read alike. */
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainHeadOf, readPlainHead } from '../../src/http/fast-path/plain-head.ts';
import type { PlainHead } from '../../src/http/fast-path/plain-head.ts';
import { plainPoint } from '../../src/http/fast-path/plain-query.ts';

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const GET = 'GET /v1/natur/byggelinjer?lon=12.1&lat=55.6 HTTP/1.1';

describe('a plain head', () => {
  test('says where to, by whom and under which id', () => {
    const text = head(
      GET,
      'Host: geo.example',
      'AUTHORIZATION:  Bearer svc_live_one ',
      'X-Request-Id:\u0020mine',
      'Connection: Keep-Alive',
      'Accept: */*',
      'X-Empty:',
    );
    expect(readPlainHead(text)).toEqual({
      target: '/v1/natur/byggelinjer?lon=12.1&lat=55.6',
      authorization: 'Bearer svc_live_one',
      requestId: 'mine',
    });
    expect(readPlainHead(head(GET, 'host:'))).toEqual({
      target: '/v1/natur/byggelinjer?lon=12.1&lat=55.6',
      authorization: undefined,
      requestId: undefined,
    });
  });

  test.each([
    ['another method', head('HEAD / HTTP/1.1', 'Host: a')],
    ['an older version', head('GET / HTTP/1.0', 'Host: a')],
    ['a whole address', head('GET http://a/ HTTP/1.1', 'Host: a')],
    ['no host', head(GET, 'Accept: */*')],
    ['two hosts', head(GET, 'Host: a', 'host: a')],
    ['two keys', head(GET, 'Host: a', 'Authorization: Bearer x', 'authorization: Bearer y')],
    ['two ids', head(GET, 'Host: a', 'X-Request-Id: x', 'X-Request-Id: y')],
    ['a body told by its length', head(GET, 'Host: a', 'Content-Length: 0')],
    ['a body in pieces', head(GET, 'Host: a', 'Transfer-Encoding: chunked')],
    ['an expectation', head(GET, 'Host: a', 'Expect: 100-continue')],
    ['another protocol', head(GET, 'Host: a', 'Upgrade: h2c')],
    ['a connection to be closed', head(GET, 'Host: a', 'Connection: close')],
    ['named fields of the connection', head(GET, 'Host: a', 'Connection: keep-alive, host')],
    ['a continued line', head(GET, 'Host: a', ' b: c')],
    ['a space before the colon', head(GET, 'Host : a')],
    ['a bare line feed', `${GET}\nHost: a\r\n\r\n`],
    ['a bare carriage return', head(GET, 'Host: a\rb')],
    ['a byte that is no ASCII', head(GET, 'Host: \u00e6')],
    ['a tab', head(GET, 'Host:\ta')],
    ['a second space', head(GET.replace(' /', '  /'), 'Host: a')],
    ['a line before', `\r\n${head(GET, 'Host: a')}`],
    ['something behind', `${head(GET, 'Host: a')}GET`],
    ['a second request behind', head(GET, 'Host: a').repeat(2)],
    ['half of it', head(GET, 'Host: a').slice(0, -2)],
    ['no fields', `${GET}\r\n\r\n`],
    ['nothing', ''],
  ])('is not one with %s', (_what, text) => {
    expect(readPlainHead(text)).toBeNull();
  });
});

describe('held against node', () => {
  test('what is read here is one request, and the same one', async () => {
    const seen: (PlainHead | null)[] = [];
    const broken: string[] = [];
    const server = createServer((request, response) => {
      seen.push(plainHeadOf(request));
      response.end();
    });
    server.on('clientError', (error, socket) => {
      broken.push(error.message);
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const read = new Map(likeHeads().flatMap((text) => entryOf(text)));
    expect(read.size).toBeGreaterThan(400);
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    for (const text of read.keys()) {
      socket.write(text, 'latin1');
      await once(socket, 'data');
    }
    socket.destroy();
    server.close();
    expect(broken).toEqual([]);
    expect(seen).toEqual([...read.values()]);
  }, 60_000);
});

function entryOf(text: string): [string, PlainHead][] {
  const plain = readPlainHead(text);
  return plain === null ? [] : [[text, plain]];
}

/** Heads, most of them nearly plain: pieces that belong there and pieces that do not, put together. */
function likeHeads(): string[] {
  const text = fc.string({
    unit: fc.constantFrom(
      'a',
      'Z',
      '0',
      '-',
      ':',
      ';',
      ' ',
      ',',
      '"',
      '/',
      '%',
      '\u00e6',
      '\t',
      '\r',
      '\n',
      '\0',
    ),
  });
  const name = fc.constantFrom(
    'Host',
    'host',
    'Authorization',
    'X-Request-Id',
    'Accept',
    'TE',
    'x~!',
  );
  const odd = fc.constantFrom(
    'Connection',
    'Content-Length',
    'Transfer-Encoding',
    'Upgrade',
    'a b',
    '',
  );
  const value = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'keep-alive', 'Bearer x', ' b ', '', '0') },
    { weight: 1, arbitrary: text },
  );
  const field = fc
    .tuple(
      fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: odd }),
      fc.constantFrom(':', ': ', ':  ', ' :'),
      value,
      fc.oneof(
        { weight: 12, arbitrary: fc.constant('\r\n') },
        fc.constantFrom('\n', '\r\n ', '\r'),
      ),
    )
    .map((parts) => parts.join(''));
  const start = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('GET / HTTP/1.1\r\n', `${GET}\r\n`) },
    fc.constantFrom('GET /\u0020 HTTP/1.1\r\n', 'GET /a#b HTTP/1.1\r\n', 'get / HTTP/1.1\r\n'),
  );
  const whole = fc
    .tuple(start, fc.constantFrom('', 'Host: h\r\n'), fc.array(field, { maxLength: 4 }))
    .map(([first, host, fields]) => `${first}${host}${fields.join('')}\r\n`);
  return fc.sample(whole, { numRuns: 15_000, seed: 4 });
}

describe('a plain point', () => {
  test.each([
    ['lon=12.1&lat=55.6', { lon: 12.1, lat: 55.6 }],
    ['lat=55&lon=9.12345678', { lon: 9.12345678, lat: 55 }],
    ['lon=-1.5&lat=00.5', { lon: -1.5, lat: 0.5 }],
  ])('%s', (query, point) => expect(plainPoint(query)).toEqual(point));

  test.each([
    '',
    'lon=12.1',
    'lon=12.1&lat=55.6&token=x',
    'lon=12.1&lat=55.6&',
    'lon=12.1&lon=12.2&lat=55.6',
    'lon=1e1&lat=55.6',
    'lon=%31&lat=55.6',
    'lon=+12&lat=55.6',
    'lon=12.&lat=55.6',
    'lon=.5&lat=55.6',
    'lon=12.1&lat=55.6#x',
    'lon=12.1;lat=55.6',
    'x=1&y=2&srid=25832',
    `lon=12.${'1'.repeat(40)}&lat=55.6`,
  ])('%s is for the full pipeline', (query) => expect(plainPoint(query)).toBeNull());
});
