/** The addresses of the sample, mirrored from its file downloads. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunOutcome } from '../../sync/deps.ts';
import { KNOWN_ADDRESS } from '../../sync/sample/data/addresses.ts';
import { openAddressBench } from './addresses-bench.ts';
import type { AddressBench } from './addresses-bench.ts';

let bench: AddressBench;
let first: RunOutcome;
beforeAll(async () => {
  bench = await openAddressBench();
  first = await bench.sync();
});
afterAll(() => bench.close());

describe('a first sync', () => {
  test('publishes the tables whole, under one version', async () => {
    console.log(JSON.stringify(first));
    expect(first.state).toBe('published');
    console.log(await bench.column("select relname from pg_class where relname like 'address%' order by 1"));
    console.log(await bench.column("select row_to_json(t)::text from address_access t where id='" + KNOWN_ADDRESS.accessId + "'"));
    console.log(await bench.column("select row_to_json(t)::text from address_former t limit 5"));
    console.log(await bench.column("select row_to_json(t)::text from address_source t"));
    const again = await bench.sync();
    console.log(JSON.stringify(again));
  });
});
