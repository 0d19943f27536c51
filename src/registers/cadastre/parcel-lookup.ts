/**
 * Parcels by point, number and text (D150), from memory; by point and number also from the store.
 */
import type { Coverage } from '../../layers/coverage.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import type { Cadastre, CadastreDeps } from './lookup.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Point } from '../../geo/point.ts';
import { Failure } from '../../kernel/failures.ts';
import { meetsUnread } from '../../geo/unanswered.ts';
import { CADASTRE } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { outsideCoverage } from '../../core/land/covered-lands.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import {
  answeringCopy,
  heldStanding,
  notHere,
  unreadableCopy,
} from '../../core/standing/standing.ts';
import type { Standing } from '../../core/standing/standing.ts';
import { municipalityOf, nameMunicipalities, namesOf } from '../areas/municipalities.ts';
import type {
  HeldMunicipalities,
  NamedArea,
  NamedMunicipalities,
} from '../areas/municipalities.ts';
import type { District, ParcelIndex, ParcelQuestion } from './index/parcel-index.ts';
import type { ParcelsInMemory } from './load.ts';
import { torn } from '../../core/tiles/store-tiles.ts';
import { notThere } from './parcel-tiles.ts';
import { calledBy, covers, inOrder, ofNumber, parcelOf, spellingsOf } from './parcels.ts';
import type { CalledParcel, Parcel, ParcelPage } from './parcels.ts';
import type { ParcelsRead } from './tiles.ts';

export interface ParcelDeps extends Omit<CadastreDeps, 'read'> {
  readonly memory: () => ParcelsInMemory | null;
  /** Finds parcels by their boxes. */
  readonly readAround: (point: Point) => Promise<ParcelsRead>;
  readonly readNumber: (districtCode: number, number: string) => Promise<ParcelsRead>;
  readonly lands?: CoveredLands;
}

export interface NamedParcel extends Parcel {
  readonly municipality: NamedArea | null;
}

export interface ParcelsAnswer extends AnswerFacts {
  readonly parcels: readonly NamedParcel[];
  readonly source: string;
  readonly generation: number;
}

/** null: none or several. */
export function theParcel(found: ParcelsAnswer): NamedParcel | null {
  const [only = null, ...others] = found.parcels;
  return others.length > 0 || only?.districtCode === null || only?.number === null ? null : only;
}

export interface DistrictsAnswer {
  /** A box is null where it is not known whole. */
  readonly districts: readonly District[];
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

/**
 * All throw upstream_unavailable until the cadastre is published, past its hard limit, and where a
 * row that could not be read (D143) may belong to the answer.
 */
export interface Parcels {
  /** Boundary included (D44). */
  at(point: Point): Promise<ParcelsAnswer>;
  /** null: it would have to wait, or fail. */
  tryAtSync(point: Point): ParcelsAnswer | null;
  isReady(): boolean;
  withNumber(districtCode: number, number: string): Promise<ParcelsAnswer>;
  /** From memory alone. Throws invalid_request where nothing is found for a part not understood. */
  search(question: ParcelQuestion): Promise<ParcelsAnswer>;
  /** From memory alone. */
  listed(asked: number | ParcelPage): Promise<ParcelsAnswer>;
  /** From memory alone; null: no parcel there, or memory may not answer. */
  ownedBy(bfe: number): ParcelsAnswer | null;
  /** From memory alone. With unread rows a single code may answer, the whole list does not. */
  districts(code: number | null): DistrictsAnswer;
}

interface Found {
  readonly parcels: readonly Parcel[];
  readonly copy: PublishedCopy | null;
  readonly generation: number;
  /** It has faces, without which no parcel has a position. */
  readonly isThere: boolean;
  readonly by: 'snapshot' | 'store';
  readonly standing?: Standing | null;
}

export function createParcels(deps: ParcelDeps): Parcels {
  return {
    at: async (point) => {
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) await pending;
      const land = deps.lands?.of(CADASTRE) ?? null;
      if (land !== null && !land.covers(point.utm32)) throw outsideCoverage(land.name);
      const municipalities = deps.municipalities();
      const found = await read(deps, {
        inMemory: (index) => index.at(point.utm32),
        inStore: async () => {
          const { parcels, ...stored } = await deps.readAround(point);
          return { ...stored, parcels: parcels.map(parcelOf).filter(covers(point.utm32)) };
        },
      });
      const provenance = answeringCopy(deps, registerOf(deps), found);
      if (!found.isThere) throw notThere();
      if (isUnread(found, point)) throw torn();
      return await namedAnswer(deps, municipalities, { found, provenance });
    },
    tryAtSync: (point) => atSync(deps, point),
    isReady: () => deps.memory() !== null,
    withNumber: async (districtCode, number) => {
      const municipalities = deps.municipalities();
      const found = await read(deps, {
        inMemory: (index) => ofNumber(index.withNumber(districtCode, number), number),
        inStore: async () => {
          const { parcels, ...stored } = await deps.readNumber(districtCode, number);
          return { ...stored, parcels: ofNumber(parcels.map(parcelOf), number) };
        },
      });
      const provenance = answeringCopy(deps, registerOf(deps), found);
      const isAsked = isNumber(districtCode, number);
      if (isTorn(found) || (found.parcels.length === 0 && misses(found, isAsked))) throw torn();
      return await namedAnswer(deps, municipalities, { found, provenance });
    },
    search: (question) => searched(deps, question),
    listed: (asked) => listedOf(deps, asked),
    ownedBy: (bfe) => ownedIn(deps, bfe),
    districts: (code) => districtsOf(deps, code),
  };
}

async function searched(deps: ParcelDeps, question: ParcelQuestion): Promise<ParcelsAnswer> {
  const municipalities = deps.municipalities();
  const { held, provenance } = fromMemory(deps);
  const { parcels, isExact } = held.index.search(question);
  const found = foundIn(held, parcels);
  const isMeant = (one: CalledParcel) => held.index.mayMean(question.text, one);
  if (isTorn(found) || (!isExact && misses(found, isMeant))) throw torn();
  const isJudged = parcels.length === 0 && question.isTyped !== true;
  const unknown = isJudged ? held.index.notUnderstood(question.text) : [];
  if (unknown.length > 0) throw notUnderstood(unknown.join(' '));
  return await namedAnswer(deps, municipalities, { found, provenance });
}

function notUnderstood(part: string): Failure {
  return new Failure('invalid_request', {
    error: `This part of the text names no district and no number of a parcel: ${part}`,
    errorDa: `Denne del af teksten er hverken et ejerlav eller et matrikelnummer: ${part}`,
  });
}

async function listedOf(deps: ParcelDeps, asked: number | ParcelPage): Promise<ParcelsAnswer> {
  const municipalities = deps.municipalities();
  const { held, provenance } = fromMemory(deps);
  const isOne = typeof asked === 'number';
  const { index, copy } = held;
  const parcels = isOne ? index.withBfe(asked) : index.page(asked);
  const found = foundIn(held, parcels);
  // A property that is not found may own an unread parcel.
  const isUnsure = isOne && parcels.length > 0 ? isTorn(found) : hasUnreadRows(copy);
  if (isUnsure) throw torn();
  return await namedAnswer(deps, municipalities, { found, provenance });
}

function ownedIn(deps: ParcelDeps, bfe: number): ParcelsAnswer | null {
  const held = deps.memory();
  const standing = held && heldStanding(deps, registerOf(deps), held.copy);
  if (held === null || standing === null) return null;
  const found = foundIn(held, held.index.withBfe(bfe), standing);
  const { length } = found.parcels;
  if (length === 0 || length > CADASTRE_LIMITS.parcels) return null;
  const provenance = answeringCopy(deps, registerOf(deps), found);
  if (isTorn(found)) throw torn();
  return answerOf(deps, found, { provenance, named: null });
}

function districtsOf(deps: ParcelDeps, code: number | null): DistrictsAnswer {
  const { held, provenance } = fromMemory(deps);
  const all = held.index.districts();
  const districts = code === null ? all : all.filter((each) => each.code === code);
  const facts = { generation: held.generation, provenance: [provenance] };
  if (!hasUnreadRows(held.copy)) return { ...facts, districts };
  if (code === null || districts.length === 0) throw torn();
  return { ...facts, districts: districts.map((each) => ({ ...each, box: null })) };
}

function atSync(deps: ParcelDeps, point: Point): ParcelsAnswer | null {
  const known = deps.municipalities().all?.() ?? null;
  const held = deps.memory();
  const standing = held && standingAt(deps, held, point);
  if (known === null || held === null || standing === null) return null;
  const found = foundIn(held, held.index.at(point.utm32), standing);
  if (isUnread(found, point)) return null;
  return answerOf(deps, found, {
    provenance: answeringCopy(deps, registerOf(deps), found),
    named: codesOf(found.parcels).length === 0 ? null : namesOf(known, momentOf(deps)),
  });
}

/** null: memory alone cannot answer there. */
function standingAt(
  deps: ParcelDeps,
  { index, copy }: ParcelsInMemory,
  { utm32 }: Point,
): Standing | null {
  if ((deps.lands?.refresh() ?? null) !== null) return null;
  const isCovered = deps.lands?.of(CADASTRE)?.covers(utm32) ?? true;
  return isCovered && index.meta.hasFaces ? heldStanding(deps, registerOf(deps), copy) : null;
}

interface Reading {
  readonly inMemory: (index: ParcelIndex) => readonly Parcel[];
  readonly inStore: () => Promise<Omit<Found, 'by'>>;
}

async function read(deps: ParcelDeps, { inMemory, inStore }: Reading): Promise<Found> {
  const held = deps.memory();
  const standing = held && heldStanding(deps, registerOf(deps), held.copy);
  if (held !== null && standing !== null) return foundIn(held, inMemory(held.index), standing);
  const stored = await inStore().catch((cause: unknown) => {
    throw unreadableCopy(deps, registerOf(deps), { cause });
  });
  return { ...stored, parcels: inOrder(stored.parcels), by: 'store' };
}

function foundIn(
  { index, copy, generation }: ParcelsInMemory,
  parcels: readonly Parcel[],
  standing: Standing | null = null,
): Found {
  return { parcels, copy, generation, isThere: index.meta.hasFaces, by: 'snapshot', standing };
}

const registerOf = ({ catalogue }: ParcelDeps) => catalogue.registers[CADASTRE];

function fromMemory(deps: ParcelDeps) {
  const held = deps.memory();
  const copy = held?.copy ?? null;
  const provenance = answeringCopy(deps, registerOf(deps), { copy, by: 'snapshot' });
  if (held === null) throw notHere(registerOf(deps));
  return { held, provenance };
}

/** Unread rows of a known place lie in its boxes. */
function isUnread(found: Found, { utm32: { xUtm32: x, yUtm32: y } }: Point): boolean {
  const { unanswered } = found.copy ?? {};
  if (meetsUnread(unanswered, [x, y, x, y]) || isTorn(found)) return true;
  return found.parcels.length === 0 && (unanswered?.objects ?? []).includes(null);
}

function hasUnreadRows(copy: PublishedCopy | null): boolean {
  return (copy?.unanswered?.objects ?? []).length > 0;
}

function isTorn({ parcels, copy }: Found): boolean {
  const objects = copy?.unanswered?.objects ?? [];
  return objects.length > 0 && parcels.some(({ bfe }) => objects.includes(String(bfe)));
}

function isNumber(districtCode: number, number: string): (one: CalledParcel) => boolean {
  const spellings = ['', ...spellingsOf(number)];
  return (one) => one.districtCode === districtCode && spellings.includes(one.number.trim());
}

function misses({ copy }: Found, isMeant: (one: CalledParcel) => boolean): boolean {
  const { objects = [], names } = copy?.unanswered ?? {};
  // Published before the names of parcels were kept.
  if (names === undefined) return objects.length > 0;
  return names.some((name) => name === null || isMeant(calledBy(name)));
}

function momentOf({ clock, catalogue }: ParcelDeps) {
  return { freshness: catalogue.areas.kommune.freshness, nowMs: clock.nowMs() };
}

function codesOf(parcels: readonly Parcel[]): readonly string[] {
  return [...new Set(parcels.flatMap(({ municipalityCode: code }) => code ?? []))];
}

async function namedAnswer(
  deps: ParcelDeps,
  { read: readNames }: HeldMunicipalities,
  { found, provenance }: { readonly found: Found; readonly provenance: Provenance },
): Promise<ParcelsAnswer> {
  const named = await nameMunicipalities(readNames, codesOf(found.parcels), momentOf(deps));
  return answerOf(deps, found, { provenance, named });
}

function answerOf(
  { nameSources }: ParcelDeps,
  { parcels, generation }: Found,
  { provenance, named }: { provenance: Provenance; named: NamedMunicipalities | null },
): ParcelsAnswer {
  const municipality = (code: string | null) =>
    code === null ? null : municipalityOf(named, code).kommune;
  return {
    parcels: parcels.map((parcel) => ({
      ...parcel,
      municipality: municipality(parcel.municipalityCode),
    })),
    source: nameSources(['Matriklen', ...(named === null ? [] : ['DAGI'])]),
    generation: Math.min(generation, named?.generation ?? Infinity),
    provenance: [provenance, ...(named === null ? [] : [named.provenance])],
    isPartial: named === null && codesOf(parcels).length > 0,
  };
}

export function noSuchParcel(districtCode: number, number: string) {
  return {
    error: `The cadastre holds no parcel ${number} in force in the district ${districtCode}.`,
    errorDa: `Matriklen har intet gældende jordstykke ${number} i ejerlavet ${districtCode}.`,
  };
}

export interface CadastreLookups {
  readonly cadastre: Cadastre;
  readonly parcels: Parcels;
  readonly coverage: Coverage | null;
}
