import type { LayerId } from '../../src/layers/keys.ts';
import type { LayersAhead, RegisterLayers } from '../../src/core/register-layers.ts';
import { LAYERS } from '../../src/registers.ts';

/** Throws where no register has the layer. */
export function layersOf(layer: LayerId): RegisterLayers {
  const found = LAYERS.find(({ layers }) => layers.includes(layer));
  if (found === undefined) throw new Error(`No register has the layer ${layer}.`);
  return found;
}

/** Throws where the layer has no dates. */
export function aheadOf(layer: LayerId): LayersAhead {
  const { ahead } = layersOf(layer);
  if (ahead === undefined) throw new Error(`${layer} has no dates.`);
  return ahead;
}
