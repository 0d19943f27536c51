/** Areas by code where their register is asked live. */
import { describe, expect, test } from 'vitest';
import { cacheByCount } from '../../src/kernel/cache.ts';
import { Failure } from '../../src/kernel/failures.ts';
import type { GzipPiece } from '../../src/kernel/gzip.ts';
import { createAreas } from '../../src/registers/areas/lookup.ts';
import type { AreasDeps } from '../../src/registers/areas/lookup.ts';
import type { StoredArea } from '../../src/registers/areas/store.ts';
import { REGISTERS_CATALOGUE } from '../../src/registers.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;
const OF_REGISTER = { code: '0101', name: 'Opdigtet', wkb: new Uint8Array(), contentHash: 'ab' };
const deadline = { signal: new AbortController().signal };

/** Over a copy of ten days with that area, or none. */
function areas(copied: Pick<StoredArea, 'regionCode'> | null, ofRegister: string | null) {
  const contentHash = Buffer.from('ab', 'hex');
  const deps: AreasDeps = {
    catalogue: REGISTERS_CATALOGUE,
    clock: { nowMs: () => NOW_MS },
    readStore: () =>
      Promise.resolve({
        generation: 1,
        state: copied && {
          ...{ version: 1, syncedAtMs: NOW_MS - 10 * DAY_MS, held: false },
          outdatedAtMs: Infinity,
        },
        refused: false,
        areas:
          copied === null ? [] : [{ theme: 'kommune', ...OF_REGISTER, contentHash, ...copied }],
      }),
    readGeometry: () => Promise.resolve(null),
    askOrigin: () => Promise.resolve({ ...OF_REGISTER, regionCode: ofRegister }),
    render: () => Promise.resolve({} as GzipPiece),
    rendered: cacheByCount(1, DAY_MS),
  };
  return createAreas(deps);
}

describe('the region of an area that its register answers', () => {
  test.each([
    ['that of the copy', { regionCode: '1084' }, null, '1084'],
    ['its own, of a region', { regionCode: '1084' }, '1085', '1085'],
    ['unknown without a copy', null, null, null],
  ] as const)('is %s', async (_, copied, ofRegister, expected) => {
    const { value } = await areas(copied, ofRegister).find('kommune', ['0101'], deadline);
    const [area] = value;
    if (area === undefined || area instanceof Failure) throw new Error('It is not answered.');
    expect(area.provenance.rung).toBe('origin');
    expect(area.regionCode).toBe(expected);
  });
});
