/** The parts of the map page that need no browser. */
import fc from 'fast-check';
import type { BuildingLines, Line } from '../../../src/web/shared/answers.ts';
import { describe, expect, test, vi } from 'vitest';
import { LINE_KEYS } from '../../../src/layers/keys.ts';
import {
  DEFAULT_LAYERS,
  MAP_LAYERS,
  readState,
  writeState,
} from '../../../src/web/kort/address-bar.ts';
import type { PageState } from '../../../src/web/kort/address-bar.ts';
import { factsOf, lineRows } from '../../../src/web/shared/answers.ts';
import { distanceWords, groupsOf } from '../../../src/web/shared/line-words.ts';
import { parseCoordinates, queryOf } from '../../../src/web/shared/coordinates.ts';
import { RequestThrottle, retryAfterMs } from '../../../src/web/kort/throttle.ts';
import { measuredOn } from '../../../src/web/kort/measured.ts';
import type { Answered, Metres } from '../../../src/web/kort/measured.ts';
import { agreeing, nearestOnLines, nearestOnZone } from '../../../src/web/kort/nearest.ts';

const DEGREES = { kind: 'place', place: { srid: 4326, lon: 11.3822, lat: 56.9537 } } as const;
const METRES = { kind: 'place', place: { srid: 25832, x: 644877.59, y: 6314760.2 } } as const;

describe('a typed place', () => {
  test.each([
    ...['56.9537 11.3822', '56,9537 11,3822', '56.9537, 11.3822', '56,9537, 11,3822'],
    ...['56,9537,11,3822', '56.9537,11.3822', '56,9537; 11,3822', '11.3822 56.9537'],
    ...['11,3822/56,9537', 'N 56,9537 Ø 11,3822', '56.9537° N, 11.3822° E'],
    ...['lat: 56.9537 lon: 11.3822', 'Point (11.3822 56.9537)', 'lon=11.3822 lat=56.9537'],
    ...['(56.9537, 11.3822)', '  56,9537   11,3822 '],
  ])('is read in degrees: %s', (text) => {
    expect(parseCoordinates(text)).toEqual(DEGREES);
  });

  test.each([
    ...['644877.59 6314760.2', '644877,59 6314760,2', '644877.59,6314760.2'],
    ...['6314760,2 644877,59', '644.877,59 6.314.760,2', 'x=644877.59 y=6314760.2'],
    ...['E 644877,59 N 6314760,2', 'EPSG:25832 644877,59 6314760,2'],
    ...['POINT(644877.59 6314760.2)', 'SRID=25832;POINT (644877.59 6314760.2)'],
  ])('is read in metres: %s', (text) => {
    expect(parseCoordinates(text)).toEqual(METRES);
  });

  test.each(['Prøvegade 12', 'Nygade', '', '56 N Vej', 'x'.repeat(200)])(
    'is none where it is text: %s',
    (text) => expect(parseCoordinates(text)).toEqual({ kind: 'text' }),
  );

  test.each(['56,9537', '56', '1 2 3'])('lacks a part: %s', (text) => {
    expect(parseCoordinates(text)).toEqual({ kind: 'refused', reason: 'incomplete' });
  });

  test.each(['48.85 2.35', '0 0', '100000 100000'])('lies elsewhere: %s', (text) => {
    expect(parseCoordinates(text)).toEqual({ kind: 'refused', reason: 'outside' });
  });

  test('reads what it writes, whatever the decimal sign', () => {
    const lon = fc.integer({ min: 8_000_000, max: 13_000_000 }).map((v) => v / 1e6);
    const lat = fc.integer({ min: 54_500_000, max: 57_900_000 }).map((v) => v / 1e6);
    fc.assert(
      fc.property(lon, lat, fc.boolean(), (east, north, comma) => {
        const text = `${north} ${east}`;
        const typed = comma ? text.replaceAll('.', ',') : text;
        const place = { srid: 4326, lon: east, lat: north };
        expect(parseCoordinates(typed)).toEqual({ kind: 'place', place });
      }),
    );
  });

  test('is sent in the frame it was given in', () => {
    expect(queryOf({ srid: 4326, lon: 11.5, lat: 56 })).toBe('lon=11.5&lat=56');
    expect(queryOf({ srid: 25832, x: 644877.59, y: 6314760.2 })).toBe(
      'x=644877.59&y=6314760.2&srid=25832',
    );
  });
});

describe('the address of the page', () => {
  const EMPTY: PageState = {
    ...{ place: null, named: null, look: null, layers: DEFAULT_LAYERS, background: true },
  };
  const { place } = DEGREES;
  const house = { kind: 'adresse', id: '0a3f50b1-0000-32b8-e044-0003ba298018' } as const;
  const look = { lon: 11.38, lat: 56.95, zoom: 14.5 };

  test.each<PageState>([
    EMPTY,
    { ...EMPTY, place, named: house, layers: ['skov', 'sogn'], background: false },
    { ...EMPTY, place: METRES.place, look, layers: MAP_LAYERS },
    { ...EMPTY, named: { kind: 'virksomhed', id: '12345678' }, layers: [] },
  ])('holds place, view and layers: %j', (state) => {
    expect(readState(writeState(state))).toEqual(state);
  });

  test.each([
    ['', 'empty'],
    ['#', 'bare'],
    ['#lon=x&lat=y', 'no numbers'],
    ['#lon=2&lat=48', 'elsewhere'],
    ['#se=1,2', 'half a view'],
    [`#lag=${'a'.repeat(9000)}`, 'too long'],
    ['#adresse=../../me', 'no address'],
    ['#ejendom=1e9&virksomhed=123&sted=Midtby', 'no ids'],
  ])('is never an error: %#', (hash) => expect(readState(hash)).toEqual(EMPTY));
});

const line = (change: Partial<Line> = {}): Line => ({
  ...{ navn: 'Skovbyggelinje', hjemmel: 'Naturbeskyttelsesloven § 17', geometri: 'flade' },
  ...({ status: 'ok', inden_for: false, usikker: false, afstand_m: 120.4 } as const),
  ...{ antal: 2, traef: null, ophaevede: [] },
  kilde: { lag: 'dai:skov', wfs: 'https://geo.example/wfs' },
  ...change,
});

function rowsOf(changes: Partial<Record<(typeof LINE_KEYS)[number], Partial<Line>>>, stale = '') {
  const linjer = Object.fromEntries(LINE_KEYS.map((key) => [key, line(changes[key])]));
  const body = { linjer } as unknown as BuildingLines;
  const headers = new Headers({
    'x-service-generation': '18',
    'x-service-data-age': '90',
    ...(stale !== '' && { 'x-service-stale': 'true', 'x-service-stale-lines': stale }),
  });
  return lineRows({ body, facts: factsOf(headers) }, new Map([['skov', 60]]));
}

describe('what is shown of a line', () => {
  test('is no "no" where nothing answered, whatever else is said', () => {
    for (const inside of [false, null, true]) {
      const rows = rowsOf({ kirke: { status: 'utilgaengelig', inden_for: inside, antal: 3 } });
      const row = rows.find(({ key }) => key === 'kirke');
      expect(row).toMatchObject({ verdict: 'unavailable', distanceM: null, count: 0, ageS: null });
      expect(groupsOf(rows).unsure).toEqual([row]);
      expect(groupsOf(rows).none).not.toContain(row);
    }
    const [odd] = rowsOf({ aa: { inden_for: null } });
    expect(odd).toMatchObject({ key: 'aa', verdict: 'unavailable' });
  });

  test('is no plain answer where an old copy answered', () => {
    const rows = rowsOf({ aa: { inden_for: true } }, 'soe,aa');
    expect(rows.find(({ key }) => key === 'soe')?.verdict).toBe('old-outside');
    expect(rows.find(({ key }) => key === 'aa')?.verdict).toBe('old-within');
    const { applies, unsure } = groupsOf(rows);
    expect(applies.map(({ key }) => key)).toEqual(['aa']);
    expect(unsure.map(({ key }) => key)).toEqual(['soe']);
  });

  test('has no zone where it is a line: its distance is from the line', () => {
    vi.stubGlobal('document', { documentElement: { lang: 'da' } });
    const change = { inden_for: true, afstand_m: 0.8 };
    const rows = rowsOf({
      dige: { ...change, geometri: 'linje' },
      skov: { ...change, afstand_m: -0.8 },
    });
    const wordsOf = (of: string) =>
      distanceWords(
        rows.find(({ key }) => key === of)!,
        500,
      );
    expect(wordsOf('dige')).toBe('0,8 m herfra');
    expect(wordsOf('skov')).toBe('0,8 m til zonens kant');
    vi.unstubAllGlobals();
  });

  test('comes first where it binds', () => {
    const rows = rowsOf({ natur: { inden_for: true }, dige: { inden_for: true, usikker: true } });
    expect(rows.map(({ key, verdict }) => `${key} ${verdict}`).slice(0, 3)).toEqual([
      'natur within',
      'dige uncertain',
      'strandbeskyttelse outside',
    ]);
    expect(rows.find(({ key }) => key === 'skov')?.ageS).toBe(60);
  });
});

/** One ring: `0 0, 10 0, 10 10, 0 0`. */
const ring = (corners: string): [number, number][][] => [
  corners.split(', ').map((corner) => corner.split(' ').map(Number) as [number, number]),
];
const square = (x: number, y: number, side: number) => {
  const [east, north] = [x + side, y + side];
  return ring(`${x} ${y}, ${east} ${y}, ${east} ${north}, ${x} ${north}, ${x} ${y}`);
};

describe('where a distance ends', () => {
  test('outside, on the nearest edge', () => {
    const foot = nearestOnLines([5, -3], square(0, 0, 10));
    expect(foot).toEqual({ x: 5, y: 0, distanceM: 3 });
  });

  test('inside, on the edge of the zone and not of a piece of it', () => {
    // Two pieces that share the edge x = 10, where the point is nearest to.
    const pieces = [square(0, 0, 10), square(10, 0, 10)];
    expect(nearestOnZone([9, 4], pieces, -4)).toEqual({ x: 9, y: 0, distanceM: 4 });
    // And two that overlap.
    const overlapping = [square(0, 0, 10), square(6, 0, 10)];
    expect(nearestOnZone([7, 3], overlapping, -3)).toEqual({ x: 7, y: 0, distanceM: 3 });
    // The nearest edge of the zone lies beyond the piece that holds the point.
    const wide = [square(0, 0, 10), square(0, -4, 10)];
    expect(nearestOnZone([5, 1], wide, -5)).toMatchObject({ distanceM: 5 });
  });

  test('not on an edge that goes on to where the neighbours were not read', () => {
    // Beside the far end of the tall one lies another piece, too far away to be asked for.
    const low = ring('0 0, 10 0, 10.0001 10, 0 10, 0 0');
    const tall = ring('10 0, 20 0, 20 100, 10 100, 10 0');
    expect(nearestOnZone([8.5, 3], [low, tall], -3)).toEqual({ x: 8.5, y: 0, distanceM: 3 });
  });

  test('in a hole, on its edge', () => {
    const holed = [[...square(0, 0, 100), ...square(40, 40, 20)]];
    expect(nearestOnZone([38, 50], holed, -2)).toEqual({ x: 40, y: 50, distanceM: 2 });
  });

  test('nowhere where it does not agree with the answer', () => {
    const foot = nearestOnLines([5, -3], square(0, 0, 10));
    expect(agreeing(foot, 3.04)).toBe(foot);
    expect(agreeing(foot, 3.2)).toBeNull();
    expect(agreeing(null, 3)).toBeNull();
    expect(nearestOnZone([5, 5], [square(0, 0, 100)], -1)).toBeNull();
  });
});

describe('what is drawn of a line', () => {
  /** No edge along an axis: feet and distances are not round. */
  const slanted = (objectId: string, east: number) => {
    const [x, right, top] = [650_000 + east, 650_037.1 + east, 650_021.7 + east];
    const shape = ring(`${x} 6314000, ${right} 6314011.3, ${top} 6314043.9, ${x} 6314000`);
    return { objectId, polygons: [shape], lines: [] };
  };
  const shapes = [slanted('far', 900), slanted('near', 0), slanted('behind', -0.4)];
  const answered = (change: Partial<Answered>): Answered => ({
    ...{ key: 'natur', name: 'Natur', shape: 'flade', distanceM: null, hit: null },
    ...change,
  });
  /** A place beside the first edge; negative is inside. */
  const beside = (along: number, outM: number): Metres => {
    const length = Math.hypot(37.1, 11.3);
    return [
      650_000 + along * 37.1 + (outM * 11.3) / length,
      6_314_000 + along * 11.3 - (outM * 37.1) / length,
    ];
  };

  test('is drawn outside too where the answer is rounded to nothing', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 0.9, noNaN: true }), (along) => {
        const at = beside(along, 0.0127);
        const drawn = measuredOn(answered({ distanceM: 0 }), at, shapes);
        expect(drawn?.segment.foot.distanceM).toBeCloseTo(0.0127, 6);
        expect(drawn?.shape.properties).toEqual({ objekt_id: 'near' });
      }),
    );
  });

  test('is the feature named inside, whosever the edge of the zone is', () => {
    const row = answered({ distanceM: -0.3, hit: { objekt_id: 'behind' } });
    const drawn = measuredOn(row, beside(0.5, -0.3), shapes);
    expect(drawn?.segment.foot.distanceM).toBeCloseTo(0.3, 6);
    expect(drawn?.shape.properties).toEqual({ objekt_id: 'behind' });
    const at = answered({ distanceM: 0, hit: { objekt_id: 'near' } });
    const onEdge = measuredOn(at, beside(0.5, 0), shapes);
    expect(onEdge?.segment.foot.distanceM).toBeCloseTo(0, 6);
  });

  test('is nothing where no shape was read, the named one is not there, or nothing agrees', () => {
    const at = beside(0.5, 20);
    expect(measuredOn(answered({ distanceM: 20 }), at, shapes)).not.toBeNull();
    expect(measuredOn(answered({ distanceM: 21 }), at, shapes)).toBeNull();
    expect(measuredOn(answered({ distanceM: 20 }), at, [])).toBeNull();
    expect(measuredOn(answered({ distanceM: null }), at, shapes)).toBeNull();
    const gone = answered({ distanceM: -0.3, hit: { objekt_id: 'gone' } });
    expect(measuredOn(gone, beside(0.5, -0.3), shapes)).toBeNull();
  });
});

describe('the pace of tiles', () => {
  test('lets a screen full through at once, then forty a second', () => {
    const throttle = new RequestThrottle();
    const waits = Array.from({ length: 120 }, () => throttle.turn(100_000));
    expect(waits.slice(0, 80).every((wait) => wait === 0)).toBe(true);
    expect(waits[119]).toBeCloseTo(1000);
    expect(throttle.turn(100_000 + 60_000)).toBe(0);
    expect(throttle.turn(100_000 + 60_000, 100)).toBeGreaterThan(0);
  });

  test('follows the limits that the answers tell, the strictest of them', () => {
    const throttle = new RequestThrottle();
    throttle.learn(null);
    throttle.learn('"kort";q=20;w=2, "kort-address";q=1000;w=2');
    expect(throttle.turn(100_000, 16)).toBe(0);
    expect(throttle.turn(100_000, 8)).toBeCloseTo(1000);
    for (const odd of ['', 'x', '"kort";q=0;w=2', '"kort";q=5;w=0', '"kort"']) throttle.learn(odd);
    expect(throttle.turn(100_000, 8)).toBeCloseTo(2000);
  });

  test('waits as long as it is told, and never for ever', () => {
    expect(['1', '3', '900', null, 'x', '0'].map(retryAfterMs)).toEqual([
      1000, 3000, 5000, 1000, 1000, 1000,
    ]);
  });
});
