import { roundTo } from '../../answers/numbers.ts';
import type { PostcodeAnswer } from './postcodes.ts';

export function postcodeOf(answer: PostcodeAnswer) {
  const { code, name, described, municipalities, boundsDegrees, boundsM } = answer;
  return {
    nr: code,
    navn: name,
    afgraensning: described === 'district' ? ('distrikt' as const) : ('adresser' as const),
    kommuner: municipalities.map((each) => ({ kode: each.code, navn: each.name })),
    bbox: boundsDegrees?.map((each) => roundTo(each, DEGREE_DECIMALS)) ?? null,
    epsg25832_bbox: boundsM?.map((each) => roundTo(each, 2)) ?? null,
  };
}

/** Of degrees computed from metres: 1 mm. */
const DEGREE_DECIMALS = 8;
