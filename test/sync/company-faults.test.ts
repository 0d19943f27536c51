/**
 * The rows of the fault matrix about files of companies: on a store that never had them, and behind a copy.
 * What is told is then what it was, and never a no that nobody said.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { companyText } from '../../src/registers/companies/answer.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import type { Failure } from '../../src/kernel/failures.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { syncLayer } from '../../sync/run.ts';
import { COMPANY_ENTITIES, KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import { COMPANY_FILE_ROWS } from '../faults/matrix-companies.ts';
import type { CompanyFileRow } from '../faults/matrix-companies.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const bench = await opened(openAddressBench());
afterEach(() => bench.shelf.spoil());

const ASKED = [
  KNOWN_COMPANY.number,
  KNOWN_COMPANY.protectedNumber,
  KNOWN_COMPANY.endedNumber,
  KNOWN_COMPANY.unknownNumber,
];

/** The record, or the status of its failure. */
async function told(): Promise<unknown[]> {
  const companies = createCompanies({
    catalogue: bench.deps.catalogue,
    clock: bench.deps.clock,
    read: (number) => readCompany(bench.store, number),
    origin: null,
    nameSources: (names) => names.join(),
  });
  const tell = (number: number) =>
    companies
      .find(String(number))
      .then(companyText, (failure: unknown) => (failure as Failure).status);
  return await Promise.all(ASKED.map(tell));
}

async function play({ tables, isStopped }: CompanyFileRow): Promise<string> {
  // New files under the numbers of the day: the copy was not made from these.
  for (const entity of COMPANY_ENTITIES) bench.shelf.renew(entity);
  bench.shelf.spoil(tables);
  if (isStopped === true) await bench.upstream.pause();
  try {
    return (await syncLayer(bench.deps, 'cvr', { trigger: 'command' })).state;
  } finally {
    if (isStopped === true) await bench.upstream.resume();
  }
}

const ROWS = Object.entries(COMPANY_FILE_ROWS);

test.each(ROWS)('%s, before anything is mirrored', async (_id, row) => {
  expect(await play(row)).toBe(row.sync);
  expect(await told()).toEqual([503, 503, 503, 503]);
});

describe('behind a copy', () => {
  let before: unknown[];
  beforeAll(async () => {
    expect(await play({ about: '', sync: 'failed' })).toBe('published');
    before = await told();
    expect(before.at(-1)).toBe(404);
    expect(before[1]).toContain('"reklamebeskyttet":true');
    expect(before[2]).toMatch(/"ophoersdato":"2023-/);
  });

  test.each(ROWS)('%s', async (_id, row) => {
    expect(await play(row)).toBe(row.sync);
    expect(await told()).toEqual(before);
  });
});
