import type { Static, TObject } from 'typebox';
import { pointFromQuery } from '../../answers/coordinates.ts';
import { codesOf } from '../../core/question/lists.ts';
import { Failure } from '../../kernel/failures.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import type { Parcels, ParcelsAnswer } from './parcel-lookup.ts';
import { parcelNumberOf } from './parcels.ts';
import type { parcelsShape } from './schema.ts';

type ParcelsQuery = Static<TObject<(typeof parcelsShape)['query']>>;

export interface Question {
  /** null: the answer is not paged. */
  readonly page: { readonly side: number; readonly perPage: number } | null;
  readonly ask: (parcels: Parcels) => Promise<ParcelsAnswer>;
}

/** A letter or digit of any script. */
const LETTER = /[\p{L}\p{N}]/u;

/** Throws invalid_request for none or several of the three, and for parameters of another one. */
export function questionOf(sent: ParcelsQuery): Question {
  const { q, kommunekode, side, per_side, ejerlav_kode, matrikelnummer } = sent;
  const { lon, lat, x, y, srid } = sent;
  const isSent = (values: object) => Object.values(values).some((value) => value !== undefined);
  const isPoint = isSent({ lon, lat, x, y, srid });
  const isNumber = isSent({ ejerlav_kode, matrikelnummer });
  if (Number(isPoint) + Number(isNumber) + Number(q !== undefined) > 1) throw notOne();
  if (q !== undefined) {
    if (!LETTER.test(q)) throw noText();
    const page = { side: side ?? 1, perPage: per_side ?? CADASTRE_LIMITS.perPage.default };
    const municipalityCodes = codesOf('kommunekode', kommunekode);
    const limit = page.side * page.perPage;
    return { page, ask: (parcels) => parcels.search({ text: q, municipalityCodes, limit }) };
  }
  if (isSent({ kommunekode, side, per_side })) throw onlyWithText();
  if (isNumber) {
    if (ejerlav_kode === undefined || matrikelnummer === undefined) throw halfNumber();
    const number = numberOf(matrikelnummer);
    return { page: null, ask: (parcels) => parcels.withNumber(ejerlav_kode, number) };
  }
  if (!isPoint) throw notOne();
  const point = pointFromQuery(sent);
  return { page: null, ask: (parcels) => parcels.at(point) };
}

/** Throws invalid_request for what is no number of a parcel. */
export function numberOf(text: string): string {
  const number = parcelNumberOf(text);
  if (number !== null) return number;
  throw refusal(
    `The number of a parcel is digits and then letters, such as 12bø: ${text}`,
    `Et matrikelnummer er cifre og så bogstaver som 12bø: ${text}`,
  );
}

function refusal(error: string, errorDa: string): Failure {
  return new Failure('invalid_request', { error, errorDa });
}

function notOne(): Failure {
  return refusal(
    'Send a point (lon and lat, or x, y and srid), or ejerlav_kode and matrikelnummer, or q: one of them.',
    'Send et punkt (lon og lat eller x, y og srid), eller ejerlav_kode og matrikelnummer, eller q: én af dem.',
  );
}

function halfNumber(): Failure {
  return refusal(
    'ejerlav_kode and matrikelnummer belong together: send both.',
    'ejerlav_kode og matrikelnummer hører sammen: send begge.',
  );
}

function onlyWithText(): Failure {
  return refusal(
    'kommunekode, side and per_side belong to q.',
    'kommunekode, side og per_side hører til q.',
  );
}

function noText(): Failure {
  return refusal(
    'The parameter q must hold a letter or a digit.',
    'Parameteren q skal indeholde et bogstav eller et ciffer.',
  );
}
