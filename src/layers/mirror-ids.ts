/** Everything mirrored, conditions too: apart from the keys, which pages load. */
import { CONDITION_IDS } from './conditions/index.ts';
import { LAYER_IDS, REGISTER_IDS } from './keys.ts';
import type { LayerId, MirrorId } from './keys.ts';

/** Everything that is mirrored as features. */
export const FEATURE_IDS: readonly LayerId[] = [...LAYER_IDS, ...CONDITION_IDS];

export const MIRROR_IDS: readonly MirrorId[] = [...LAYER_IDS, ...REGISTER_IDS, ...CONDITION_IDS];
