/** Which client an address is of, in every form that proxies write it, and which are proxies. */
import { expect, test } from 'vitest';
import { WHOLE_SHARE } from '../../src/kernel/burst.ts';
import { addressOf, clientOf, membersOf, senderOf } from '../../src/kernel/client-address.ts';
import type { Limiters } from '../../src/kernel/limiters.ts';
import { localLimiters } from '../../src/kernel/limiters.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['', ''],
])('%s is of the client %s', (address, client) => expect(clientOf(address)).toBe(client));

/** What names the address, as sockets, proxies and RFC 7239 write it. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  '192.0.2.7': [
    ...['192.0.2.7', '192.0.2.7:4711', ' 192.0.2.7\t', '192.0.2.7.', '"192.0.2.7"', '192.0.2.7:'],
    ...['"192.0.2.7:4711"', '"192.0.2.7:_hidden"', '[192.0.2.7]:80', '192.0.2.7%eth0'],
    ...['::ffff:192.0.2.7', '::FFFF:192.0.2.7', '::ffff:c000:207', '0:0:0:0:0:ffff:c000:0207'],
    ...['[::ffff:192.0.2.7]:80', '::ffff:192.0.2.7:4711', '"[::ffff:c000:207]"'],
    ...['0000:0000:0000:0000:0000:ffff:192.0.2.7', '"192\\.0.2.7"'],
  ],
  '2001:db8:0:0:0:0:0:1': [
    ...['2001:db8::1', '2001:DB8::1', '2001:0db8:0000::0001', '2001:db8:0:0::1'],
    ...['2001:db8::0.0.0.1', '2001:db8:0:0:0:0:0:1', '[2001:db8::1]', '[2001:db8::1]:4711'],
    ...['"[2001:db8::1]:4711"', '2001:db8:0:0:0:0:0:1:4711', '"[2001:db8::1]:_port"'],
    ...[' [2001:db8::1%25eth0]:1 ', '2001:db8::1%eth0', '[2001:db8::1%1]', '2001:db8::1.'],
  ],
  'fe80:0:0:0:0:0:0:1': ['fe80::1%eth0', 'fe80::1', '[fe80::1%eth0.7]:80', 'FE80::1%lo'],
};
const NAMELESS = [
  ...['', ' ', '""', 'unknown', 'UNKNOWN', 'unknown:4711', '_hidden', '"_SEVKISEK"', '-'],
  ...['localhost', 'a.example:1', 'http://192.0.2.7', '192.0.2', '192.0.2.256', '192.0.02.7'],
  ...['0x7f.1', '3221225991', '192.0.2.7/32'],
  ...['2001:db8', '2001:db8::1::2', '[2001:db8::1', '2001:db8::1]', '[]', ':::'],
  ...['1:2:3:4:5:6:7:8:9:10', '192.0.2.7 192.0.2.8', '[unknown]:80', '"192.0.2.7'],
];

test('what names no address is one client', () => {
  for (const text of NAMELESS)
    expect([text, addressOf(text), clientOf(text)]).toEqual([text, null, '']);
});

const PROXY = '10.0.0.1';
const isTrusted = membersOf(['10.0.0.0/8', '2001:db8:ffff::/48']);
const senderBy = (headers: Record<string, string>, remoteAddress = PROXY): string =>
  senderOf({ socket: { remoteAddress }, headers }, isTrusted);

test.each(Object.entries(FORMS))(
  'the client is the last that no trusted proxy is, however the list is written: %s',
  (address, forms) => {
    for (const form of forms) {
      const plain = [form, `198.51.100.1, ${form}`, `x,, ${form} ,`, `${form}, 10.1.2.3:4711`];
      for (const list of plain) expect(senderBy({ 'x-forwarded-for': list }), list).toBe(address);
      const quoted = form.includes('"') ? form.trim() : `"${form.trim()}"`;
      const elements = [`for=${quoted}`, `by=_x; For = ${quoted};proto=https;host="a,b;c"`];
      const lists = elements.flatMap((element) => [
        ...[element, `for=198.51.100.1, ${element}`, `for="_a,\\"b" , ${element},`],
        `${element}, for="[2001:db8:ffff::2]:443"`,
      ]);
      for (const list of lists) expect(senderBy({ forwarded: list }), list).toBe(address);
    }
  },
);

test.each([
  [{}, PROXY],
  [{ 'x-forwarded-for': '' }, PROXY],
  [{ 'x-forwarded-for': ', ,' }, PROXY],
  [{ 'x-forwarded-for': '192.0.2.7, unknown' }, PROXY],
  [{ 'x-forwarded-for': '192.0.2.7, unknown:4711, 10.0.0.2' }, '10.0.0.2'],
  [{ 'x-forwarded-for': '10.0.0.3, 10.0.0.2' }, '10.0.0.3'],
  [{ 'x-forwarded-for': '192.0.2.7', forwarded: 'for=192.0.2.8' }, '192.0.2.7'],
  [{ forwarded: 'for=_hidden' }, PROXY],
  [{ forwarded: 'for=192.0.2.7, proto=https' }, PROXY],
  [{ forwarded: 'proto=https;by=192.0.2.7' }, PROXY],
  [{ forwarded: 'for="192.0.2.7, for=192.0.2.8' }, PROXY],
])('of %j, the nearest that is known: %s', (headers, sender) => {
  expect(senderBy(headers)).toBe(sender);
  // Nobody but a trusted proxy is believed.
  expect(senderBy(headers, '::ffff:203.0.113.9')).toBe('203.0.113.9');
});

/** How many of 300 takes of each client pass a limit of 10, by each kind of limiter. */
const LIMITERS: Readonly<Record<string, (limiters: Limiters) => (client: string) => boolean>> = {
  counter: (limiters) => {
    const counter = limiters.counter('requests of pages', { each: 10, total: Infinity });
    return (client) => counter.add(`key ${client}`) === null;
  },
  buckets: (limiters) => {
    const rate = { size: 10, perMs: 1e-9 };
    const bucketOf = limiters.buckets('visitors');
    return (client) => bucketOf(client).take(rate, WHOLE_SHARE, 1) === 0;
  },
  windows: (limiters) => {
    const windows = limiters.windows('clients of public keys', { limit: 10, windowMs: 60_000 });
    return (client) => windows(`key ${client}`).take(WHOLE_SHARE, 1) === 0;
  },
  sums: (limiters) => {
    const sumOf = limiters.sums('days of visitors', 60_000);
    return (client) => sumOf(client).take(1, 10, 1);
  },
};

test.each(Object.keys(LIMITERS))("%s: a /56 has four clients' worth, a /48 sixteen", (limiter) => {
  const take = LIMITERS[limiter]!(localLimiters());
  const taken = (addresses: readonly string[]): number[] =>
    addresses.map(
      (address) => Array.from({ length: 12 }, () => take(clientOf(address))).filter(Boolean).length,
    );
  const home = (site: number, at: number) => `2001:db8:${site}:${at.toString(16)}::1`;
  // A client each of sixteen homes of one site, of which the first home has five.
  const homes = Array.from({ length: 18 }, (_, at) => home(1, at * 256));
  expect(taken([1, 2, 3, 4, 5].map((at) => home(1, at)))).toEqual([10, 10, 10, 10, 0]);
  expect(taken(homes)).toEqual([0, ...Array<number>(12).fill(10), ...Array<number>(5).fill(0)]);
  expect(taken([home(2, 1), '192.0.2.7', '192.0.2.8', 'account_a'])).toEqual([10, 10, 10, 10]);
});

test('addresses and ranges of a list are its members, however they are written', () => {
  const isProxy = membersOf(['10.0.0.1', '10.1.0.0/16', '2001:db8::/32', '::1']);
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '10.1.2.3', '2001:db8:5::1', '::1']) {
    expect(isProxy(address), address).toBe(true);
  }
  for (const address of ['10.0.0.2', '10.2.0.0', '2001:db9::1', '', 'nonsense']) {
    expect(isProxy(address), address).toBe(false);
  }
  expect(membersOf([])('10.0.0.1')).toBe(false);
});
