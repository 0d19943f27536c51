import { handOver } from '../src/core/tasks/pool-move.ts';
import type { Refused } from '../src/core/tasks/protocol.ts';
import type { EncodedFeature, ParsedPage } from '../src/wfs/page.ts';
import { PageRefused } from '../src/wfs/read-feature.ts';

export function packPage(parse: () => ParsedPage): ParsedPage | Refused {
  try {
    const page = parse();
    const { arena, features } = packFeatures(page.features);
    return handOver<ParsedPage>({ ...page, features }, [arena]);
  } catch (error) {
    if (!(error instanceof PageRefused)) throw error;
    return { refused: error.message };
  }
}

/** One buffer with views per feature: one transfer instead of thousands. */
function packFeatures(features: readonly EncodedFeature[]): {
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
