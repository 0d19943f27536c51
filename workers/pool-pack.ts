import type { EncodedFeature } from '../src/wfs/page.ts';

/**
 * All geometries and hashes of a page in one buffer, with views per feature: one transfer instead
 * of thousands.
 */
export function packFeatures(features: readonly EncodedFeature[]): {
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
