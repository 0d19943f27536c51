/**
 * Place names by text, by id and by point (D121 to D123, D140). Texts are looked for in the index in
 * memory; a geometry, and what lies around a point, the store answers. There is no register to ask behind
 * either: a fresh copy answers, an old one answers marked stale, and past its hard limit nothing does (D34).
 */
import type { Clock } from '../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../kernel/failures.ts';
import { LIMITS } from '../kernel/limits.ts';
import type { Point } from '../geo/point.ts';
import type { Provenance, Watcher } from '../answers/answer.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import { PLACE_NAMES } from '../layers/keys.ts';
import type { NamedPlace, PlaceQuestion } from '../layers/places.ts';
import type { PublishedCopy } from '../layers/published-copy.ts';
import { copyAnswer, wantsSync } from '../memory/ladder.ts';
import type { PlacesInMemory } from '../memory/place-loader.ts';
import type { NearPlace, PlacesRead, ShapedPlace } from '../registers/places/store.ts';

export interface PlacesAnswer<T> {
  readonly value: T;
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

export interface Places {
  /** The best first. Throws invalid_request for a type that is none and a text without a letter. */
  search(question: PlaceQuestion): PlacesAnswer<readonly NamedPlace[]>;
  /** Throws not_found. */
  find(id: string): Promise<PlacesAnswer<ShapedPlace>>;
  near(point: Point, radiusM: number): Promise<PlacesAnswer<readonly NearPlace[]>>;
}

export interface PlacesDeps {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  /** null: nothing is in memory. */
  readonly memory: () => PlacesInMemory | null;
  /** Both throw when the store does not answer. */
  readonly readPlace: (id: string) => Promise<PlacesRead<ShapedPlace>>;
  readonly readNear: (point: Point, radiusM: number) => Promise<PlacesRead<NearPlace>>;
  readonly onExpired?: (mirror: typeof PLACE_NAMES | 'kommune') => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

/** All throw upstream_unavailable until the names are mirrored, and where the copy is too old. */
export function createPlaces(deps: PlacesDeps): Places {
  return {
    search: (question) => {
      const held = deps.memory();
      const { provenance, hasMunicipalities } = standing(deps, held, 'snapshot');
      if (held === null) throw placesNotMirrored();
      const { type, municipalityCodes } = question;
      if (type !== null && !held.finder.knowsType(type)) throw unknownType(type);
      if (municipalityCodes.length > 0 && !hasMunicipalities) throw noMunicipalities();
      const found = held.finder.search(question);
      const value = hasMunicipalities ? found : found.map(withoutMunicipalities);
      return { value, generation: held.generation, provenance };
    },
    find: async (id) => {
      const { found, answer } = await fromStore(deps, deps.readPlace(id.toLowerCase()));
      const [shaped] = found;
      if (shaped === undefined) throw unknownPlace();
      return { value: shaped, ...answer };
    },
    near: async (point, radiusM) => {
      const { found, answer } = await fromStore(deps, deps.readNear(point, radiusM));
      return { value: found, ...answer };
    },
  };
}

async function fromStore<T extends { readonly place: NamedPlace }>(
  deps: PlacesDeps,
  reading: Promise<PlacesRead<T>>,
): Promise<{ readonly found: readonly T[]; readonly answer: Omit<PlacesAnswer<T>, 'value'> }> {
  const read = await reading.catch((cause: unknown) => {
    deps.watcher?.answered(PLACE_NAMES, 'unavailable');
    throw unreadable(cause);
  });
  const { provenance, hasMunicipalities } = standing(deps, read, 'store');
  const found = hasMunicipalities
    ? read.found
    : read.found.map((each) => ({ ...each, place: withoutMunicipalities(each.place) }));
  return { found, answer: { generation: read.generation, provenance } };
}

/** A list of none would say that it lies in none. */
function withoutMunicipalities(place: NamedPlace): NamedPlace {
  return { ...place, municipalities: null };
}

interface Copies {
  readonly copy: PublishedCopy | null;
  readonly municipalities: PublishedCopy | null;
}

interface Asking {
  readonly nowMs: number;
  readonly by: 'snapshot' | 'store';
}

/** What both copies answer as; without municipalities that may answer nothing is told of them. */
function standing(
  deps: PlacesDeps,
  held: Copies | null,
  by: Asking['by'],
): { readonly provenance: readonly Provenance[]; readonly hasMunicipalities: boolean } {
  const asking = { nowMs: deps.clock.nowMs(), by };
  const names = namesAnswer(deps, held?.copy ?? null, asking);
  const joined = municipalitiesAnswer(deps, held?.municipalities ?? null, asking);
  if (joined === null) return { provenance: [names], hasMunicipalities: false };
  return { provenance: [names, joined], hasMunicipalities: true };
}

function namesAnswer(
  { catalogue, onExpired, watcher }: PlacesDeps,
  copy: PublishedCopy | null,
  asking: Asking,
): Provenance {
  const { freshness } = catalogue.registers[PLACE_NAMES];
  const names = copyAnswer(copy, freshness, asking);
  watcher?.answered(PLACE_NAMES, names?.rung ?? 'unavailable');
  if (wantsSync(copy, freshness, asking.nowMs)) onExpired?.(PLACE_NAMES);
  if (names === null) throw copy === null ? placesNotMirrored() : tooOld();
  return names;
}

function municipalitiesAnswer(
  { catalogue, onExpired }: PlacesDeps,
  copy: PublishedCopy | null,
  asking: Asking,
): Provenance | null {
  const { freshness } = catalogue.areas.kommune;
  if (wantsSync(copy, freshness, asking.nowMs)) onExpired?.('kommune');
  return copyAnswer(copy, freshness, asking);
}

/** Until the register is mirrored here for the first time, and until it is in memory. */
export function placesNotMirrored(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Upstream not configured: the place names (DS) are not here yet.',
    errorDa: 'Stednavnene (DS) er her ikke endnu.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

function tooOld(): Failure {
  return upstreamUnavailable(
    'The copy of the place names is older than it may be.',
    'Kopien af stednavnene er ældre, end den må være.',
  );
}

function noMunicipalities(): Failure {
  return upstreamUnavailable(
    'No copy of the municipalities can tell which places lie in them: kommunekode cannot be used now.',
    'Ingen kopi af kommunerne kan sige, hvilke steder der ligger i dem: kommunekode kan ikke bruges nu.',
  );
}

function unreadable(cause: unknown): Failure {
  return new Failure('upstream_error', {
    error: 'The place names cannot be read now.',
    errorDa: 'Stednavnene kan ikke læses nu.',
    cause,
  });
}

function unknownPlace(): Failure {
  return new Failure('not_found', {
    error: 'The register holds no place with this id.',
    errorDa: 'Registret har intet sted med dette id.',
  });
}

function unknownType(type: string): Failure {
  return new Failure('invalid_request', {
    error: `The parameter type must be a main type or a subtype of the register; ${type} is none.`,
    errorDa: `Parameteren type skal være en hovedtype eller undertype i registret; ${type} er ingen.`,
  });
}
