/** Rows of jobs that every-cell.ts cannot hold against a single lookup: by an address. */
import { beforeAll, describe, expect, test } from 'vitest';
import { KNOWN_ADDRESS } from '../../sample/registers/addresses/rows.ts';
import { addJob, addOwner, finish, linesOf } from './job-bench.ts';
import type { JobBench, Owner } from './job-bench.ts';

let bench: JobBench;
let owner: Owner;

/** Runs them on a bench of the caller's. */
export function answersSuite(opened: () => JobBench): void {
  beforeAll(async () => {
    bench = opened();
    owner = await addOwner(bench.store);
  });
  describe.each([
    ['memory', {}],
    ['the lookups', { memory: null }],
  ] as const)('rows with an address, answered from %s', (_, change) => {
    test.each(['miljoe', 'dagi', 'reverse'] as const)(
      '%s is what its access point is answered with; a guess is refused with the nearest',
      async (kind) => {
        const { roadName, houseNumber, postcode, postcodeName, place } = KNOWN_ADDRESS;
        const known = `${roadName} ${houseNumber}, ${postcode} ${postcodeName}`;
        const misspelt = known.replace(roadName, `${roadName}n`);
        const guess = `${roadName} 999, ${postcode} ${postcodeName}`;
        const id = await addJob(bench.store, {
          ...{ ...owner, kind, srid: 25832 },
          columns: { x: 'x', y: 'y', adresse: 'Adresse', vej: 'Vej', husnr: 'Nr', postnr: 'Post' },
          inputColumns: ['x', 'y', 'Adresse', 'Vej', 'Nr', 'Post'],
          rows: [
            [place.x, place.y],
            [null, null, known],
            [null, null, misspelt],
            [null, null, null, roadName, houseNumber, postcode],
            [null, null, guess],
            [null, null, 'Findesikkevej 1, 0000 Ingensteds'],
            ['x', null, known],
          ],
        });
        const state = await finish(bench, id, change);
        expect(state).toMatchObject({ succeeded: 4, failed: 3, billed_units: 4 });
        const { results, errors } = await linesOf(bench.store, id);
        const [byPoint, ...others] = results.map(({ svar }) => JSON.stringify(svar));
        expect(new Set(others)).toEqual(new Set([byPoint]));
        const failed = errors.map(({ raekke, status }) => `${raekke} ${status}`);
        expect(failed).toEqual(['5 404', '6 404', '7 400']);
        expect(errors[0]?.error).toContain(`The nearest: ${roadName}`);
        expect(errors[0]?.error?.split('; ').length).toBeLessThanOrEqual(3);
      },
    );
  });

  test('bbr answers an address that is surely meant, and refuses a guess and an empty row', async () => {
    const { roadName, houseNumber, floor, door, postcode, postcodeName } = KNOWN_ADDRESS;
    const known = `${roadName} ${houseNumber}, ${floor}. ${door}, ${postcode} ${postcodeName}`;
    const id = await addJob(bench.store, {
      ...owner,
      kind: 'bbr',
      columns: { bfe: 'BFE', adresse: 'adresse' },
      inputColumns: ['BFE', 'adresse'],
      rows: [
        [null, known],
        ['x', known],
        [null, 'Findesikkevej 1, 0000 Ingensteds'],
        [null, null],
      ],
    });
    const state = await finish(bench, id);
    expect(state).toMatchObject({ succeeded: 1, failed: 3, billed_units: 1 });
    const { errors } = await linesOf(bench.store, id);
    expect(errors.map(({ status }) => status)).toEqual([400, 404, 400]);
  });
}
