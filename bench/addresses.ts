/** The address index at `--scale=` of national size: its memory, how soon it answers, the nearest address. */
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import type { OpenAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { buildAddressIndex } from '../src/registers/addresses/index/build-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';
import { microsecondsPerItem } from './harness/measure.ts';
import { scaleOption } from './harness/options.ts';
import { row } from './harness/row.ts';
import type { BenchRow } from './harness/row.ts';
import { nationalAddresses } from './national/addresses.ts';
import { Land, pointsOf, randomFrom } from './national/land.ts';

const RADIUS_M = 100;
const PLACES = 20_000;

export function benchAddresses(): Promise<readonly BenchRow[]> {
  const scale = scaleOption();
  const land = new Land(scale);
  const [buffer, buildMs] = timed(() => buildAddressIndex(1, nationalAddresses(land)));
  const [addressIndex, openMs] = timed(() => openAddressIndex(buffer));
  const [, readyMs] = timed(() => createAddressFinder(addressIndex));
  return Promise.resolve([
    row('scale of the generated country', scale, 'of national size'),
    row('access addresses', addressIndex.accessCount, 'addresses'),
    row('unit addresses', addressIndex.unitCount, 'addresses'),
    row('generate and build the index', buildMs / 1000, 's'),
    row('index in memory', buffer.byteLength / 2 ** 20, 'MiB', { gate: '<= 400 at national size' }),
    row('open it, checksum included', openMs, 'ms'),
    row('ready the finder', readyMs, 'ms'),
    ...benchNearest(addressIndex, land),
  ]);
}

function timed<T>(work: () => T): [result: T, ms: number] {
  const started = performance.now();
  return [work(), performance.now() - started];
}

function benchNearest(addressIndex: OpenAddressIndex, land: Land): readonly BenchRow[] {
  const points = pointsOf(placesNear(addressIndex, land));
  const recordUs = microsecondsPerItem(
    points,
    (point) => addressIndex.nearest(point, RADIUS_M)?.distanceM ?? 0,
  );
  const placeUs = microsecondsPerItem(points, (point) =>
    addressIndex.nearestPlace(point, RADIUS_M),
  );
  return [
    row(`nearest address within ${RADIUS_M} m, its place`, placeUs, 'µs', {
      gate: '<= 2 (goal 0.4)',
    }),
    row('… with the whole record', recordUs, 'µs'),
  ];
}

/** Half at addresses or a few metres off, half anywhere on land. */
function placesNear(addressIndex: OpenAddressIndex, land: Land): Float64Array {
  const xy = land.places(PLACES, 5);
  const random = randomFrom(31);
  for (let i = 0; i < PLACES; i += 2) {
    const { position } = addressIndex.accessAt(Math.floor(random() * addressIndex.accessCount));
    if (position === null) continue;
    xy[2 * i] = position.xUtm32 + Math.floor(60 * random()) - 30;
    xy[2 * i + 1] = position.yUtm32 + Math.floor(60 * random()) - 30;
  }
  return xy;
}
