import type { ChangeSource } from '../changes/source.ts';
import type { ChangeEvent, Row } from '../changes/types.ts';
import type { Workers } from '../core/tasks/workers.ts';
import type { MirrorId } from '../layers/keys.ts';
import { readKeys, relatedRows, tableOf, touchedPolygons } from './compare-store.ts';
import type { DueList, PlacedChange } from './compare-store.ts';
import { objectOf, packKeys } from './keys.ts';
import type { KeyKind } from './kinds.ts';
import { WATCH_LIMITS } from './limits.ts';
import { keysOf } from './relations.ts';
import type { ChangedRow, KeysOfKind } from './relations.ts';
import { COMPARE_KEYS } from './tasks.ts';
import { Found, sentEvent } from './payload.ts';
import type { SentEvent } from './payload.ts';

export interface ComparisonOptions {
  readonly source: ChangeSource;
  readonly workers: Pick<Workers, 'run'>;
  readonly register: MirrorId;
  readonly lists: readonly DueList[];
}

/** A list's objects by event. */
type Touched = Map<number, (string | number)[]>;

export class Comparison {
  readonly #options: ComparisonOptions;
  readonly #ofKeys: ReadonlyMap<KeyKind, readonly DueList[]>;
  readonly #ofPolygons: readonly DueList[];
  readonly #found = new Map<string, Found>();
  #sent: SentEvent[] = [];
  #rows: ChangedRow[] = [];
  #placed: PlacedChange[] = [];
  #chars = 0;

  constructor(options: ComparisonOptions) {
    this.#options = options;
    const kinds = Map.groupBy(options.lists, ({ kind }) => kind);
    this.#ofPolygons = kinds.get('polygon') ?? [];
    this.#ofKeys = new Map(
      [...kinds].flatMap(([kind, all]) => (kind === 'polygon' ? [] : [[kind, all] as const])),
    );
  }

  /** true: a batch is full. */
  add(event: ChangeEvent): boolean {
    const { source, register } = this.#options;
    const place = this.#sent.length;
    const rows = [event.before, event.after].filter((row) => row !== null);
    const geometries = this.#ofPolygons.length > 0 ? rows.flatMap(geometriesOf) : [];
    for (const geometry of new Set(geometries)) {
      this.#placed.push({ place, geometry });
      this.#chars += geometry.length;
    }
    const table = tableOf(source, register, event.entity);
    this.#rows.push({ table: table?.table ?? event.entity, rows: rows.map(withoutGeometry) });
    this.#sent.push(sentEvent(event, table));
    const { events, geometryChars } = WATCH_LIMITS.batch;
    return this.#sent.length >= events || this.#chars >= geometryChars;
  }

  async flush(): Promise<void> {
    const [sent, rows, placed] = [this.#sent, this.#rows, this.#placed];
    [this.#sent, this.#rows, this.#placed, this.#chars] = [[], [], [], 0];
    if (sent.length === 0) return;
    const { source } = this.#options;
    const keys = await keysOf(rows, new Set(this.#ofKeys.keys()), relatedRows(source));
    for (const [kind, lists] of this.#ofKeys)
      await this.#compareKeys(kind, lists, keys[kind], sent);
    await this.#comparePolygons(placed, sent);
  }

  /** By list. */
  async end(): Promise<ReadonlyMap<string, Found>> {
    await this.flush();
    return this.#found;
  }

  async #compareKeys(
    kind: KeyKind,
    lists: readonly DueList[],
    changed: KeysOfKind,
    sent: readonly SentEvent[],
  ): Promise<void> {
    if (changed.size === 0) return;
    const hexes = [...changed.keys()].sort();
    const packed = packKeys(hexes);
    for (const group of groupsOf(lists)) {
      const ids = group.map(({ id }) => id);
      const keys = await readKeys(this.#options.source.db, ids);
      const known = [...keys];
      const task = { changed: packed, lists: known.map(([, bytes]) => bytes) };
      const places = await this.#options.workers.run(COMPARE_KEYS, task);
      for (const [n, [id]] of known.entries()) {
        const touched = touchedBy(
          kind,
          [...(places[n] ?? [])].map((at) => hexes[at] ?? ''),
          changed,
        );
        this.#note(id, touched, sent);
      }
    }
  }

  async #comparePolygons(
    placed: readonly PlacedChange[],
    sent: readonly SentEvent[],
  ): Promise<void> {
    if (placed.length === 0) return;
    const ids = this.#ofPolygons.map(({ id }) => id);
    const byList = new Map<string, Touched>();
    for (const { place, listId, polygon } of await touchedPolygons(
      this.#options.source.db,
      ids,
      placed,
    )) {
      const touched = byList.get(listId) ?? new Map();
      byList.set(listId, touched);
      touch(touched, place, polygon);
    }
    for (const [id, touched] of byList) this.#note(id, touched, sent);
  }

  #note(id: string, touched: Touched, sent: readonly SentEvent[]): void {
    if (touched.size === 0) return;
    const found = this.#found.get(id) ?? new Found();
    this.#found.set(id, found);
    for (const [place, objects] of [...touched].sort(([a], [b]) => a - b)) {
      const event = sent[place];
      if (event !== undefined) found.add(event, objects);
    }
  }
}

function touchedBy(kind: KeyKind, hexes: readonly string[], changed: KeysOfKind): Touched {
  const touched: Touched = new Map();
  for (const hex of hexes) {
    for (const place of changed.get(hex) ?? []) touch(touched, place, objectOf(kind, hex));
  }
  return touched;
}

function touch(touched: Touched, place: number, object: string | number): void {
  const objects = touched.get(place);
  if (objects === undefined) touched.set(place, [object]);
  else if (objects.length < WATCH_LIMITS.namedObjects && !objects.includes(object))
    objects.push(object);
}

/** Limits the lists held at a time. */
function* groupsOf(lists: readonly DueList[]): Generator<readonly DueList[]> {
  let group: DueList[] = [];
  let objects = 0;
  for (const list of lists) {
    const { lists: mostLists, objects: mostObjects } = WATCH_LIMITS.group;
    if (group.length === mostLists || (group.length > 0 && objects + list.objects > mostObjects)) {
      yield group;
      [group, objects] = [[], 0];
    }
    group.push(list);
    objects += list.objects;
  }
  if (group.length > 0) yield group;
}

function geometriesOf(row: Row): string[] {
  return Object.values(row).flatMap((value) => (isGeometry(value) ? [JSON.stringify(value)] : []));
}

function withoutGeometry(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !isGeometry(value)));
}

function isGeometry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  return 'coordinates' in value || 'geometries' in value;
}
