/** A service whose machine's clock jumps, over a store that keeps the time. */
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { samplePoint } from '../../sample/points.ts';
import { openDatedService } from '../support/dated-service.ts';
import { opened } from '../support/opened.ts';
import { openSyncBench } from '../support/sync-bench.ts';
import { runAdmin } from './admin-run.ts';

const DAY_MS = 24 * 3_600_000;

test('signs nobody out, and bills the month and shows the age that the database says', async () => {
  const bench = await opened(openSyncBench());
  await bench.sync('skov');
  const { store, deps } = bench;
  const service = await openDatedService({
    ...{ store, deps: { ...deps, clock: systemClock }, open: false },
    settings: { LOOKUPS: 'store' },
  });
  const ask = (method: 'GET' | 'POST', url: string, rest = {}) =>
    service.app.inject({ method, url, ...rest });
  const admin = (...argv: readonly string[]) => runAdmin(store, argv);
  const created = await admin('account', 'create', '--name', 'A', '--email', 'a@example.dk');
  const { id } = created.value as { id: string };
  const minted = await admin('key', 'mint', 'a@example.dk', '--name', 'k');
  const { secret } = minted.value as { secret: string };
  const { token: link } = await service.accounts.sessions.newLink(id);
  const signedIn = await ask('POST', '/v1/me/session', { payload: { link } });
  const headers = { cookie: String(signedIn.headers['set-cookie']).split(';')[0]! };
  const { lon, lat } = samplePoint('forest').wgs84;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 40 * DAY_MS });
  try {
    expect((await ask('GET', '/v1/me/keys', { headers })).statusCode).toBe(200);
    const key = { authorization: `Bearer ${secret}` };
    const url = `/v1/natur/byggelinjer?lon=${lon}&lat=${lat}`;
    const lookup = (await ask('GET', url, { headers: key })).json<{
      linjer: Record<string, { status: string }>;
    }>();
    expect(lookup.linjer['skov']).toMatchObject({ status: 'ok' });
    await service.metering.fold();
  } finally {
    vi.useRealTimers();
  }
  const { rows } = await store.pool.query<{ days: number }>(
    'select abs(extract(epoch from now() - at)) / 86400 as days from usage_line',
  );
  expect(rows.map(({ days }) => Math.round(days))).toEqual([0]);
  await service.close();
});
