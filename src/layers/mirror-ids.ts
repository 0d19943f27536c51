/** Not in keys.ts, which pages load. */
import { CONDITION_IDS } from './conditions/index.ts';
import { LAYER_IDS, REGISTER_IDS, memberOf } from './keys.ts';
import type { LayerId, MirrorId } from './keys.ts';

export const FEATURE_IDS: readonly LayerId[] = [...LAYER_IDS, ...CONDITION_IDS];

export const MIRROR_IDS: readonly MirrorId[] = [...LAYER_IDS, ...REGISTER_IDS, ...CONDITION_IDS];

export const isMirrorId = memberOf(MIRROR_IDS);
