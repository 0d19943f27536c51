/** The service held to its own document; `npm run fuzz` sends as many requests as it is told. */
import { expect, test } from 'vitest';
import { openMirroredStore } from '../support/mirrored-store.ts';
import { TEST_SEED, amountOf } from '../support/run-settings.ts';
import { describeFinding, fuzz } from './fuzz.ts';
import { openTarget } from './target.ts';
import { opened } from '../support/opened.ts';

const COUNT =
  process.env['TEST_STORE'] === 'postgres' ? amountOf({ gate: 400, night: 20_000 }) : 2_000;

const target = await opened(openTarget(await openMirroredStore('layers'), { isMirrored: true }));

test('no request made from the document finds an answer it does not promise', async () => {
  const seed = String(TEST_SEED);
  const { requests, findings, statuses } = await fuzz({ ...target, seed, from: 0, to: COUNT });
  console.log(`seed ${seed}: ${requests} requests, ${findings.length} findings`);
  expect(findings.slice(0, 5).map((finding) => describeFinding(finding, seed))).toEqual([]);
  // It is no use when nothing is answered.
  expect(statuses.get(200)).toBeGreaterThan(COUNT / 10);
  for (const status of [400, 401, 404]) expect(statuses.get(status)).toBeGreaterThan(0);
});
