import { parseDownload } from '../src/downloads/parse.ts';
import type { ParseDownloadTask } from '../src/downloads/parse.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';
import type { ParsedPage } from '../src/wfs/page.ts';
import { packPage } from './pool-pack.ts';

export default function run(task: ParseDownloadTask): ParsedPage | Refused {
  return packPage(() => parseDownload(task));
}
