/** One account keeps 14 workbooks on their way to three threads; how long another's single one takes beside them. */
import { loadavg } from 'node:os';
import { writeXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { WORKBOOK_TYPE } from '../../src/http/v1/jobs/file-schema.ts';
import { accountBench } from '../account/accounts-fixture.ts';
import { openThreadedService } from '../support/threaded-service.ts';
import type { ThreadedService } from '../support/threaded-service.ts';

const HOG = 14;
const TRIES = 30;

describe.runIf(inject('storeTemplate').kind === 'postgres')('workbooks of two accounts', () => {
  let threaded: ThreadedService;
  beforeAll(async () => {
    threaded = await openThreadedService(3);
  });
  afterAll(() => threaded.close());

  async function sender(): Promise<(payload: Buffer) => Promise<{ status: number; ms: number }>> {
    const accounts = accountBench(threaded.bench.store);
    const id = await accounts.account('business');
    const { secret } = await accounts.key(id, { environment: 'live', permission: 'jobs' });
    const authorization = `Bearer ${secret}`;
    const made = await fetch(`${threaded.base}/v1/jobs`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ kind: 'dagi', columns: { x: 'x', y: 'y' }, srid: 25832, start: false },
      }),
    });
    const { job } = (await made.json()) as { job: { id: string } };
    return async (payload) => {
      const startedMs = performance.now();
      const answer = await fetch(`${threaded.base}/v1/jobs/${job.id}/rows`, {
        method: 'POST',
        headers: { authorization, 'content-type': WORKBOOK_TYPE },
        body: new Uint8Array(payload),
      });
      await answer.arrayBuffer();
      return { status: answer.status, ms: performance.now() - startedMs };
    };
  }

  const workbook = async (rows: number, salt: number): Promise<Buffer> => {
    const cells = Array.from({ length: rows }, (_, n) => [645_003 + n / 8, 6_312_000 + salt]);
    const sheets = [{ name: 'Ark1', rows: [['x', 'y'], ...cells] }];
    return Buffer.from(await writeXlsx({ sheets }));
  };

  test('one waits at most for a part of what another has', async () => {
    const [hog, bystander] = [await sender(), await sender()];
    const large = await workbook(4_000, 0);
    const measure = async (salt: number): Promise<number> => {
      const took: number[] = [];
      for (let n = 0; n < TRIES; n += 1) {
        const { status, ms } = await bystander(await workbook(4_000, salt + n));
        expect(status).toBe(200);
        took.push(ms);
      }
      return Math.max(...took);
    };
    await measure(1_000);
    const alone = await measure(2_000);
    const stop = new AbortController();
    const statuses: number[] = [];
    const flood = Array.from({ length: HOG }, async () => {
      while (!stop.signal.aborted) statuses.push((await hog(large)).status);
    });
    const beside = await measure(3_000);
    stop.abort();
    await Promise.all(flood);
    const figures = {
      aloneMs: Math.round(alone),
      besideMs: Math.round(beside),
      times: beside / alone,
    };
    console.log(JSON.stringify({ ...figures, hog: statuses.length, load: loadavg()[0] }));
    expect(figures.times).toBeLessThan(3);
  });
});
