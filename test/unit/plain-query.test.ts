/** What the fast path takes for a plain question; everything else is for the full pipeline. */

import { describe, expect, test } from 'vitest';
import { plainPoint } from '../../src/http/fast-path/fast-path.ts';

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
