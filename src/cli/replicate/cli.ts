import { parseArgs } from 'node:util';
import { loadClientConfig } from '../../config.ts';
import { Service } from '../job-client/service.ts';
import { follow, prove } from './follow.ts';
import { openCopy } from './store.ts';
import type { Copy } from './store.ts';

const USAGE = `npm run replicate -- --to postgres://… [--register adresser,postnummer] [--follow] [--prove]

  --to        the database of the copy: rows are in copy_row, by register, entity and key
  --register  keys as in /v1/status, with commas; as the copy was begun with, else all that the key may read
  --follow    goes on for ever, each wait up to 30 s
  --prove     at the end compares every row with an extract

GEOOPSLAG_URL and GEOOPSLAG_KEY say where and by which key. Killed at any time, it goes on where it was.`;

const { values } = parseArgs({
  options: {
    ...{ to: { type: 'string' }, register: { type: 'string' }, help: { type: 'boolean' } },
    ...{ follow: { type: 'boolean' }, prove: { type: 'boolean' } },
  },
});

const { url, key } = loadClientConfig();
if (values.help === true || values.to === undefined || key === null) {
  console.log(
    values.help === true || key !== null ? USAGE : `${USAGE}\n\nGEOOPSLAG_KEY is not set.`,
  );
  process.exitCode = values.help === true ? 0 : 2;
} else process.exitCode = await main(values.to, key);

async function main(to: string, secret: string): Promise<number> {
  const say = (message: string): void => console.log(message);
  const service = new Service({ url, key: secret, onTrouble: say });
  let copy: Copy | null = null;
  try {
    copy = await openCopy(to);
    const registers = values.register?.split(',').map((name) => name.trim());
    await follow({ service, copy, say }, { registers, isEndless: values.follow === true });
    return values.prove === true && !(await prove({ service, copy, say })) ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await copy?.close();
  }
}
