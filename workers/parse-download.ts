import { parseDownload } from '../src/downloads/parse.ts';
import { PageRefused } from '../src/wfs/read-feature.ts';
import { packFeatures } from './pool-pack.ts';
import { handOver } from '../src/core/tasks/pool-move.ts';
import type { ParseDownloadTask } from '../src/downloads/parse.ts';
import type { ParsedPage } from '../src/wfs/page.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';

export default function run(task: ParseDownloadTask): ParsedPage | Refused {
  try {
    const page = parseDownload(task);
    const { arena, features } = packFeatures(page.features);
    const result: ParsedPage = { ...page, features };
    return handOver(result, [arena]);
  } catch (error) {
    if (!(error instanceof PageRefused)) throw error;
    return { refused: error.message };
  }
}
