/** OWASP API6:2023, unrestricted access to sensitive business flows: more keys are not more service. */
import { expect, test } from 'vitest';
import { TEN, attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';
import { expectError } from '../edge/edge.ts';

const service = await opened(attacked());

test('many keys of one account share one burst', async () => {
  const mallory = await service.customer('free');
  const secrets = [mallory.secret];
  for (let i = 0; i < 9; i++) {
    secrets.push((await service.bench.key(mallory.id, { environment: 'live' })).secret);
  }
  const started = performance.now();
  const answers = await Promise.all(
    secrets.flatMap((secret) =>
      Array.from({ length: 5 }, () => service.app.inject({ url: TEN, headers: bearer(secret) })),
    ),
  );
  const served = answers.filter(({ statusCode }) => statusCode === 200).length;
  // Ten at once, and five more a second (D60) while they are asked.
  const elapsedS = (performance.now() - started) / 1_000;
  expect(served).toBeLessThanOrEqual(10 + Math.ceil(5 * elapsedS));
  for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
    expectError(answer, 'rate_limited');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  }
  await service.metering.fold();
  const { rows } = await service.store.pool.query<{ used: number }>(
    'select used::integer as used from usage_month where account_id = $1',
    [mallory.id],
  );
  expect(rows).toEqual([{ used: served }]);
});

test('an allowance is not doubled by asking both at once', async () => {
  const mallory = await service.customer('free');
  await service.store.pool.query(
    `insert into usage_month (account_id, environment, month, used)
     values ($1, 'live', date_trunc('month', now() at time zone 'Europe/Copenhagen')::date, 997)`,
    [mallory.id],
  );
  const statuses: number[] = [];
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        service.app.inject({ url: TEN, headers: bearer(mallory.secret) }),
      ),
    );
    statuses.push(...answers.map(({ statusCode }) => statusCode));
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(15);
});
