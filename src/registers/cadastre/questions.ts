/**
 * The cadastre property: 503 until the cadastre has a published version (D58), then what it has
 * (D90). Parcels by point, number and text (D150).
 */
import { unitsOfFound } from '../../core/question/answers.ts';
import { question } from '../../core/question/question.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { cadastreText } from './answer.ts';
import type { CadastreLookups } from './compose.ts';
import { parcelsText } from './parcel-answer.ts';
import { noSuchParcel } from './parcel-lookup.ts';
import { numberOf, questionOf } from './parcel-question.ts';
import { cadastrePropertyShape, parcelShape, parcelsShape } from './schema.ts';

const property = question(cadastrePropertyShape, {
  path: '/v1/matrikel/ejendom/:bfe',
  area: 'bbr',
  ask: async ({ cadastre }: CadastreLookups, { bfe }) => {
    const value = await cadastre.find(bfe);
    return { value, facts: value, units: 1 };
  },
  json: cadastreText,
});

const parcels = question(parcelsShape, {
  path: '/v1/matrikel/jordstykke',
  area: 'bbr',
  ask: async (ground: CadastreLookups, given) => {
    const { page, ask } = questionOf(given);
    const answer = await ask(ground.parcels);
    const units = unitsOfFound(answer.parcels.length, ground.coverage);
    return { value: { answer, page }, facts: answer, units };
  },
  json: ({ answer, page }, { coverage }) => {
    if (page === null) return parcelsText(answer, coverage);
    const { side, perPage } = page;
    const shown = answer.parcels.slice((side - 1) * perPage, side * perPage);
    const counts = `"side":${side},"per_side":${perPage},`;
    return parcelsText({ ...answer, parcels: shown }, coverage, counts);
  },
  atOnce: {
    isReady: (ground) => ground.parcels.isReady(),
    answer: (ground, point, to) => {
      const answer = ground.parcels.tryAtSync(point);
      if (answer === null) return null;
      to.text(parcelsText(answer, ground.coverage));
      return { facts: answer, units: unitsOfFound(answer.parcels.length, ground.coverage) };
    },
  },
});

const parcel = question(parcelShape, {
  path: '/v1/matrikel/jordstykke/:ejerlav/:matrikelnummer',
  area: 'bbr',
  ask: async (ground: CadastreLookups, { ejerlav, matrikelnummer }) => {
    const value = await ground.parcels.withNumber(ejerlav, numberOf(matrikelnummer));
    if (value.parcels.length > 0) return { value, facts: value, units: 1 };
    throw unknownTo(ground.coverage, noSuchParcel(ejerlav, matrikelnummer));
  },
  json: (value, { coverage }) => parcelsText(value, coverage),
});

export const CADASTRE_QUESTIONS = [property, parcels, parcel];
