import { Failure } from '../../../kernel/failures.ts';
import { MIRROR_IDS } from '../../../layers/mirror-ids.ts';
import type { MirrorId } from '../../../layers/keys.ts';

/** Throws the Failure (404) for an unknown name. */
export function layerNamed(name: string): MirrorId {
  const layer = MIRROR_IDS.find((id) => id === name);
  if (layer !== undefined) return layer;
  throw new Failure('not_found', {
    error: `There is no layer ${JSON.stringify(name.slice(0, 40))}. See /v1/status.`,
    errorDa: `Der findes intet lag ${JSON.stringify(name.slice(0, 40))}. Se /v1/status.`,
  });
}
