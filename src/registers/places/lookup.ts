/**
 * Place names from memory; by id and point also from the store (D121 to D123, D140). Past its hard
 * limit a copy does not answer (D34).
 */
import type { WithTail } from '../../answers/register-meta.ts';
import type { Coverage } from '../../layers/coverage.ts';
import { DiskSilent } from '../../kernel/disk-reads.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import type { Land } from '../../geo/land.ts';
import type { Point } from '../../geo/point.ts';
import type { Provenance } from '../../answers/answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { PLACE_NAMES } from '../../layers/keys.ts';
import type {
  NamedPlace,
  NearPlace,
  PlaceFinder,
  PlaceQuestion,
  PlaceScan,
  PlaceTypeFound,
  ShapedPlace,
} from './places.ts';
import { mayBeUnread, meetsUnread, unansweredOf } from '../../geo/unanswered.ts';
import { unreadNames } from '../../names/unread-names.ts';
import { isTorn } from '../../layers/published-copy.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import type { CoveredLands } from '../../core/land/covered-lands.ts';
import {
  answeringCopy,
  heldStanding,
  joinedCopy,
  notHere,
  unreadableCopy,
} from '../../core/standing/standing.ts';
import type { CopyDeps, Moment, Standing } from '../../core/standing/standing.ts';
import type { PlacesInMemory } from './load.ts';
import type { PlacesRead } from './store.ts';

export interface PlacesAnswer<T> extends AnswerFacts {
  readonly value: T;
  readonly generation: number;
}

export interface Places {
  /** Throws invalid_request for an unknown type and a text without a letter. */
  search(question: PlaceQuestion): PlacesAnswer<readonly NamedPlace[]>;
  /** Throws where a row could not be read: the list would be incomplete. */
  scan(question: PlaceScan): PlacesAnswer<Iterable<NamedPlace>>;
  types(): PlacesAnswer<readonly PlaceTypeFound[]>;
  /** Throws not_found. */
  find(id: string): Promise<PlacesAnswer<ShapedPlace>>;
  /** Throws not_found where nothing is known and the covered land ends within the radius (D142). */
  near(point: Point, radiusM: number): Promise<PlacesAnswer<readonly NearPlace[]>>;
}

export interface PlacesDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly memory: () => PlacesInMemory | null;
  readonly readPlace: (id: string) => Promise<PlacesRead<ShapedPlace>>;
  readonly readNear: (point: Point, radiusM: number) => Promise<PlacesRead<NearPlace>>;
  readonly lands?: CoveredLands;
  readonly onDamagedFile?: (held: PlacesInMemory, cause: unknown) => void;
}

/** All throw upstream_unavailable until the names are mirrored, and where the copy is too old. */
export function createPlaces(deps: PlacesDeps): Places {
  return {
    search: (question) => {
      const { held, provenance, tell } = inMemory(deps);
      const { type } = question;
      if (type !== null && !held.finder.knowsType(type)) throw unknownType(type);
      refuseUnknownMunicipalities(held, question, tell);
      const found = held.finder.search(question);
      if (mayBeCalled(held.copy.unanswered, question, found)) throw torn();
      const value = tell === ALL ? found : found.map(tell ?? withoutMunicipalities);
      return { value, generation: held.generation, provenance, isPartial: tell === null };
    },
    scan: (question) => {
      const { held, provenance, tell } = inMemory(deps);
      refuseUnknownMunicipalities(held, question, tell);
      if (hasUnread(held)) throw torn();
      const value = held.finder.scan(question)[Symbol.iterator]();
      const told = Iterator.from(value).map(tell ?? withoutMunicipalities);
      const facts = { generation: held.generation, provenance, isPartial: tell === null };
      return { ...facts, value: told };
    },
    types: () => {
      const { held, provenance } = inMemory(deps);
      if (hasUnread(held)) throw torn();
      return { value: held.finder.types, generation: held.generation, provenance };
    },
    find: async (id) => {
      const wanted = id.toLowerCase();
      const { value, unanswered, ...answer } = await read(deps, {
        inMemory: async (finder) => {
          const shaped = await finder.find(wanted);
          return shaped === undefined ? [] : [shaped];
        },
        inStore: () => deps.readPlace(wanted),
      });
      const [shaped] = value;
      if (isTorn(unanswered?.objects, wanted, shaped !== undefined)) throw torn();
      if (shaped === undefined) {
        throw unknownTo(deps.catalogue.registers[PLACE_NAMES].coverage, NO_PLACE);
      }
      return { value: shaped, ...answer };
    },
    near: async (point, radiusM) => {
      const pending = deps.lands?.refresh() ?? null;
      if (pending !== null) await pending;
      const land = deps.lands?.of(PLACE_NAMES) ?? null;
      if (land !== null && !land.covers(point.utm32)) throw noneCovered(land);
      const { unanswered, ...answer } = await read(deps, {
        inMemory: (finder) => finder.near(point.utm32, radiusM),
        inStore: () => deps.readNear(point, radiusM),
      });
      const places = unansweredOf(unanswered) ?? [];
      if (places.some((each) => each.distanceM(point.utm32, radiusM) <= radiusM)) throw torn();
      const isReachedOver = land !== null && land.distanceM(point.utm32, radiusM) <= radiusM;
      if (isReachedOver && answer.value.length === 0) throw noneCovered(land);
      return answer;
    },
  };
}

function inMemory(deps: PlacesDeps) {
  const held = deps.memory();
  const { provenance, tell } = copiesProvenance(deps, held, 'snapshot');
  if (held === null) throw notHere(deps.catalogue.registers[PLACE_NAMES]);
  return { held, provenance, tell };
}

function refuseUnknownMunicipalities(
  { municipalities }: PlacesInMemory,
  { municipalityCodes }: Pick<PlaceQuestion, 'municipalityCodes'>,
  tell: Tell | null,
): void {
  const isUnsure = municipalityCodes.some((code) => mayBeUnread(municipalities?.unanswered, code));
  if (municipalityCodes.length > 0 && (tell === null || isUnsure)) throw noMunicipalities();
}

const hasUnread = ({ copy: { unanswered } }: PlacesInMemory): boolean =>
  (unanswered?.objects ?? []).length + (unanswered?.names ?? []).length > 0;

interface Reading<T> {
  readonly inMemory: (finder: PlaceFinder) => Promise<readonly T[]>;
  readonly inStore: () => Promise<PlacesRead<T>>;
}

async function read<T extends { readonly place: NamedPlace }>(
  deps: PlacesDeps,
  reading: Reading<T>,
): Promise<PlacesAnswer<readonly T[]> & Pick<PublishedCopy, 'unanswered'>> {
  const held = await readMemory(deps, reading);
  const { found, generation, ...copies } =
    held ??
    (await reading.inStore().catch((cause: unknown) => {
      throw unreadableCopy(deps, deps.catalogue.registers[PLACE_NAMES], { cause });
    }));
  const by = held === null ? 'store' : 'snapshot';
  const { provenance, tell } = copiesProvenance(deps, copies, by);
  const told = tell ?? withoutMunicipalities;
  const value = told === ALL ? found : found.map((each) => ({ ...each, place: told(each.place) }));
  const facts = { generation, provenance, isPartial: tell === null };
  return { ...facts, value, unanswered: copies.copy?.unanswered ?? null };
}

/**
 * Whether an unreadable place (D143) may belong to the result: a found one has such a row; its name
 * equals the text, or begins with it and the list has room; or, where no result begins with the
 * text, its name is similar or unknown.
 */
function mayBeCalled(
  unanswered: PublishedCopy['unanswered'],
  { text, limit }: PlaceQuestion,
  found: readonly NamedPlace[],
): boolean {
  const unread = unreadNames(unanswered?.names);
  if (found.some(({ id }) => unanswered?.objects?.includes(id) === true)) return true;
  if (unread === null) return false;
  const fit = unread.fit(text);
  if (fit === 'same') return true;
  const [best] = found;
  const known = unreadNames(best?.spellings.map(({ name }) => name))?.fit(text) ?? 'like';
  if (known === 'like') return unread.hasUnknown || fit !== null;
  return fit === 'begins' && found.length < limit;
}

async function readMemory<T>(
  deps: PlacesDeps,
  { inMemory }: Reading<T>,
): Promise<(PlacesRead<T> & { readonly standing: Standing }) | null> {
  const held = deps.memory();
  if (held === null) return null;
  const standing = heldStanding(deps, deps.catalogue.registers[PLACE_NAMES], held.copy);
  if (standing === null) return null;
  try {
    const found = await inMemory(held.finder);
    return { ...held, found, standing };
  } catch (error) {
    // Replaced during the read, or damaged. If the disk hangs the store answers.
    if (error instanceof DiskSilent) return null;
    if (deps.memory()?.finder === held.finder) deps.onDamagedFile?.(held, error);
    return null;
  }
}

/** An empty list would say that the place lies in no municipality. */
function withoutMunicipalities(place: NamedPlace): NamedPlace {
  return { ...place, municipalities: null };
}

type Tell = (place: NamedPlace) => NamedPlace;

const ALL: Tell = (place) => place;

/** None where an unreadable municipality may contain the place (D143). */
function tellingOf({ unanswered = null }: PublishedCopy): Tell {
  if (unanswered === null) return ALL;
  return (place) => (meetsUnread(unanswered, place.boundsM) ? withoutMunicipalities(place) : place);
}

interface Copies {
  readonly copy: PublishedCopy | null;
  readonly standing?: Standing;
  readonly municipalities: PublishedCopy | null;
}

function copiesProvenance(
  deps: PlacesDeps,
  held: Copies | null,
  by: Moment['by'],
): { readonly provenance: readonly Provenance[]; readonly tell: Tell | null } {
  const { catalogue, clock } = deps;
  const names = answeringCopy(deps, catalogue.registers[PLACE_NAMES], {
    ...{ copy: held?.copy ?? null, by, standing: held?.standing ?? null },
  });
  const municipalities = held?.municipalities ?? null;
  const joined = joinedCopy(deps, catalogue.areas.kommune, {
    ...{ copy: municipalities, by, nowMs: clock.nowMs() },
  });
  if (joined === null || municipalities === null) return { provenance: [names], tell: null };
  return { provenance: [names, joined], tell: tellingOf(municipalities) };
}

/** Whether the row is this place's may be unknown (D143). */
function torn(): Failure {
  return upstreamUnavailable(
    'The register holds rows of a place asked for that cannot be read.',
    'Registret har rækker om et sted, der spørges om, som ikke kan læses.',
  );
}

export function noMunicipalities(): Failure {
  return upstreamUnavailable(
    'No copy of the municipalities can answer which places lie in them: kommunekode cannot be used now.',
    'Ingen kopi af kommunerne kan sige, hvilke steder der ligger i dem: kommunekode kan ikke bruges nu.',
  );
}

/** There may be places outside the covered land (D142). */
function noneCovered({ name }: Land): Failure {
  return new Failure('not_found', {
    code: 'outside_coverage',
    error: `What lies here is not known: the copy covers ${name} only.`,
    errorDa: `Hvad der ligger her, kendes ikke: kopien dækker kun ${name}.`,
  });
}

const NO_PLACE = {
  error: 'The register holds no place with this id.',
  errorDa: 'Registret har intet sted med dette id.',
};

function unknownType(type: string): Failure {
  return new Failure('invalid_request', {
    error: `The parameter type must be a main type or a subtype of the register; ${type} is none.`,
    errorDa: `Parameteren type skal være en hovedtype eller undertype i registret; ${type} er ingen.`,
  });
}

export interface PlaceLookups extends WithTail {
  readonly places: Places;
  readonly coverage: Coverage | null;
}
