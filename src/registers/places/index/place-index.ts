import { remember } from '../../../kernel/remember.ts';
import { boxOfPoint } from '../../../geo/box.ts';
import { ringsCover } from '../../../geo/covers.ts';
import { geometryDistance } from '../../../geo/distance.ts';
import type { PointUtm32 } from '../../../geo/point.ts';
import { cacheOfRecent } from '../../../kernel/cache.ts';
import { compareTexts, lowerBound } from '../../../kernel/compare.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import type {
  NamedPlace,
  NearPlace,
  PlaceFinder,
  PlaceQuestion,
  PlaceScan,
  PlaceTypeFound,
  ShapedPlace,
} from '../places.ts';
import { PLACE_TYPES } from '../types.ts';
import { NameIndex, readNames } from '../../../names/name-index.ts';
import { normalize } from '../../../names/normalize.ts';
import { editsAllowed } from '../../../names/unread-names.ts';
import { unpack } from '../../../snapshot/format.ts';
import type { Container } from '../../../snapshot/format.ts';
import { PackedTree } from '../../../snapshot/packed-tree.ts';
import { anyCodes, unpackTexts } from '../../../snapshot/texts.ts';
import type { TextList } from '../../../snapshot/texts.ts';
import { BestPlaces } from './best-places.ts';
import { NUMBERS, PLACES_KIND } from './place-format.ts';
import type { PlacesMeta } from './place-format.ts';
import { PlaceShapes } from './place-shapes.ts';

type Columns = ReturnType<typeof readColumns>;

function readColumns(from: Container<unknown>) {
  const ids = unpackTexts(from, 'ids');
  return {
    ids,
    mainTypes: unpackTexts(from, 'mainTypes'),
    subtypes: unpackTexts(from, 'subtypes'),
    statuses: unpackTexts(from, 'statuses'),
    priorities: unpackTexts(from, 'priorities'),
    names: unpackTexts(from, 'names'),
    mainType: anyCodes(from, 'place.mainType'),
    subtype: anyCodes(from, 'place.subtype'),
    numbers: from.floats('place.numbers'),
    inhabitants: from.words('place.inhabitants'),
    municipalityStarts: from.words('place.municipalityStarts'),
    municipalities: from.words('place.municipalities'),
    spellings: from.words('place.spellings'),
    area: from.floats('place.area'),
    shapes: { ends: from.floats('place.shapeEnds'), sums: from.words('place.shapeSums') },
    byId: from.words('place.byId'),
    tree: new PackedTree(from.bytes('place.tree'), ids.count),
    name: anyCodes(from, 'spelling.name'),
    status: anyCodes(from, 'spelling.status'),
    priority: anyCodes(from, 'spelling.priority'),
    placeOf: from.words('spelling.place'),
    order: from.words('spelling.order'),
    nameStarts: from.words('name.starts'),
    nameSpellings: from.words('name.spellings'),
    index: readNames(from),
  };
}

/** Throws SnapshotRefused, or if the file of geometries is missing. */
export function openPlaceIndex(
  buffer: SharedArrayBuffer,
  shapesPath: string,
  { verified = false }: { readonly verified?: boolean } = {},
): PlaceFinder {
  const container = unpack<PlacesMeta>(buffer, { kind: PLACES_KIND, verified });
  const columns = readColumns(container);
  return new OpenPlaces(container.meta, columns, new PlaceShapes(shapesPath, columns.shapes));
}

const VERTEX_BYTES = 16;

interface Wanted {
  readonly types: { readonly main: number; readonly sub: ReadonlySet<number> } | null;
  readonly municipalities: ReadonlySet<number> | null;
}

class OpenPlaces implements PlaceFinder {
  readonly version: number;
  readonly placeCount: number;
  readonly municipalities: PlaceFinder['municipalities'];
  readonly #columns: Columns;
  readonly #shapes: PlaceShapes;
  readonly #names: NameIndex;
  readonly #placeByOrder: Uint32Array;
  readonly #municipalities: readonly (readonly [code: string, name: string])[] | null;
  readonly #mainTypes: ReadonlyMap<string, number>;
  readonly #subtypes: ReadonlyMap<string, ReadonlySet<number>>;
  #types: readonly PlaceTypeFound[] | null = null;
  readonly #shortTexts = cacheOfRecent<readonly NamedPlace[]>(
    LIMITS.places.shortTexts.kept.answers,
    () => undefined,
  );

  constructor({ version, municipalities }: PlacesMeta, columns: Columns, shapes: PlaceShapes) {
    this.version = version;
    this.placeCount = columns.ids.count;
    this.municipalities = municipalities?.copy ?? null;
    this.#municipalities = municipalities?.names ?? null;
    this.#columns = columns;
    this.#shapes = shapes;
    this.#names = new NameIndex(columns.index);
    this.#placeByOrder = new Uint32Array(columns.order.length);
    for (const [spelling, at] of columns.order.entries()) {
      this.#placeByOrder[at] = columns.placeOf[spelling]!;
    }
    this.#mainTypes = new Map(textsOf(columns.mainTypes).map(([text, code]) => [text, code]));
    const subtypes = Map.groupBy(textsOf(columns.subtypes), ([text]) => text);
    this.#subtypes = new Map(
      [...subtypes].map(([text, found]) => [text, new Set(found.map(([, code]) => code))]),
    );
  }

  knowsType(type: string): boolean {
    const wanted = type.toLowerCase();
    if (this.#mainTypes.has(wanted) || this.#subtypes.has(wanted)) return true;
    return PLACE_TYPES.some(({ entity }) => entity.toLowerCase() === wanted);
  }

  search(question: PlaceQuestion): readonly NamedPlace[] {
    const text = normalize(question.text);
    if (text === '') return [];
    const { shortChars, kept } = LIMITS.places.shortTexts;
    // One or two letters begin thousands of names and are in every typed search, so the answer is
    // cached.
    if (text.length > shortChars || question.limit > kept.places) {
      return this.#search(text, question);
    }
    const { type, municipalityCodes, limit } = question;
    const key = JSON.stringify([text, type?.toLowerCase(), municipalityCodes, limit]);
    return remember(this.#shortTexts, key, () => this.#search(text, question));
  }

  #search(text: string, question: PlaceQuestion): readonly NamedPlace[] {
    const wanted = this.#wanted(question);
    const best = new BestPlaces(question.limit, this.#placeByOrder);
    const offer = (name: number, rank: number): void => this.#offer(best, wanted, { name, rank });
    for (const { name } of this.#names.same(text)) offer(name, 0);
    this.#names.beginning(text, offer);
    const most = editsAllowed(text.length);
    for (let edits = 1; edits <= most && best.isEmpty; edits++) {
      for (const match of this.#names.nearBeginning(text, edits))
        offer(match.name, 2 + match.edits);
    }
    return best.places().map((place) => this.#place(place));
  }

  *scan({ mainTypes, subtypes, municipalityCodes }: PlaceScan): Generator<NamedPlace> {
    const { byId, mainType, subtype } = this.#columns;
    const wanted = this.#wanted({ type: null, municipalityCodes });
    const mains = new Set(mainTypes.map((text) => this.#mainTypes.get(text.toLowerCase())));
    const subs = new Set(
      subtypes.flatMap((text) => [...(this.#subtypes.get(text.toLowerCase()) ?? [])]),
    );
    for (const place of byId) {
      if (mainTypes.length > 0 && !mains.has(mainType[place])) continue;
      if (subtypes.length > 0 && !subs.has(subtype[place]!)) continue;
      if (this.#isWanted(place, wanted)) yield this.#place(place);
    }
  }

  get types(): readonly PlaceTypeFound[] {
    return (this.#types ??= this.#readTypes());
  }

  #readTypes(): readonly PlaceTypeFound[] {
    const { mainType, subtype, mainTypes, subtypes } = this.#columns;
    const found = new Map<string, Set<string>>();
    for (let place = 0; place < this.placeCount; place++) {
      const main = mainTypes.at(mainType[place]!);
      const own = found.get(main) ?? new Set();
      found.set(main, own);
      if (subtype[place]! > 0) own.add(subtypes.at(subtype[place]!));
    }
    return [...found]
      .map(([main, own]) => ({ mainType: main, subtypes: [...own].toSorted(compareTexts) }))
      .toSorted((a, b) => compareTexts(a.mainType, b.mainType));
  }

  async find(id: string): Promise<ShapedPlace | undefined> {
    const place = this.#placeOf(id);
    if (place === null) return undefined;
    return await this.#shapes.hold(async () => {
      const { ends } = this.#columns.shapes;
      const bytes = ends[place]! - (place === 0 ? 0 : ends[place - 1]!);
      // Most of it is vertices, so they are counted only where there may be too many.
      const isSmall = bytes <= LIMITS.places.vertices * VERTEX_BYTES;
      const isShown = isSmall || (await this.#verticesOf(place)) <= LIMITS.places.vertices;
      const wkb = isShown ? await this.#shapes.wkb(place) : null;
      return { place: this.#place(place), wkb };
    });
  }

  async near(point: PointUtm32, radiusM: number): Promise<readonly NearPlace[]> {
    const { tree, area } = this.#columns;
    const { minX, minY, maxX, maxY } = boxOfPoint(point, radiusM);
    const places = tree.meeting([minX, minY, maxX, maxY]);
    return await this.#shapes.hold(async () => {
      const measured = await Promise.all(
        places.map(async (place) => {
          const rings = await this.#shapes.rings(place);
          const distanceM = geometryDistance(rings, point);
          // A point on a line is not inside an area.
          const isAround = distanceM === 0 && ringsCover(rings, point);
          return { place, isAround, distanceM, by: isAround ? area[place]! : distanceM };
        }),
      );
      return measured
        .filter(({ distanceM }) => distanceM <= radiusM)
        .sort((a, b) => Number(b.isAround) - Number(a.isAround) || a.by - b.by || a.place - b.place)
        .slice(0, LIMITS.places.near)
        .map(({ place, distanceM }) => ({ place: this.#place(place), distanceM }));
    });
  }

  retire(): void {
    this.#shapes.retire();
  }

  async #verticesOf(place: number): Promise<number> {
    return (await this.#shapes.rings(place)).xy.length / 2;
  }

  #placeOf(id: string): number | null {
    const { byId, ids } = this.#columns;
    const span = { from: 0, to: byId.length };
    const place = byId[lowerBound(span, (at) => compareTexts(ids.at(byId[at]!), id) < 0)];
    return place !== undefined && ids.at(place) === id ? place : null;
  }

  #offer(
    best: BestPlaces,
    wanted: Wanted,
    { name, rank }: { readonly name: number; readonly rank: number },
  ): void {
    const { nameStarts, nameSpellings, placeOf, order } = this.#columns;
    for (let at = nameStarts[name]!; at < nameStarts[name + 1]!; at++) {
      const spelling = nameSpellings[at]!;
      if (!best.wants(rank, order[spelling]!)) continue;
      if (this.#isWanted(placeOf[spelling]!, wanted)) best.add(rank, order[spelling]!);
    }
  }

  #wanted({ type, municipalityCodes }: Pick<PlaceQuestion, 'type' | 'municipalityCodes'>): Wanted {
    const text = type?.toLowerCase() ?? null;
    const codes = new Set(municipalityCodes);
    return {
      types:
        text === null
          ? null
          : { main: this.#mainTypes.get(text) ?? -1, sub: this.#subtypes.get(text) ?? new Set() },
      municipalities:
        codes.size === 0
          ? null
          : new Set(this.#municipalities?.flatMap(([code], i) => (codes.has(code) ? [i] : []))),
    };
  }

  #isWanted(place: number, { types, municipalities }: Wanted): boolean {
    const { mainType, subtype, municipalityStarts } = this.#columns;
    if (types !== null && mainType[place] !== types.main && !types.sub.has(subtype[place]!)) {
      return false;
    }
    if (municipalities === null) return true;
    for (let at = municipalityStarts[place]!; at < municipalityStarts[place + 1]!; at++) {
      if (municipalities.has(this.#columns.municipalities[at]!)) return true;
    }
    return false;
  }

  #place(place: number): NamedPlace {
    const columns = this.#columns;
    const number = (n: number): number => columns.numbers[NUMBERS * place + n]!;
    const spellings = [];
    for (let at = columns.spellings[place]!; at < columns.spellings[place + 1]!; at++) {
      spellings.push({
        name: columns.names.at(columns.name[at]!),
        status: textAt(columns.statuses, columns.status[at]!),
        priority: textAt(columns.priorities, columns.priority[at]!),
      });
    }
    const inhabitants = columns.inhabitants[place]!;
    return {
      id: columns.ids.at(place),
      spellings,
      mainType: columns.mainTypes.at(columns.mainType[place]!),
      subtype: textAt(columns.subtypes, columns.subtype[place]!),
      position: { xUtm32: number(0), yUtm32: number(1) },
      boundsM: [number(2), number(3), number(4), number(5)],
      municipalities: this.#municipalitiesOf(place),
      inhabitants: inhabitants === 0 ? null : inhabitants - 1,
    };
  }

  #municipalitiesOf(place: number): NamedPlace['municipalities'] {
    if (this.#municipalities === null) return null;
    const { municipalityStarts, municipalities } = this.#columns;
    const found = [];
    for (let at = municipalityStarts[place]!; at < municipalityStarts[place + 1]!; at++) {
      const [code, name] = this.#municipalities[municipalities[at]!]!;
      found.push({ code, name });
    }
    return found;
  }
}

function textAt(texts: TextList, code: number): string | null {
  return code === 0 ? null : texts.at(code);
}

function textsOf(texts: TextList): readonly (readonly [string, number])[] {
  return Array.from({ length: texts.count - 1 }, (_, i) => [texts.at(i + 1).toLowerCase(), i + 1]);
}
