import type { Composed, Register, RegisterParts } from '../../core/register.ts';
import { CONDITION_LAYERS } from '../../layers/catalogue.ts';
import { HOSTS_OF_CONDITIONS } from '../../layers/condition-hosts.ts';
import { SOURCE_WORDS } from '../../layers/words.ts';
import { sourceNameOf } from '../../answers/sources.ts';
import { cadastre } from '../cadastre/register.ts';
import { lines } from '../lines/register.ts';
import { property } from '../property/register.ts';
import { metaOf } from './answer.ts';
import { describedLayers } from './described.ts';
import { CONDITION_REGISTER_LAYERS } from './layers.ts';
import { AREA_QUESTIONS, AREA_SCHEMAS } from './area-questions.ts';
import { BATCH_QUESTION, CONDITION_SCHEMAS, POINT_QUESTION } from './questions.ts';
import { forhold } from './job.ts';
import { createConditions } from './register-lookups.ts';
import type { ConditionLookups } from './register-lookups.ts';
import { composeConditionTiles } from './tiles.ts';
import { soundnessOf } from './sound.ts';
import { readPlaces } from './store.ts';

/** `meta.kilde`: each condition names its own. */
const SOURCES = HOSTS_OF_CONDITIONS.map((host) =>
  host === 'portal' ? 'Danmarks Miljøportal' : SOURCE_WORDS[host].da,
).join(', ');

export const conditions: Register<ConditionLookups> = {
  name: 'conditions',
  joins: [lines, cadastre, property],
  mirrors: CONDITION_LAYERS,
  layers: CONDITION_REGISTER_LAYERS,
  document: {
    tags: [{ name: 'forhold', description: 'Plans, zone, soil, water, supply and nature' }],
    schemas: [...CONDITION_SCHEMAS, ...AREA_SCHEMAS],
    folder: import.meta.dirname,
  },
  questions: [{ ...POINT_QUESTION, jobKinds: [forhold] }, BATCH_QUESTION, ...AREA_QUESTIONS],
  compose: composeConditions,
};

function composeConditions(parts: RegisterParts): Composed<ConditionLookups> {
  const { catalogue, clock, lands, onExpired, searchRadiusM, store, watcher } = parts;
  return {
    tiles: composeConditionTiles(parts),
    lookups: {
      conditions: createConditions({
        ...{ clock, lands, onExpired, searchRadiusM, watcher },
        described: describedLayers(catalogue),
        buildingLines: parts.lookupsOf(lines).buildingLines,
        meta: metaOf(sourceNameOf(SOURCES, parts)),
        ground: { ...parts.lookupsOf(cadastre), ...parts.lookupsOf(property) },
        memory: parts.layers,
        read: (question) => readPlaces(store, question),
        isSound: soundnessOf(parts.workers),
      }),
    },
  };
}
