/**
 * Streams of events that stay open: however many others have, an innocent account gets its own. Whose is ended for
 * whom: test/unit/open-streams.test.ts.
 */
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { attacked, bearer } from './attacked.ts';
import { opened } from '../support/opened.ts';

const { process: inAll, account: ofOne } = JOB_LIMITS.streams;

const service = await opened(attacked());
await service.app.listen({ port: 0, host: '127.0.0.1' });

/** A new account's key, and the address of the events of its job. */
async function watcher(): Promise<{ readonly secret: string; readonly url: string }> {
  const id = await service.bench.account('business');
  const { secret } = await service.bench.key(id, { environment: 'live', permission: 'jobs' });
  const made = await service.app.inject({
    method: 'POST',
    url: '/v1/jobs',
    headers: bearer(secret),
    payload: { kind: 'dagi', start: false },
  });
  const { job } = made.json<{ job: { id: string } }>();
  const { port } = service.app.server.address() as AddressInfo;
  return { secret, url: `http://127.0.0.1:${port}/v1/jobs/${job.id}/events` };
}

test('as many accounts as there are places, with one stream each, do not shut another out, and none has more than its share', async () => {
  const over = new AbortController();
  const { signal } = over;
  const ends: number[] = [];
  const open = async ({ secret, url }: Awaited<ReturnType<typeof watcher>>, n: number) => {
    const answer = await fetch(url, { headers: bearer(secret), signal });
    expect(answer.status).toBe(200);
    const reader = answer.body!.getReader();
    await reader.read();
    const toTheEnd = async (): Promise<void> => {
      while (!(await reader.read()).done);
      ends.push(n);
    };
    toTheEnd().catch(() => undefined);
  };
  for (let n = 0; n < inAll; n++) await open(await watcher(), n);
  const innocent = await watcher();
  await open(innocent, inAll);
  await expect.poll(() => ends).toEqual([0]);
  // A second one, while all others have one, would be at their cost.
  expect((await fetch(innocent.url, { headers: bearer(innocent.secret), signal })).status).toBe(
    429,
  );
  over.abort();

  const greedy = await watcher();
  const ended = new AbortController();
  const asked = { headers: bearer(greedy.secret), signal: ended.signal };
  const statusOfNext = async () => (await fetch(greedy.url, asked)).status;
  for (let n = 0; n < ofOne; n++) await expect.poll(statusOfNext).toBe(200);
  expect(await statusOfNext()).toBe(429);
  ended.abort();
}, 180_000);
