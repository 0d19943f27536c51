/** Addresses near points, by text, by id, and as somebody wrote them; postcodes (D3, D6). */
import { pointFromQuery } from '../../answers/coordinates.ts';
import { writeBatch } from '../../answers/batch-writer.ts';
import { JsonWriter } from '../../answers/json-writer.ts';
import type { WithTail } from '../../answers/register-meta.ts';
import { onlyAnswer, unitsOfAnswers, unitsOfFound } from '../../core/question/answers.ts';
import { pointCount, pointsOf } from '../../core/question/batch.ts';
import { codesOf, listOf } from '../../core/question/lists.ts';
import { question } from '../../core/question/question.ts';
import { LIMITS } from '../../kernel/limits.ts';
import {
  addressMembers,
  areasMember,
  successorsMember,
  suggestionText,
  writeNearest,
} from './answer.ts';
import type { AddressLookups } from './compose.ts';
import { candidateText } from './datavask-answer.ts';
import { writtenOf } from './datavask-question.ts';
import { datavaskShape } from './datavask-schema.ts';
import { filterOf } from './filter.ts';
import { postcodeOf } from './postcode-answer.ts';
import { postcodeShape, postcodesShape } from './postcode-schema.ts';
import {
  addressShape,
  autocompleteShape,
  reverseAddressBatchShape,
  reverseAddressShape,
  searchAddressesShape,
} from './schema.ts';

const DEPTHS = { vejnavn: 'road', adgangsadresse: 'access', adresse: 'unit' } as const;
const PER_PAGE = LIMITS.addressesPerPage.default;
const RADIUS_M = LIMITS.addressRadiusM.default;
const PAGES = { area: 'adresser', isForPages: true } as const;
const out = new JsonWriter();

/** A list of JSON texts between a head and the meta. */
function listText(head: string, texts: readonly string[], { tail }: WithTail): Buffer {
  out.begin().text(head);
  for (const [i, each] of texts.entries()) out.text(i > 0 ? `,${each}` : each);
  out.text(`]${tail}`);
  return out.take();
}

const reverse = question(reverseAddressShape, {
  path: '/v1/adresser/reverse',
  area: 'adresser',
  ask: async ({ addresses }: AddressLookups, { radius = RADIUS_M, ...place }) => {
    const point = pointFromQuery(place);
    const { value, ...facts } = await addresses.reverse.at([point], radius);
    return { value: { point, nearest: onlyAnswer(value) }, facts, units: 1 };
  },
  json: ({ point, nearest }, { tail }, { radius = RADIUS_M }) => {
    out.begin().ascii(`{"punkt":{"lon":${point.wgs84.lon},"lat":${point.wgs84.lat}}`);
    writeNearest(out, nearest);
    out.text(`,"radius":${radius}${tail}`);
    return out.take();
  },
});

const reverseBatch = question(reverseAddressBatchShape, {
  path: '/v1/adresser/reverse:batch',
  area: 'adresser',
  bodyLimit: LIMITS.bodyBytes.points,
  mostUnits: pointCount,
  ask: async ({ addresses }: AddressLookups, { punkter, radius = RADIUS_M }) => {
    const { items, points } = pointsOf(punkter);
    const { value: answers, ...facts } = await addresses.reverse.at(points, radius);
    return { value: { items, answers }, facts, units: unitsOfAnswers(answers) };
  },
  json: (batch, { meta }, { radius = RADIUS_M }) =>
    writeBatch(out, { ...batch, write: writeNearest, meta, more: `,"radius":${radius}` }),
});

const search = question(searchAddressesShape, {
  ...PAGES,
  path: '/v1/adresser',
  ask: ({ addresses, coverage }: AddressLookups, given) => {
    const { q, side = 1, per_side: perPage = PER_PAGE } = given;
    const asked = { text: q, limit: side * perPage, ...filterOf(given) };
    const { value, ...facts } = addresses.search.search(asked);
    const page = value.slice((side - 1) * perPage, side * perPage);
    return { value: page, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (page, ground, { side = 1, per_side: perPage = PER_PAGE }) => {
    const head = `{"antal":${page.length},"side":${side},"per_side":${perPage},"adresser":[`;
    return listText(
      head,
      page.map((hit) => `{${addressMembers(hit)}}`),
      ground,
    );
  },
});

const autocomplete = question(autocompleteShape, {
  ...PAGES,
  path: '/v1/adresser/autocomplete',
  ask: ({ addresses, coverage }: AddressLookups, given) => {
    const { q, caretpos, type = 'adresse', per_side: most } = given;
    const { value, ...facts } = addresses.search.suggest({
      text: q,
      caret: Math.min(caretpos ?? q.length, q.length),
      depth: DEPTHS[type],
      limit: most ?? PER_PAGE,
      ...filterOf(given),
    });
    return { value, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (found, ground) =>
    listText(`{"antal":${found.length},"forslag":[`, found.map(suggestionText), ground),
});

const one = question(addressShape, {
  ...PAGES,
  path: '/v1/adresser/:id',
  ask: async ({ addresses }: AddressLookups, { id }, asker) => {
    const { value, ...facts } = await addresses.search.find(id, asker);
    return { value, facts, units: 1 };
  },
  json: ({ hit, areas, successors }, { tail }) => {
    const members = addressMembers(hit) + successorsMember(successors) + areasMember(areas);
    out.begin().text(`{${members}${tail}`);
    return out.take();
  },
});

const datavask = question(datavaskShape, {
  ...PAGES,
  path: '/v1/datavask',
  ask: ({ addresses }: AddressLookups, { type, ...given }) => {
    const kind = type === undefined ? null : type === 'adgangsadresse' ? 'access' : 'unit';
    const { value, ...facts } = addresses.cleansing.cleanse(writtenOf(given), kind);
    // No match is not billed, like a failed row of a job (D62).
    return { value, facts, units: value.candidates.length > 0 ? 1 : 0 };
  },
  json: ({ category, candidates }, ground) => {
    const shown = category === null ? 'null' : `"${category}"`;
    return listText(`{"kategori":${shown},"resultater":[`, candidates.map(candidateText), ground);
  },
});

const postcodes = question(postcodesShape, {
  ...PAGES,
  path: '/v1/postnumre',
  ask: async ({ addresses, coverage }: AddressLookups, { nr, navn, kommunekode, q }) => {
    const { value, ...facts } = await addresses.postcodes.list({
      codes: codesOf('nr', nr),
      names: listOf('navn', navn),
      municipalityCodes: codesOf('kommunekode', kommunekode),
      text: q ?? null,
    });
    return { value, facts, units: unitsOfFound(value.length, coverage) };
  },
  json: (found, { meta }) =>
    JSON.stringify({ antal: found.length, postnumre: found.map(postcodeOf), meta }),
});

const postcode = question(postcodeShape, {
  ...PAGES,
  path: '/v1/postnumre/:nr',
  ask: async ({ addresses }: AddressLookups, { nr }) => {
    const { value, ...facts } = await addresses.postcodes.find(nr);
    return { value, facts, units: 1 };
  },
  json: (found, { meta }) => JSON.stringify({ ...postcodeOf(found), meta }),
});

export const ADDRESS_QUESTIONS = [
  ...[reverse, reverseBatch, search, autocomplete, one],
  ...[datavask, postcodes, postcode],
];
