/**
 * The rows of the fault matrix about assessments, listed buildings, place names and companies: on a store that never
 * had them, and behind a copy. What is told is then what it was, and never a no, an empty list or a 404 that nobody said.
 */
import { afterEach, describe, expect, test } from 'vitest';
import { Failure } from '../../src/kernel/failures.ts';
import type { RegisterId } from '../../src/layers/keys.ts';
import { assessmentText } from '../../src/registers/assessments/answer.ts';
import { createAssessments } from '../../src/registers/assessments/lookup.ts';
import { readAssessments } from '../../src/registers/assessments/store.ts';
import { companyText } from '../../src/registers/companies/answer.ts';
import { createCompanies } from '../../src/registers/companies/lookup.ts';
import { readCompany } from '../../src/registers/companies/store.ts';
import { createProperties } from '../../src/registers/property/lookup.ts';
import { propertyRecord } from '../../src/registers/property/record/record.ts';
import { readProperties } from '../../src/registers/property/store.ts';
import { CENTRE } from '../../sample/data/island.ts';
import type { SampleEntity } from '../../sample/data/tables.ts';
import { COMPANY_ENTITIES, KNOWN_COMPANY } from '../../sample/registers/companies/rows.ts';
import { PLACE_ENTITIES } from '../../sample/registers/places/rows.ts';
import { KNOWN_PROPERTY } from '../../sample/registers/property/buildings.ts';
import { syncLayer } from '../../sync/run.ts';
import { COMPANY_FILE_ROWS } from '../faults/matrix-companies.ts';
import { JOINED_ROWS } from '../faults/matrix-joined.ts';
import { PLACE_ROWS } from '../faults/matrix-places.ts';
import type { TableRow } from '../faults/matrix-tables.ts';
import { openPlaceService } from '../support/place-service.ts';
import { opened } from '../support/opened.ts';
import { oneIn } from '../support/run-settings.ts';
import { KNOWN_ASSESSMENT, KNOWN_PLACE } from '../support/known-island.ts';

const bench = await opened(openPlaceService());
const sync = async (register: RegisterId, liftedGuards: readonly string[] = []) =>
  (await syncLayer(bench.deps, register, { trigger: 'command', liftedGuards })).state;
for (const id of ['matrikel', 'bbr'] as const) expect(await sync(id)).toBe('published');
afterEach(() => {
  bench.shelf.spoil();
  bench.upstream.protection.spoil();
});

const common = () => ({ catalogue: bench.deps.catalogue, clock: bench.deps.clock });
const statusOf = (failure: unknown) => (failure as Failure).status;

/** Of a flat its assessments, and whether the block it is in is listed. */
async function toldOfProperty() {
  const { bfe } = KNOWN_ASSESSMENT;
  const { value } = await createProperties({
    ...common(),
    nameSources: (names) => names.join(', '),
    read: (asked) => readProperties(bench.store, asked),
    addresses: () => null,
    municipalities: () => ({ generation: null, read: () => Promise.resolve(null) }),
  }).find([bfe], null);
  const [answer] = value;
  if (answer === undefined || answer instanceof Failure) throw new Error('no record');
  const record = propertyRecord(answer.rows, answer.around);
  const block = record.bygninger.find(({ id }) => id === KNOWN_PROPERTY.blockId);
  const read = readAssessments(bench.store);
  const assessments = createAssessments({ ...common(), source: 'VUR', read });
  const { fredning } = block ?? {};
  return {
    vurdering: 'vurdering' in record ? record.vurdering : 'absent',
    fredning: fredning && { ...fredning, hentet: '' },
    detail: await assessments.find(bfe).then(assessmentText, statusOf),
  };
}

const PLACES = [
  '/v1/stednavne?q=midtby',
  `/v1/stednavne/${KNOWN_PLACE.town.id}`,
  `/v1/stednavne/reverse?x=${CENTRE.x}&y=${CENTRE.y}&srid=25832`,
];

async function toldOfPlaces(): Promise<unknown[]> {
  await bench.loader.refresh();
  const answers = await Promise.all(PLACES.map((path) => bench.get(path)));
  return answers.map(({ statusCode, body }) => (statusCode === 200 ? body : statusCode));
}

async function toldOfCompanies(): Promise<unknown[]> {
  const { number, protectedNumber, endedNumber, unknownNumber } = KNOWN_COMPANY;
  const companies = createCompanies({
    ...common(),
    source: 'CVR',
    read: readCompany(bench.store),
    origin: null,
  });
  return await Promise.all(
    [number, protectedNumber, endedNumber, unknownNumber].map((asked) =>
      companies.find(String(asked)).then(companyText, statusOf),
    ),
  );
}

const ENTITIES: Readonly<Partial<Record<RegisterId, readonly SampleEntity[]>>> = {
  vurdering: ['BFEKrydsreference', 'Ejendomsvurdering', 'Vurderingsejendom'],
  stednavne: PLACE_ENTITIES,
  cvr: COMPANY_ENTITIES,
};

async function play({ register, tables, pages, isStopped }: TableRow): Promise<string> {
  // New files under the numbers of the day: the copy was not made from these.
  for (const entity of ENTITIES[register] ?? []) bench.shelf.renew(entity);
  bench.shelf.spoil(tables);
  bench.upstream.protection.spoil(pages);
  if (isStopped === true) await bench.upstream.pause();
  try {
    const state = await sync(register);
    return state === 'published' || state === 'unchanged' ? 'mirrored' : state;
  } finally {
    if (isStopped === true) await bench.upstream.resume();
  }
}

const containing = (text: string) => expect.stringContaining(text) as unknown;
const ANSWERED = containing('{');

describe.each([
  {
    of: 'a property',
    ...{ rows: JOINED_ROWS, told: toldOfProperty, mirrors: ['vurdering', 'fbb'] as const },
    never: { vurdering: 'absent', fredning: null, detail: 503 },
    copy: {
      vurdering: { antal_vurderingsejendomme: 1, seneste: { aar: 2024 } },
      fredning: { fredet: true, status: 1, bevaringsvaerdi: 2 },
    },
  },
  {
    of: 'place names',
    ...{ rows: PLACE_ROWS, told: toldOfPlaces, mirrors: ['stednavne'] as const },
    ...{ never: [503, 503, 503], copy: [ANSWERED, ANSWERED, ANSWERED] },
  },
  {
    of: 'companies',
    ...{ rows: COMPANY_FILE_ROWS, told: toldOfCompanies, mirrors: ['cvr'] as const },
    never: [503, 503, 503, 503],
    copy: [
      ...[ANSWERED, containing('"reklamebeskyttet":true'), containing('"ophoersdato":"2023-')],
      404,
    ],
  },
])('what is told of $of', ({ rows, told, mirrors, never, copy }) => {
  const faults = Object.entries(rows).filter(([, row]) => row.sync !== 'mirrored');
  let before: unknown;

  // Nothing is published, whatever the fault: in the gate of some.
  test.each(oneIn(3, faults))('%s, before anything is mirrored', async (_id, row) => {
    expect(await play(row)).toBe(row.sync);
    expect(await told()).toEqual(never);
  });

  test('is there once it is mirrored', async () => {
    for (const register of mirrors) expect(await sync(register)).toBe('published');
    before = await told();
    expect(before).toMatchObject(copy);
  });

  test.each(faults)('%s, behind a copy', async (_id, row) => {
    expect(await play(row)).toBe(row.sync);
    expect(await told()).toEqual(before);
  });
});

/** Every row says something else: an operator has to agree. */
async function release(row: TableRow): Promise<void> {
  expect(await play(row)).toBe('refused');
  expect(await sync(row.register, ['change-share'])).toBe('published');
}

test('vur-unknown-codes', async () => {
  const before = await toldOfProperty();
  await release(JOINED_ROWS['vur-unknown-codes']!);
  const { detail, vurdering } = await toldOfProperty();
  expect(detail).toContain('"benyttelse":{"kode":"ZZ","tekst":"Ukendt kode"}');
  expect(vurdering).toEqual(before.vurdering);
});

test('fbb-unknown-codes', async () => {
  expect(await play(JOINED_ROWS['fbb-unknown-codes']!)).toBe('mirrored');
  // The other row of the building still is of the list.
  expect(await toldOfProperty()).toMatchObject({ fredning: null });
});

test('ds-unknown-codes', async () => {
  await release(PLACE_ROWS['ds-unknown-codes']!);
  const raw = containing('"navnestatus":"prøvet"');
  expect(await toldOfPlaces()).toEqual([raw, raw, raw]);
});
