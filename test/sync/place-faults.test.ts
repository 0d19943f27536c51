/**
 * The rows of the fault matrix about place names: on a store that never had them, and behind a copy of
 * them. What is told is then what it was, and never an empty list or a 404 that nobody said.
 */
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { CENTRE } from '../../sample/data/island.ts';
import { KNOWN_PLACE, PLACE_ENTITIES } from '../../sample/registers/places/rows.ts';
import { syncLayer } from '../../sync/run.ts';
import { PLACE_ROWS } from '../faults/matrix-places.ts';
import type { PlaceRow } from '../faults/matrix-places.ts';
import { openPlaceService } from '../support/place-service.ts';
import { opened } from '../support/opened.ts';

const service = await opened(openPlaceService());
afterEach(() => service.shelf.spoil());

const PATHS = [
  '/v1/stednavne?q=midtby',
  `/v1/stednavne/${KNOWN_PLACE.town.id}`,
  `/v1/stednavne/reverse?x=${CENTRE.x}&y=${CENTRE.y}&srid=25832`,
];

/** Status and body of every question. */
async function told(): Promise<readonly (readonly [number, string])[]> {
  await service.loader.refresh();
  const answers = await Promise.all(PATHS.map((path) => service.get(path)));
  return answers.map(({ statusCode, body }) => [statusCode, statusCode === 200 ? body : '']);
}

async function play({ tables, isStopped }: PlaceRow): Promise<string> {
  // New files under the numbers of the day: the copy was not made from these.
  for (const entity of PLACE_ENTITIES) service.shelf.renew(entity);
  service.shelf.spoil(tables);
  if (isStopped === true) await service.upstream.pause();
  try {
    const { state } = await service.sync('stednavne');
    return state === 'published' || state === 'unchanged' ? 'mirrored' : state;
  } finally {
    if (isStopped === true) await service.upstream.resume();
  }
}

const ROWS = Object.entries(PLACE_ROWS);
const NEVER = ROWS.filter(([, { sync }]) => sync !== 'mirrored');

test.each(NEVER)('%s, before anything is mirrored', async (_id, row) => {
  expect(await play(row)).toBe(row.sync);
  expect(await told()).toEqual(PATHS.map(() => [503, '']));
});

describe('behind a copy', () => {
  let before: Awaited<ReturnType<typeof told>>;
  beforeAll(async () => {
    expect((await service.sync('stednavne')).state).toBe('published');
    before = await told();
    expect(before.map(([status]) => status)).toEqual([200, 200, 200]);
  });

  test.each(NEVER)('%s', async (_id, row) => {
    expect(await play(row)).toBe(row.sync);
    expect(await told()).toEqual(before);
  });

  test('ds-unknown-codes', async () => {
    const row = PLACE_ROWS['ds-unknown-codes']!;
    // Every row says something else: an operator has to agree.
    expect(await play(row)).toBe('refused');
    const lifted = await syncLayer(service.deps, 'stednavne', {
      ...{ trigger: 'command', liftedGuards: ['change-share'] },
    });
    expect(lifted).toMatchObject({ state: 'published' });
    for (const [status, body] of await told()) {
      expect(status).toBe(200);
      expect(body).toContain('"navnestatus":"prøvet"');
    }
  });
});
