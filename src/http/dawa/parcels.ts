/** `/jordstykker`. */
import { bboxOf, centerOf } from '../../answers/in-system.ts';
import { unitsOfFound } from '../../core/question/answers.ts';
import { boundsOfXy } from '../../geo/bounds.ts';
import type { Bounds } from '../../geo/bounds.ts';
import { innerPoint } from '../../geo/inner-point.ts';
import type { RingSink } from '../../geo/wkb.ts';
import { Failure } from '../../kernel/failures.ts';
import { CADASTRE_LIMITS } from '../../registers/cadastre/limits.ts';
import type { NamedParcel, ParcelsAnswer } from '../../registers/cadastre/parcel-lookup.ts';
import { parcelNumberOf } from '../../layers/parcel-text.ts';
import { geoJsonOf } from '../../registers/areas/area-geometry.ts';
import { bboxMembers } from './areas.ts';
import { districtCodeOf } from './districts.ts';
import { badParameter, badPath } from './failure.ts';
import { fitsOf, isBeyond } from './filters.ts';
import type { Fields, Fits } from './filters.ts';
import type { Rows, Shape } from '../wire/row-formats.ts';
import { DAWA_LIMITS } from './limits.ts';
import { listOf, pageOf, pageShown, suggestedPage } from './pages.ts';
import type { PageAsked } from './pages.ts';
import type { Params } from './params.ts';
import { pointOf, withinOf } from './places-asked.ts';
import type { AddRoute, Around, Asked, DoorAnswer, DoorLookups } from './routes.ts';

const ONE = { area: 'bbr', operation: 'jordstykke' } as const;
const LIST = { area: 'bbr', operation: 'jordstykker' } as const;

const districtMember = (base: string, { districtCode: kode, districtName: navn }: NamedParcel) =>
  kode === null ? null : { kode, navn, href: `${base}/ejerlav/${kode}` };

const hrefOf = (base: string, { districtCode, number }: NamedParcel): string | null =>
  districtCode === null || number === null
    ? null
    : `${base}/jordstykker/${districtCode}/${encodeURIComponent(number)}`;

function boundsOf(rings: RingSink | null): Bounds | null {
  return rings && boundsOfXy(rings.xy.view());
}

type Place = Pick<Around, 'base' | 'format'>;

/** What suggestions show of a parcel. */
function briefOf({ base, format }: Place, parcel: NamedParcel): Record<string, unknown> {
  const { number, municipality, rings, bfe } = parcel;
  return {
    matrikelnr: number,
    bbox: bboxOf(boundsOf(rings), format),
    visueltcenter: centerOf(rings && innerPoint(rings), format),
    href: hrefOf(base, parcel),
    ejerlav: districtMember(base, parcel),
    kommune: municipality && {
      ...{ href: `${base}/kommuner/${municipality.kode}`, ...municipality },
    },
    ...{ esrejendomsnr: null, udvidet_esrejendomsnr: null },
    ...{ sfeejendomsnr: bfe === null ? null : String(bfe), bfenummer: bfe },
  };
}

function membersOf(place: Place, parcel: NamedParcel): Record<string, unknown> {
  return {
    ...briefOf(place, parcel),
    ...{ ændret: null, geo_version: null, geo_ændret: null, fælleslod: null },
    ...{ moderjordstykke: null, registreretareal: parcel.area, arealberegningsmetode: null },
    ...{ vejareal: null, vejarealberegningsmetode: null, vandarealberegningsmetode: null },
    ...{ featureid: null, region: null, sogn: null, retskreds: null },
  };
}

function flatOf({ format }: Place, parcel: NamedParcel): Record<string, unknown> {
  const { number, districtCode, districtName, municipality, rings, bfe, area } = parcel;
  return {
    ...{ ejerlavkode: districtCode, matrikelnr: number, ejerlavnavn: districtName },
    ...{ kommunekode: municipality?.kode ?? null, kommunenavn: municipality?.navn ?? null },
    ...{ bfenummer: bfe, registreretareal: area, esrejendomsnr: null },
    ...bboxMembers(boundsOf(rings), rings && innerPoint(rings), format),
  };
}

const labelOf = ({ number, districtName, districtCode }: NamedParcel): string =>
  `${number} ${districtName} (${districtCode})`;

function geometryOf(rings: RingSink | null, srid: 4326 | 25832): string {
  return rings === null ? 'null' : geoJsonOf(rings, srid);
}

function answerOf(
  lookups: DoorLookups,
  kind: Rows<unknown>['kind'],
  { parcels, ...facts }: ParcelsAnswer,
  around: Around,
): DoorAnswer<NamedParcel> {
  const shape: Shape<NamedParcel> = {
    nestet: (parcel) => membersOf(around, parcel),
    flad: (parcel) => flatOf(around, parcel),
    geometry: ({ rings }) => geometryOf(rings, around.format.srid),
    label: labelOf,
  };
  if (kind === 'one' && parcels.length === 0) throw new Failure('not_found');
  const units = unitsOfFound(parcels.length, lookups.parcelsCoverage);
  return { kind, rows: parcels, facts, shape, units };
}

type Ask = (parcels: DoorLookups['parcels']) => Promise<ParcelsAnswer>;

/** `ejerlavkode` may have leading zeros. */
function numberAsked(ejerlav: string, number: string, isPath: boolean): Ask {
  const bad = isPath ? badPath : badParameter;
  const code = districtCodeOf(ejerlav);
  if (code === null) throw bad('ejerlavkode', 'notInteger');
  if (number.length > CADASTRE_LIMITS.numberChars.max) throw bad('matrikelnr', 'too long');
  const asked = parcelNumberOf(number);
  if (asked === null) throw bad('matrikelnr', 'no number of a parcel');
  return (parcels) => parcels.withNumber(code, asked);
}

interface ParcelsAsked {
  readonly ask: Ask;
  readonly page: PageAsked;
}

const bfeOf = ({ bfe }: NamedParcel): string | null => (bfe === null ? null : String(bfe));

const FIELDS: Fields<NamedParcel> = {
  ejerlavkode: {
    kind: 'number',
    of: ({ districtCode: code }) => (code === null ? null : String(code)),
  },
  matrikelnr: { kind: 'parcel', of: ({ number }) => number },
  kommunekode: { kind: 'code', of: ({ municipality }) => municipality?.kode ?? null },
  bfenummer: { kind: 'number', of: bfeOf },
  sfeejendomsnr: { kind: 'number', of: bfeOf },
};

/** Throws where more are found than one answer holds. */
function fitting(ask: Ask, fits: Fits<NamedParcel>, most: number): Ask {
  return async (parcels) => {
    const found = await ask(parcels);
    if (found.parcels.length >= most) throw badParameter('q', `more than ${most} parcels`);
    return { ...found, parcels: found.parcels.filter(fits) };
  };
}

function textAsked({ params }: Asked, page: PageAsked, isTyped = false): ParcelsAsked {
  const text = params.search(CADASTRE_LIMITS.textChars.max);
  if (text === null) throw badParameter('q', 'missing');
  if (!/[\p{L}\p{N}]/u.test(text)) throw badParameter('q', 'holds no letter and no digit');
  const { perPage, pages } = CADASTRE_LIMITS;
  const { skip, take } = page;
  if (skip + Math.min(take, perPage.max) > perPage.max * pages) {
    throw badParameter('side', 'too far');
  }
  const municipalityCodes = params.codes('kommunekode');
  const most = perPage.max * pages;
  const isWhole = isBeyond(params, FIELDS, ['kommunekode']);
  const fits = isWhole ? fitsOf(params, FIELDS) : null;
  const limit = fits === null ? skip + take : most;
  const ask: Ask = (parcels) => parcels.search({ text, municipalityCodes, limit, isTyped });
  return { page, ask: fits === null ? ask : fitting(ask, fits, most) };
}

function searchAsked(asked: Asked): ParcelsAsked {
  const { max } = CADASTRE_LIMITS.perPage;
  if ((asked.params.whole('per_side') ?? 1) > max) {
    throw badParameter('per_side', `more than ${max}`);
  }
  return textAsked(asked, pageOf(asked.params, max));
}

function readList(asked: Asked): ParcelsAsked {
  const { params, format } = asked;
  if (params.search() !== null) return searchAsked(asked);
  const [ejerlav, number] = [params.text('ejerlavkode'), params.text('matrikelnr')];
  if (ejerlav === null && number !== null) throw badParameter('ejerlavkode', 'missing');
  const fits = fitsOf(params, FIELDS);
  if (ejerlav !== null && number !== null && !/[|]/.test(ejerlav + number)) {
    return whole(fitted(numberAsked(ejerlav, number, false), fits));
  }
  const isOfProperty = ['bfenummer', 'sfeejendomsnr'].some((name) => params.text(name) !== null);
  if (isOfProperty) return whole(fitted(listAsked(params, format), fits));
  const within = withinOf(params, format);
  const municipalityCodes = params.codes('kommunekode');
  if (within !== null || (municipalityCodes.length > 0 && ejerlav === null)) {
    const all = { skip: 0, take: Infinity, municipalityCodes, ...(within && { within }) };
    return { page: pageOf(params), ask: fitted((parcels) => parcels.listed(all), fits) };
  }
  return ejerlav === null
    ? whole(fitted(listAsked(params, format), fits))
    : districtAsked(params, number === null ? null : fits);
}

const fitted = (ask: Ask, fits: Fits<NamedParcel> | null): Ask =>
  fits === null ? ask : fitting(ask, fits, Infinity);

const whole = (ask: Ask): ParcelsAsked => ({
  ask,
  page: { skip: 0, take: Infinity, isWhole: true, isSized: false, most: Infinity },
});

/** By property, by point, or page by page. */
function listAsked(params: Params, format: Asked['format']): Ask {
  const bfe = params.whole('bfenummer') ?? params.whole('sfeejendomsnr');
  if (bfe !== null) return (parcels) => parcels.listed(bfe);
  const isPoint = params.text('x') !== null || params.text('y') !== null;
  if (isPoint || !params.has('per_side')) {
    const point = pointOf(params, format);
    return (parcels) => parcels.at(point);
  }
  const { perPage } = CADASTRE_LIMITS;
  const size = params.whole('per_side') ?? perPage.default;
  if (size > DAWA_LIMITS.scannedRows)
    throw badParameter('per_side', `more than ${DAWA_LIMITS.scannedRows}`);
  const skip = ((params.whole('side') ?? 1) - 1) * size;
  if (skip > DAWA_LIMITS.skippedRows) throw badParameter('side', 'too far');
  return (parcels) => parcels.listed({ skip, take: size });
}

/** Of one district. */
function districtAsked(params: Params, fits: Fits<NamedParcel> | null): ParcelsAsked {
  const districtCode = districtCodeOf(params.text('ejerlavkode') ?? '');
  if (districtCode === null) throw badParameter('ejerlavkode', 'notInteger');
  const page = pageOf(params);
  const { scannedRows } = DAWA_LIMITS;
  const { skip, take } = fits === null ? page : { skip: 0, take: scannedRows };
  const ask: Ask = (parcels) => parcels.listed({ skip, take, districtCode });
  if (fits !== null) return { ask: fitting(ask, fits, scannedRows), page };
  return { ask, page: { ...page, skip: 0 } };
}

export function parcelDoor(add: AddRoute, lookups: DoorLookups): void {
  const { parcels } = lookups;
  add('/jordstykker', {
    ...{ ...LIST, read: readList },
    answer: async ({ ask, page }, around) => {
      const found = await ask(parcels);
      const own = found.parcels.slice(page.skip, page.skip + page.take);
      const shown = { ...found, parcels: pageShown(own, page) };
      const { units } = listOf(shown.parcels, { ...page, skip: 0 }, lookups.parcelsCoverage);
      return { ...answerOf(lookups, 'list', shown, around), units };
    },
  });
  add('/jordstykker/autocomplete', {
    ...LIST,
    read: (asked) => {
      const page = suggestedPage(pageOf(asked.params, CADASTRE_LIMITS.perPage.max));
      const isText = asked.params.search() !== null;
      return isText ? textAsked(asked, page, true) : { ...readList(asked), page };
    },
    answer: async ({ ask, page }, around) => {
      const { parcels: found, ...facts } = await ask(parcels);
      const nestet = (parcel: NamedParcel) => ({
        tekst: labelOf(parcel),
        jordstykke: briefOf(around, parcel),
      });
      const rows = pageShown(found.slice(page.skip, page.skip + page.take), page);
      const units = unitsOfFound(rows.length, lookups.parcelsCoverage);
      return { kind: 'list', rows, facts, shape: { nestet }, units };
    },
  });
  add('/jordstykker/reverse', {
    ...{ ...LIST, read: ({ params, format }) => pointOf(params, format) },
    answer: async (point, around) => answerOf(lookups, 'one', await parcels.at(point), around),
  });
  add('/jordstykker/:ejerlavkode/:matrikelnr', {
    ...ONE,
    read: ({ path: { ejerlavkode = '', matrikelnr = '' } }) =>
      numberAsked(ejerlavkode, matrikelnr, true),
    answer: async (ask, around) => answerOf(lookups, 'one', await ask(parcels), around),
  });
}
