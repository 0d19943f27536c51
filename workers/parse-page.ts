/** Worker task: one upstream answer to encoded features (src/wfs/parse-page.ts). */
import { parsePage } from '../src/wfs/parse-page.ts';
import { PageRefused } from '../src/wfs/read-feature.ts';
import { handOver } from './pool-move.ts';
import type { EncodedFeature, ParsePageTask, ParsedPage, Refused } from './protocol.ts';

export default function run(task: ParsePageTask): ParsedPage | Refused {
  try {
    const page = parsePage(task);
    const { arena, features } = pack(page.features);
    const result: ParsedPage = { ...page, features };
    return handOver(result, [arena]);
  } catch (error) {
    if (!(error instanceof PageRefused)) throw error;
    return { refused: error.message };
  }
}

/**
 * All geometries and hashes of a page in one buffer, each feature holding views of it: one transfer
 * instead of thousands.
 */
function pack(features: readonly EncodedFeature[]): {
  arena: ArrayBuffer;
  features: EncodedFeature[];
} {
  let size = 0;
  for (const { wkb, hash } of features) size += wkb.length + hash.length;
  const arena = new ArrayBuffer(size);
  let at = 0;
  const place = (bytes: Uint8Array): Uint8Array => {
    const view = new Uint8Array(arena, at, bytes.length);
    view.set(bytes);
    at += bytes.length;
    return view;
  };
  return {
    arena,
    features: features.map((feature) => ({
      ...feature,
      wkb: place(feature.wkb),
      hash: place(feature.hash),
    })),
  };
}
