/** Any sequence of edits at the source: the diff counts them and the mirror ends equal to it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIFTABLE_GUARDS } from '../../sync/check.ts';
import { keyOf } from '../../sample/holdings.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { amountOf } from '../support/run-settings.ts';
import { opened } from '../support/opened.ts';

const LAYER = 'aa';

const bench = await opened(openSyncBench());
await bench.sync(LAYER);
const keys = (await mirror()).map(([key]) => key);

async function mirror(): Promise<[key: string, link: string | null][]> {
  const { rows } = await bench.store.pool.query<{ key: string; link: string | null }>(
    `select key, attributes->>'documentUrl' as link from line_feature where layer = $1 order by key`,
    [LAYER],
  );
  return rows.map(({ key, link }) => [key, link]);
}

/** What the source shall hold: each key absent, or present with a link of that number. */
const wanted = fc.array(fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }), {
  minLength: 60,
  maxLength: 60,
});

/** What is asked for here is wilder than any guard lets pass. */
const LIFTED = LIFTABLE_GUARDS;

function offer(desired: ReadonlyMap<string, string>): void {
  bench.upstream.holdings.restore(LAYER);
  bench.upstream.holdings.edit(LAYER, (features) =>
    features.flatMap((feature) => {
      const Link = desired.get(keyOf(LAYER, feature) ?? '');
      return Link === undefined
        ? []
        : [{ ...feature, properties: { ...feature.properties, Link } }];
    }),
  );
}

test('the diff counts every edit, the mirror ends equal to the source, and a second run finds nothing', async () => {
  await fc.assert(
    fc.asyncProperty(wanted, async (numbers) => {
      const desired = new Map(
        keys.flatMap((key, at): [string, string][] => {
          const number = numbers[at] ?? null;
          return number === null ? [] : [[key, `https://example.org/${number}`]];
        }),
      );
      const before = new Map(await mirror());
      const expected = {
        inserted: [...desired.keys()].filter((key) => !before.has(key)).length,
        changed: [...desired].filter(([key, link]) => before.has(key) && before.get(key) !== link)
          .length,
        removed: [...before.keys()].filter((key) => !desired.has(key)).length,
      };
      offer(desired);
      const total = expected.inserted + expected.changed + expected.removed;
      const first = await bench.sync(LAYER, { liftedGuards: LIFTED });
      expect(first).toMatchObject({
        state: total === 0 ? 'unchanged' : 'published',
        counts: expected,
      });
      expect(new Map(await mirror())).toEqual(desired);
      const second = await bench.sync(LAYER, { liftedGuards: LIFTED });
      expect(second).toMatchObject({ state: 'unchanged' });
    }),
    { numRuns: amountOf({ gate: 5, night: 12 }) },
  );
});
