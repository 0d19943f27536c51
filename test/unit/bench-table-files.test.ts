/** The files that benchmarks serve as the registers' own, read back by the program's reader. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeTable } from '../../bench/harness/table-files.ts';
import { openMember } from '../../src/downloads/unzip.ts';
import { LIMITS } from '../../src/kernel/limits.ts';
import { ownFolder } from '../support/opened.ts';
import { isHeavy } from '../support/run-settings.ts';

const dir = ownFolder('tables');

/** As the assessments of the whole country are. */
test.skipIf(!isHeavy)('a member above 4 GiB is read whole', async () => {
  const line = '0'.repeat(1024 * 1024 - 1);
  const count = 4 * 1024 + 8;
  const file = await writeTable(dir, {
    ...{ register: 'VUR', entity: 'Ejendomsvurdering', download: 'TotalDownload', format: 'csv' },
    ...{ generation: 690, contents: 'Bitemporal', head: 'id,text', foot: null },
    rows: (function* () {
      for (let n = 0; n < count; n += 1) yield line;
    })(),
  });
  expect(file.plainBytes).toBe(count * 1024 * 1024 + 'id,text\n'.length);
  using member = await openMember(join(dir, file.name), {
    ...{ extension: '.csv', stem: file.name.replace(/\.zip$/, '') },
    maxBytes: LIMITS.tableUnpackedBytes,
  });
  let bytes = 0;
  for await (const chunk of member.bytes()) bytes += chunk.length;
  expect(bytes).toBe(file.plainBytes);
});
