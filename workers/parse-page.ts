import { parsePage } from '../src/wfs/parse-page.ts';
import type { ParsePageTask, ParsedPage } from '../src/wfs/page.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';
import { packPage } from './pool-pack.ts';

export default function run(task: ParsePageTask): ParsedPage | Refused {
  return packPage(() => parsePage(task));
}
