/** Streams of events that stay open: however many others have, an innocent account gets its own. */
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JOB_LIMITS } from '../../src/jobs/limits.ts';
import { attacked, bearer } from './attacked.ts';
import type { Attacked } from './attacked.ts';

const { process: inAll, account: ofOne } = JOB_LIMITS.streams;

let service: Attacked;
// Each test asks for all the streams there are.
beforeEach(async () => {
  service = await attacked();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => service.close());

/** A new account's key, and the address of the events of its job. */
async function watcher(): Promise<{ readonly secret: string; readonly url: string }> {
  const { id } = await service.customer('business');
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

test('as many accounts as there are places, with one stream each, do not shut another out', async () => {
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
}, 180_000);

test('ten accounts with all the streams there are do not shut an eleventh out', async () => {
  const over = new AbortController();
  const { signal } = over;
  const open = ({ secret, url }: Awaited<ReturnType<typeof watcher>>) =>
    fetch(url, { headers: bearer(secret), signal });
  const first = async (response: Response): Promise<string> => {
    for await (const chunk of response.body!) return Buffer.from(chunk).toString('utf8');
    return '';
  };
  for (let n = 0; n < inAll / ofOne; n++) {
    const account = await watcher();
    const answers = await Promise.all(Array.from({ length: ofOne }, () => open(account)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await open(account)).status).toBe(429);
  }
  const innocent = await watcher();
  for (let n = 0; n < 3; n++) {
    const answer = await open(innocent);
    expect(answer.status).toBe(200);
    expect(await first(answer)).toContain('retry:');
  }
  over.abort();
});
