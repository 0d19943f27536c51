import { parsePage } from '../src/wfs/parse-page.ts';
import { PageRefused } from '../src/wfs/read-feature.ts';
import { handOver } from '../src/core/tasks/pool-move.ts';
import { packFeatures } from './pool-pack.ts';
import type { ParsePageTask, ParsedPage } from '../src/wfs/page.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';

export default function run(task: ParsePageTask): ParsedPage | Refused {
  try {
    const page = parsePage(task);
    const { arena, features } = packFeatures(page.features);
    const result: ParsedPage = { ...page, features };
    return handOver(result, [arena]);
  } catch (error) {
    if (!(error instanceof PageRefused)) throw error;
    return { refused: error.message };
  }
}
