/** Settings of the edge: plans of one's own, proxies to believe. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { leastTierWithBatches, monthlyCeiling, readPlans } from '../../src/account/plans.ts';
import { originOf } from '../../src/layers/background-map.ts';
import { areasOf, parsePermission } from '../../src/account/permissions.ts';

describe('TRUSTED_PROXIES', () => {
  test('is a list of addresses and ranges', () => {
    const { trustedProxies } = loadConfig({ TRUSTED_PROXIES: '10.0.0.1, 10.1.0.0/16,::1' });
    expect(trustedProxies).toEqual(['10.0.0.1', '10.1.0.0/16', '::1']);
    expect(loadConfig({}).trustedProxies).toEqual([]);
  });

  test.each(['proxy.local', '10.0.0.0/33', '10.0.0.1/8/8', '::1/129', '10.0.0.1,,', '*', '1'])(
    'refuses %s',
    (given) => {
      expect(() => loadConfig({ TRUSTED_PROXIES: given })).toThrow(/^TRUSTED_PROXIES must be/);
    },
  );
});

describe('UNIT_PRICE_DKK', () => {
  test('is kroner for a unit, or none', () => {
    expect(loadConfig({}).unitPriceDkk).toBeNull();
    expect(loadConfig({ UNIT_PRICE_DKK: '0.05' }).unitPriceDkk).toBe(0.05);
  });

  test.each(['0', '-1', '0,05', 'x', '1001', 'Infinity'])('refuses %s', (given) => {
    expect(() => loadConfig({ UNIT_PRICE_DKK: given })).toThrow(/^UNIT_PRICE_DKK must be/);
  });
});

describe('EXAMPLE_PLACE', () => {
  test('is degrees in Denmark, or none', () => {
    expect(loadConfig({}).examplePlace).toBeNull();
    expect(loadConfig({ EXAMPLE_PLACE: '12.4136 55.7957' }).examplePlace).toEqual({
      lon: 12.4136,
      lat: 55.7957,
    });
  });

  test.each(['12.4136', '55.7957 12.4136', '12,4136 55,7957', 'x y', '12.4 55.7 1', 'NaN NaN'])(
    'refuses %s',
    (given) => {
      expect(() => loadConfig({ EXAMPLE_PLACE: given })).toThrow(/^EXAMPLE_PLACE must be/);
    },
  );
});

describe('BACKGROUND_MAP_URL', () => {
  const set = (url: string, attribution = 'Kortstyrelsen (opdigtet)') =>
    loadConfig({ BACKGROUND_MAP_URL: url, BACKGROUND_MAP_ATTRIBUTION: attribution }).backgroundMap;

  test.each([
    ['https://kort.example/{z}/{x}/{y}.png', 'https://kort.example'],
    [
      'http://127.0.0.1:9000/t?TileMatrix={z}&TileCol={x}&TileRow={y}&token=a-b',
      'http://127.0.0.1:9000',
    ],
  ])('is a template of pictures: %s', (url, origin) => {
    const found = set(url);
    expect(found).toEqual({ url, attribution: 'Kortstyrelsen (opdigtet)' });
    expect(originOf(found!)).toBe(origin);
    expect(loadConfig({}).backgroundMap).toBeNull();
  });

  test.each([
    'ftp://kort.example/{z}/{x}/{y}',
    'https://kort.example/{z}/{x}',
    'https://kort.example/{z}/{x}/{y}/{y}',
    'https://{z}.example/{x}/{y}',
    'https://{s}.kort.example/{z}/{x}/{y}',
    'https://kort.example/{-y}/{z}/{x}/{y}',
    'https://anna:secret-of-anna@kort.example/{z}/{x}/{y}',
    "https://kort.example/'{z}/{x}/{y}",
    'https://kort.example/ {z}/{x}/{y}',
    `https://kort.example/{z}/{x}/{y}?${'a'.repeat(1_000)}`,
    '/{z}/{x}/{y}',
  ])('refuses %s without saying it', (url) => {
    expect(() => set(url)).toThrow(/^BACKGROUND_MAP_URL must be an address (?!.*secret-of-anna)/);
  });

  test('and whose it is go together', () => {
    expect(() => set('', 'x')).toThrow('BACKGROUND_MAP_ATTRIBUTION needs BACKGROUND_MAP_URL.');
    expect(() => set('https://kort.example/{z}/{x}/{y}', '')).toThrow(
      'BACKGROUND_MAP_URL needs BACKGROUND_MAP_ATTRIBUTION.',
    );
    expect(() => set('https://kort.example/{z}/{x}/{y}', 'x'.repeat(201))).toThrow('200');
  });
});

describe('the plans', () => {
  test('are those decided (D60, D61)', () => {
    const plans = readPlans();
    const table = Object.entries(plans).map(([tier, plan]) => [
      tier,
      plan.unitsPerMonth.live,
      plan.unitsPerMonth.test,
      plan.requestsPerSecond,
      plan.batches,
    ]);
    expect(table).toEqual([
      ['free', 1_000, 500, 5, false],
      ['pro', 50_000, 5_000, 50, true],
      ['business', 1_000_000, 50_000, 200, true],
    ]);
    expect(leastTierWithBatches(plans)).toBe('pro');
  });

  test('end at the allowance, or with overage at the cap', () => {
    const { free, pro } = readPlans();
    const live = { environment: 'live', capUnits: null } as const;
    expect(monthlyCeiling(free, live)).toBe(1_000);
    expect(monthlyCeiling(free, { ...live, capUnits: 9_000 })).toBe(1_000);
    expect(monthlyCeiling(pro, live)).toBe(500_000);
    expect(monthlyCeiling(pro, { ...live, capUnits: 60_000 })).toBe(60_000);
    // What is included is never refused.
    expect(monthlyCeiling(pro, { ...live, capUnits: 10 })).toBe(50_000);
    expect(monthlyCeiling(pro, { environment: 'test', capUnits: 9e6 })).toBe(5_000);
  });

  test('of one’s own are read, and refused by the name of the field', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'plans-')), 'plans.json');
    const plans = readPlans();
    writeFileSync(
      file,
      JSON.stringify({ ...plans, free: { ...plans.free, requestsPerSecond: 9 } }),
    );
    expect(readPlans(file).free.requestsPerSecond).toBe(9);
    writeFileSync(
      file,
      JSON.stringify({ ...plans, free: { ...plans.free, requestsPerSecond: 0 } }),
    );
    expect(() => readPlans(file)).toThrow('PLANS_FILE/free/requestsPerSecond: must be >= 1.');
  });
});

describe('a permission', () => {
  test.each([
    ['read', 10],
    ['jobs', 11],
    ['restricted:dagi', 1],
    ['restricted:natur,dagi,natur', 2],
  ])('%s opens %i areas', (text, count) => {
    expect(areasOf(parsePermission(text)!).size).toBe(count);
  });

  test('of areas is kept in their usual order, once each', () => {
    expect(parsePermission('restricted:natur,dagi,natur')).toBe('restricted:dagi,natur');
  });

  test.each([
    ...['', 'write', 'restricted:', 'restricted:dagi,', 'restricted:DAGI', 'Read', 'read,jobs'],
  ])('%s is none', (text) => {
    expect(parsePermission(text)).toBeNull();
  });
});

test('FAST_PATH is on unless it is turned off', () => {
  expect(loadConfig({}).fastPath).toBe(true);
  expect(loadConfig({ FAST_PATH: 'off' }).fastPath).toBe(false);
  expect(() => loadConfig({ FAST_PATH: 'maybe' })).toThrow(/^FAST_PATH must be one of on, off/);
});
