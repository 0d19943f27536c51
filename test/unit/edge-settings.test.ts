/** Settings of the edge: plans of one's own, proxies to believe. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { leastTierWithBatches, monthlyCeiling, readPlans } from '../../src/account/plans.ts';
import { originOf } from '../../src/layers/background-map.ts';
import { areasOf, parsePermission } from '../../src/account/permissions.ts';
import { ownFolder } from '../support/opened.ts';

const REFUSED = {
  TRUSTED_PROXIES: [
    ...['proxy.local', '10.0.0.0/33', '10.0.0.1/8/8', '::1/129', '10.0.0.1,,', '*', '1'],
  ],
  UNIT_PRICE_DKK: ['0', '-1', '0,05', 'x', '1001', 'Infinity'],
  EXAMPLE_PLACE: ['12.4136', '55.7957 12.4136', '12,4136 55,7957', 'x y', '12.4 55.7 1', 'NaN NaN'],
  FAST_PATH: ['maybe'],
};
test.each(Object.entries(REFUSED))('%s of another form is refused by its name', (name, all) => {
  for (const given of all) {
    expect(() => loadConfig({ [name]: given }), given).toThrow(new RegExp(`^${name} must be`));
  }
});

test.each([
  ['TRUSTED_PROXIES', 'trustedProxies', [], '10.0.0.1, 10.1.0.0/16,::1'],
  ['UNIT_PRICE_DKK', 'unitPriceDkk', null, '0.05'],
  ['EXAMPLE_PLACE', 'examplePlace', null, '12.4136 55.7957'],
  ['FAST_PATH', 'fastPath', true, 'off'],
] as const)('%s is read, and has a value where it is not set', (name, field, unset, given) => {
  const READ = {
    ...{ trustedProxies: ['10.0.0.1', '10.1.0.0/16', '::1'], unitPriceDkk: 0.05 },
    ...{ examplePlace: { lon: 12.4136, lat: 55.7957 }, fastPath: false },
  };
  expect(loadConfig({})[field]).toEqual(unset);
  expect(loadConfig({ [name]: given })[field]).toEqual(READ[field]);
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
  const path = join(ownFolder('plans'), 'plans.json');

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
    const plans = readPlans();
    const of = (requestsPerSecond: number) => {
      writeFileSync(path, JSON.stringify({ ...plans, free: { ...plans.free, requestsPerSecond } }));
      return readPlans(path).free.requestsPerSecond;
    };
    expect(of(9)).toBe(9);
    expect(() => of(0)).toThrow('PLANS_FILE/free/requestsPerSecond: must be >= 1.');
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
