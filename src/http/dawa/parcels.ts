import { boundsOfXy } from '../../geo/bounds.ts';
import { innerPoint } from '../../geo/inner-point.ts';
import { CADASTRE_LIMITS } from '../../registers/cadastre/limits.ts';
import type { NamedParcel, ParcelsAnswer } from '../../registers/cadastre/parcel-lookup.ts';
import { parcelNumberOf } from '../../layers/parcel-text.ts';
import { multiPolygonText } from '../../geo/rings-text.ts';
import { CHANGES, EXTENT } from './area-members.ts';
import type { Extent } from '../../registers/areas/rows.ts';
import { districtCodeOf } from './districts.ts';
import { badParameter, badPath } from './failure.ts';
import { fitsOf, isBeyond, filtersBy } from './filters.ts';
import type { Fits } from './filters.ts';
import { DAWA_LIMITS } from './limits.ts';
import { linkTo, members, readersOf } from '../wire/row-members.ts';
import type { Readers } from '../wire/row-members.ts';
import { pageOf, suggestedPage } from './pages.ts';
import type { Params } from './params.ts';
import type { PageAsked } from './pages.ts';
import { pointOf, withinOf } from './places-asked.ts';
import { addOne, addResource, addReverse, writtenBy } from './resources.ts';
import type { Resource } from './resources.ts';
import type { AddRoute, Asked, DoorLookups } from './routes.ts';

const LIST = { area: 'bbr', operation: 'jordstykker' } as const;

const extentOf = ({ rings }: NamedParcel): Extent => ({
  get boundsM() {
    return rings && boundsOfXy(rings.xy.view());
  },
  get center() {
    return rings && innerPoint(rings);
  },
});

const label = ({ number, districtName, districtCode }: NamedParcel): string =>
  `${number} ${districtName} (${districtCode})`;

const READERS: Readers<NamedParcel> = {
  ...{ ...readersOf(extentOf, EXTENT), betegnelse: label, tekst: label },
  href: ({ districtCode, number }, { base }) =>
    districtCode && number && `${base}/jordstykker/${districtCode}/${encodeURIComponent(number)}`,
  matrikelnr: ({ number }) => number,
  ejerlav: ({ districtCode: kode, districtName: navn }, { base }) =>
    kode && { kode, navn, href: `${base}/ejerlav/${kode}` },
  ejerlavkode: ({ districtCode }) => districtCode,
  ejerlavnavn: ({ districtName }) => districtName,
  kommune: ({ municipality }, place) =>
    linkTo(place, 'kommuner', municipality?.kode, municipality?.navn),
  kommunekode: ({ municipality }) => municipality?.kode,
  kommunenavn: ({ municipality }) => municipality?.navn,
  bfenummer: ({ bfe }) => bfe,
  sfeejendomsnr: ({ bfe }) => bfe && String(bfe),
  registreretareal: ({ area }) => area,
  geometry: ({ rings }, { format }) =>
    rings === null ? 'null' : multiPolygonText(rings, format.srid),
};

const BRIEF = `matrikelnr bbox visueltcenter href ejerlav kommune esrejendomsnr
  udvidet_esrejendomsnr sfeejendomsnr bfenummer`;
const WRITTEN = writtenBy(
  { ...READERS, jordstykke: members(READERS, BRIEF) },
  {
    nestet: `${BRIEF} ${CHANGES} fælleslod moderjordstykke registreretareal arealberegningsmetode
      vejareal vejarealberegningsmetode vandarealberegningsmetode featureid region sogn retskreds`,
    flad: `ejerlavkode matrikelnr ejerlavnavn kommunekode kommunenavn bfenummer registreretareal
      esrejendomsnr ...box`,
    suggest: 'tekst jordstykke',
  },
);

type Ask = (parcels: DoorLookups['parcels']) => Promise<ParcelsAnswer>;

/** `ejerlavkode` may have leading zeros. */
function numberAsked(ejerlav: string, number: string, bad: typeof badPath): Ask {
  const code = districtCodeOf(ejerlav);
  if (code === null) throw bad('ejerlavkode', 'notInteger');
  if (number.length > CADASTRE_LIMITS.numberChars.max) throw bad('matrikelnr', 'too long');
  const asked = parcelNumberOf(number);
  if (asked === null) throw bad('matrikelnr', 'no number of a parcel');
  return (parcels) => parcels.withNumber(code, asked);
}

/** null: no parcel filter. */
export function parcelAsked(params: Params): Ask | null {
  const [ejerlav, number] = [params.filled('ejerlavkode'), params.filled('matrikelnr')];
  if (ejerlav === null && number === null) return null;
  if (ejerlav !== null && number !== null) return numberAsked(ejerlav, number, badParameter);
  throw badParameter(ejerlav === null ? 'ejerlavkode' : 'matrikelnr', 'missing');
}

interface ParcelsAsked {
  readonly ask: Ask;
  readonly page: PageAsked;
}

const FIELDS = filtersBy(
  READERS,
  'ejerlavkode:number matrikelnr:parcel kommunekode:code bfenummer:number sfeejendomsnr:number',
);

/** Throws when one answer cannot hold all. */
function fitting(ask: Ask, fits: Fits<NamedParcel>, most: number): Ask {
  return async (parcels) => {
    const found = await ask(parcels);
    if (found.parcels.length >= most) throw badParameter('q', `more than ${most} parcels`);
    return { ...found, parcels: found.parcels.filter(fits) };
  };
}

function searchAsked(text: string, { params }: Asked, isTyped: boolean): ParcelsAsked {
  const { perPage, pages } = CADASTRE_LIMITS;
  if ((params.whole('per_side') ?? 1) > perPage.max) {
    throw badParameter('per_side', `more than ${perPage.max}`);
  }
  if (!/[\p{L}\p{N}]/u.test(text)) throw badParameter('q', 'holds no letter and no digit');
  const most = perPage.max * pages;
  const all = pageOf(params, perPage.max);
  const page = isTyped ? suggestedPage(all) : all;
  if (page.skip + Math.min(page.take, perPage.max) > most) throw badParameter('side', 'too far');
  const municipalityCodes = params.codes('kommunekode');
  const fits = isBeyond(params, FIELDS, ['kommunekode']) ? fitsOf(params, FIELDS) : null;
  const limit = fits === null ? page.skip + page.take : most;
  const ask: Ask = (parcels) => parcels.search({ text, municipalityCodes, limit, isTyped });
  return { page, ask: fits === null ? ask : fitting(ask, fits, most) };
}

function readList(asked: Asked, isTyped: boolean): ParcelsAsked {
  const { params } = asked;
  const text = params.search(CADASTRE_LIMITS.textChars.max);
  if (text !== null) return searchAsked(text, asked, isTyped);
  const [ejerlav, number] = [params.text('ejerlavkode'), params.text('matrikelnr')];
  const [fits, page] = [fitsOf(params, FIELDS), pageOf(params)];
  if (ejerlav !== null && number !== null && !/[|]/.test(ejerlav + number)) {
    return { page, ask: fitted(numberAsked(ejerlav, number, badParameter), fits) };
  }
  const bfe = params.whole('bfenummer') ?? params.whole('sfeejendomsnr');
  if (bfe !== null) return { page, ask: fitted((parcels) => parcels.listed(bfe), fits) };
  return placedAsked(asked, page, [ejerlav, number, fits]);
}

function placedAsked(
  { params, format }: Asked,
  page: PageAsked,
  [ejerlav, number, fits]: readonly [string | null, string | null, Fits<NamedParcel> | null],
): ParcelsAsked {
  const within = withinOf(params, format);
  const isWhole = isBeyond(params, FIELDS, ['ejerlavkode']);
  const municipalityCodes = params.codes('kommunekode');
  if (within !== null || (municipalityCodes.length > 0 && ejerlav === null)) {
    const all = { skip: 0, take: Infinity, municipalityCodes, ...(within && { within }) };
    return { page, ask: fitted((parcels) => parcels.listed(all), fits) };
  }
  if (ejerlav !== null) return districtAsked(ejerlav, page, isWhole ? fits : null);
  const isAtPoint = params.has('x') || params.has('y');
  if (number !== null && !isAtPoint) throw badParameter('ejerlavkode', 'missing');
  if (!isAtPoint && page.isSized) return pageAsked(page);
  const point = pointOf(params, format);
  return { page, ask: fitted((parcels) => parcels.at(point), fits) };
}

function pageAsked(page: PageAsked): ParcelsAsked {
  const { skip, take } = page;
  if (take > DAWA_LIMITS.scannedRows) {
    throw badParameter('per_side', `more than ${DAWA_LIMITS.scannedRows}`);
  }
  return { page: { ...page, skip: 0 }, ask: (parcels) => parcels.listed({ skip, take }) };
}

const fitted = (ask: Ask, fits: Fits<NamedParcel> | null): Ask =>
  fits === null ? ask : fitting(ask, fits, Infinity);

function districtAsked(
  ejerlav: string,
  page: PageAsked,
  fits: Fits<NamedParcel> | null,
): ParcelsAsked {
  const districtCode = districtCodeOf(ejerlav);
  if (districtCode === null) throw badParameter('ejerlavkode', 'notInteger');
  const { scannedRows } = DAWA_LIMITS;
  const { skip, take } = fits === null ? page : { skip: 0, take: scannedRows };
  const ask: Ask = (parcels) => parcels.listed({ skip, take, districtCode });
  if (fits !== null) return { ask: fitting(ask, fits, scannedRows), page };
  return { ask, page: { ...page, skip: 0 } };
}

export function parcelDoor(add: AddRoute, { parcels, parcelsCoverage }: DoorLookups): void {
  const found = async (ask: Ask) => {
    const { parcels: rows, ...facts } = await ask(parcels);
    return { facts, rows };
  };
  const resource: Resource<ParcelsAsked, NamedParcel> = {
    ...{ ...WRITTEN, path: '/jordstykker', rule: LIST, coverage: parcelsCoverage, read: readList },
    find: ({ ask }) => found(ask),
  };
  addResource(add, resource);
  addReverse(add, resource, LIST.operation, (point) => found((all) => all.at(point)));
  const one = [
    ':ejerlavkode/:matrikelnr',
    ({ path: { ejerlavkode = '', matrikelnr = '' } }: Asked) =>
      numberAsked(ejerlavkode, matrikelnr, badPath),
    found,
  ] as const;
  addOne(add, resource, one, 'jordstykke');
}
