/** What the fast path takes for a plain question; everything else is for the full pipeline. */
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isPlainGet, plainPoint } from '../../src/http/fast-path/fast-path.ts';

describe('a plain point', () => {
  test.each([
    ['lon=12.1&lat=55.6', { lon: 12.1, lat: 55.6 }],
    ['lat=55&lon=9.12345678', { lon: 9.12345678, lat: 55 }],
    ['lon=-1.5&lat=00.5', { lon: -1.5, lat: 0.5 }],
  ])('%s', (query, point) => expect(plainPoint(query)).toEqual(point));

  test.each([
    ...['', 'lon=12.1', 'lon=12.1&lat=55.6&token=x', 'lon=12.1&lat=55.6&'],
    ...['lon=12.1&lon=12.2&lat=55.6', 'lon=1e1&lat=55.6', 'lon=%31&lat=55.6', 'lon=+12&lat=55.6'],
    ...['lon=12.&lat=55.6', 'lon=.5&lat=55.6', 'lon=12.1&lat=55.6#x', 'lon=12.1;lat=55.6'],
    'x=1&y=2&srid=25832',
    `lon=12.${'1'.repeat(40)}&lat=55.6`,
  ])('%s is for the full pipeline', (query) => expect(plainPoint(query)).toBeNull());
});

describe('a plain GET', () => {
  const request = (method: string, headers: Record<string, string>): IncomingMessage =>
    Object.assign(new IncomingMessage(new Socket()), { method, headers });

  test('has a host, and may have other fields', () => {
    expect(isPlainGet(request('GET', { host: 'a', accept: '*/*' }))).toBe(true);
  });

  test.each([
    ['another method', request('HEAD', { host: 'a' })],
    ['no host', request('GET', {})],
    ['two hosts', request('GET', { host: 'a, b' })],
    ['a body told by its length', request('GET', { host: 'a', 'content-length': '0' })],
    ['a body in pieces', request('GET', { host: 'a', 'transfer-encoding': 'chunked' })],
    ['an expectation', request('GET', { host: 'a', expect: '100-continue' })],
  ])('is not one with %s', (_what, other) => expect(isPlainGet(other)).toBe(false));
});
