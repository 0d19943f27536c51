/** What a file about properties has beyond its cells, which every-cell.ts holds against the route (D97). */
import { expect, test } from 'vitest';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { parseRows, runningCells } from './csv-judge.ts';
import { finishedJob, stateOf } from './job-bench.ts';
import type { JobBench } from './job-bench.ts';

/** Fetches it from a bench of the caller's. */
export function propertyFilesSuite(opened: () => JobBench): void {
  test('a file about properties tells the caller’s columns from ours, and who is unknown', async () => {
    const { bfe, flatBfe, foreignBfe } = KNOWN_PROPERTY;
    const bfes = [bfe, flatBfe, foreignBfe];
    const { id, get } = await finishedJob(opened(), {
      kind: 'bbr',
      columns: { bfe: 'BFE' },
      inputColumns: ['BFE', 'adresse'],
      rows: [...bfes.map((each) => [String(each), '=1+1']), ['9999999', ''], ['x', '']],
    });
    const { body } = await get(`${id}/results?format=csv`);
    expect(runningCells(body)).toEqual([]);
    const [header = [], ...rows] = parseRows(body.slice(1));
    // One of ours has the name of one of the caller's.
    expect(header.slice(0, 3)).toEqual(['BFE', 'adresse', 'raekke']);
    expect(header).toContain('adresse_svar');
    expect(rows.map(([given]) => Number(given))).toEqual(bfes);
    const errors = (await get(`${id}/errors?format=ndjson`)).body.trimEnd().split('\n');
    expect(errors.map((line) => JSON.parse(line) as object)).toMatchObject([
      { raekke: 4, status: 404, error: expect.stringContaining('9999999') as string },
      { raekke: 5, status: 400 },
    ]);
    expect(await stateOf(opened().store, id)).toMatchObject({ billed_units: bfes.length });
  });
}
