/**
 * The rows of the fault matrix about assessments and listed buildings: on a store that never had them, and
 * behind a copy of them. What is told of a property is then what it was, and never a no that nobody said.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { assessmentText } from '../../src/registers/assessments/answer.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import { Failure } from '../../src/kernel/failures.ts';
import { readAssessments } from '../../src/registers/assessments/store.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { syncLayer } from '../../sync/run.ts';
import { KNOWN_ASSESSMENT } from '../../sample/registers/assessments/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { JOINED_ROWS } from '../faults/matrix-joined.ts';
import type { JoinedRow } from '../faults/matrix-joined.ts';
import { openAddressBench } from './addresses-bench.ts';
import { opened } from '../support/opened.ts';

const BFE = KNOWN_ASSESSMENT.bfe;

const bench = await opened(openAddressBench());
beforeAll(async () => {
  for (const id of ['matrikel', 'bbr'] as const) {
    expect(await syncLayer(bench.deps, id, { trigger: 'command' })).toMatchObject({
      state: 'published',
    });
  }
});
afterEach(mend);

function mend(): void {
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
}

const common = () => ({
  catalogue: bench.deps.catalogue,
  clock: bench.deps.clock,
  nameSources: (names: readonly string[]) => names.join(', '),
});

/** What is told of the flat: its assessments, and whether the block it is in is listed. */
async function told() {
  const { value } = await createProperties({
    ...common(),
    read: (asked) => readProperties(bench.store, asked),
    addresses: () => null,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
  }).find([BFE], null);
  const [answer] = value;
  if (answer === undefined || answer instanceof Failure) throw new Error('no record');
  const record = propertyRecord(answer.rows, answer.around);
  const block = record.bygninger.find(({ id }) => id === KNOWN_PROPERTY.blockId);
  const read = (bfe: number) => readAssessments(bench.store, bfe);
  const detail = await createAssessments({ ...common(), read })
    .find(BFE)
    .then(assessmentText, (failure: unknown) => (failure as Failure).status);
  const { fredning } = block ?? {};
  return {
    vurdering: 'vurdering' in record ? record.vurdering : 'absent',
    fredning: fredning && { ...fredning, hentet: '' },
    detail,
  };
}

async function play({ register, tables, pages, isStopped }: JoinedRow): Promise<string> {
  // New files under the numbers of the day: the copy was not made from these.
  for (const entity of ['BFEKrydsreference', 'Ejendomsvurdering', 'Vurderingsejendom'] as const) {
    if (register === 'vurdering') bench.shelf.renew(entity);
  }
  bench.shelf.spoil(tables);
  bench.upstream.protection.spoil(pages);
  if (isStopped === true) await bench.upstream.pause();
  try {
    const { state } = await syncLayer(bench.deps, register, { trigger: 'command' });
    return state === 'published' || state === 'unchanged' ? 'mirrored' : state;
  } finally {
    if (isStopped === true) await bench.upstream.resume();
  }
}

const ROWS = Object.entries(JOINED_ROWS);
const NEVER = ROWS.filter(([, { sync }]) => sync !== 'mirrored');

test.each(NEVER)('%s, before anything is mirrored', async (_id, row) => {
  expect(await play(row)).toBe(row.sync);
  expect(await told()).toEqual({ vurdering: 'absent', fredning: null, detail: 503 });
});

describe('behind a copy', () => {
  let before: Awaited<ReturnType<typeof told>>;
  beforeAll(async () => {
    for (const id of ['vurdering', 'fbb'] as const) {
      expect(await syncLayer(bench.deps, id, { trigger: 'command' })).toMatchObject({
        state: 'published',
      });
    }
    before = await told();
    expect(before).toMatchObject({
      vurdering: { antal_vurderingsejendomme: 1, seneste: { aar: 2024 } },
      fredning: { fredet: true, status: 1, bevaringsvaerdi: 2 },
    });
  });

  test.each(NEVER)('%s', async (_id, row) => {
    expect(await play(row)).toBe(row.sync);
    expect(await told()).toEqual(before);
  });

  test('vur-unknown-codes', async () => {
    // Every row says something else: an operator has to agree.
    const row = JOINED_ROWS['vur-unknown-codes']!;
    expect(await play(row)).toBe('refused');
    const lifted = await syncLayer(bench.deps, 'vurdering', {
      ...{ trigger: 'command', liftedGuards: ['change-share'] },
    });
    expect(lifted).toMatchObject({ state: 'published' });
    const { detail, vurdering } = await told();
    expect(detail).toContain('"benyttelse":{"kode":"ZZ","tekst":"Ukendt kode"}');
    expect(vurdering).toEqual(before.vurdering);
  });

  test('fbb-unknown-codes', async () => {
    expect(await play(JOINED_ROWS['fbb-unknown-codes']!)).toBe('mirrored');
    // The other row of the building still is of the list.
    expect(await told()).toMatchObject({ fredning: null });
  });
});
