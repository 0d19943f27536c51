import { Failure } from '../src/kernel/failures.ts';
import { LIMITS } from '../src/kernel/limits.ts';
import { answerFromMemory } from '../src/jobs/answer-chunk.ts';
import { JOB_KINDS } from '../src/jobs/kinds/index.ts';
import type { AnyKind, Engines, KindLabels } from '../src/jobs/kinds/kind.ts';
import type { AddressFinder } from '../src/registers/addresses/addresses.ts';
import { LINE_KEYS } from '../src/layers/keys.ts';
import type { LayerId } from '../src/layers/keys.ts';
import { noAddresses } from '../src/registers/addresses/copy.ts';
import { TEN_FROM_MEMORY, answererOf } from '../src/registers/lines/measures.ts';
import type { LineAnswerer } from '../src/registers/lines/measures.ts';
import { coveredLines } from '../src/registers/lines/covered.ts';
import type { Lands } from '../src/memory/covered-lands.ts';
import { nearestWithin } from '../src/registers/addresses/reverse.ts';
import { placeUnanswered, uncovered } from '../src/registers/areas/reverse.ts';
import { noAccessAddress } from '../src/jobs/kinds/row-reader.ts';
import { EngineCache, SnapshotSet } from '../src/memory/snapshot-set.ts';
import type { AreaReader, SetLayer } from '../src/memory/snapshot-set.ts';
import { openAddressIndex } from '../src/registers/addresses/index/address-index.ts';
import { createAddressFinder } from '../src/registers/addresses/index/finder.ts';
import { sealOf } from '../src/snapshot/format.ts';
import { openLayerSnapshot } from '../src/snapshot/layer.ts';
import { placedEngine } from './engines.ts';
import { openLands } from './lands.ts';
import { handOver } from './pool-move.ts';
import type { JobChunk, JobChunkTask } from '../src/jobs/chunk-types.ts';
import type { SharedSnapshot } from '../src/snapshot/layer.ts';

const COPY = { version: 0, syncedAtMs: 0, held: false };

export default function run(task: JobChunkTask): JobChunk {
  const { generation } = task;
  const part = answerFromMemory(task, {
    kind: labelledKind(task),
    engines: new Task(task),
    generation,
  });
  return handOver(part, [part.results.buffer, part.errors.buffer]);
}

/** Opens what a row needs on first use. */
class Task implements Engines {
  readonly #task: JobChunkTask;
  #areas: AreaReader | null = null;
  #lines: LineAnswerer | null = null;
  readonly #judge: ReturnType<typeof nearestWithin>;
  readonly #lands: Lands | null;

  constructor(task: JobChunkTask) {
    this.#task = task;
    const { lands, addressLand } = task;
    const [ofAddresses = null, ...opened] = openLands([addressLand, ...(lands ?? [])]);
    this.#lands = lands && opened;
    this.#judge = nearestWithin(ofAddresses, LIMITS.addressRadiusM.default);
  }

  readonly findAccess: Engines['findAccess'] = (id) => {
    const found = this.#finder().addressIndex.access(id.toLowerCase());
    const { addressLand } = this.#task;
    if (found === null && addressLand !== null) throw noAccessAddress(addressLand);
    return found;
  };

  areas: Engines['areas'] = (point) => {
    const outside = this.#lands && uncovered(this.#lands, point);
    if (outside !== null) return outside;
    this.#areas ??= areaReader(this.#task.snapshots);
    const missing = this.#areas.unansweredAt(point.utm32);
    if (missing !== null) return placeUnanswered(missing);
    return { point, areas: this.#areas.at(point.utm32), provenance: [] };
  };

  lines: Engines['lines'] = (point) => {
    this.#lines ??= lineAnswerer(this.#task);
    const answer = this.#lines(point, TEN_FROM_MEMORY);
    return this.#lands === null ? answer : coveredLines(answer, this.#lands);
  };

  nearest: Engines['nearest'] = (point) => {
    const { addressIndex } = this.#finder();
    const { default: radiusM } = LIMITS.addressRadiusM;
    return this.#judge(point.utm32, addressIndex.nearest(point.utm32, radiusM));
  };

  cleanse: Engines['cleanse'] = (written) =>
    this.#finder().cleanse(written, null, LIMITS.cleanseCandidates);

  #finder(): AddressFinder {
    const { addressIndex } = this.#task;
    if (addressIndex === null) throw noAddresses();
    return finderOf(addressIndex);
  }
}

function lineAnswerer(task: JobChunkTask): LineAnswerer {
  const engines = LINE_KEYS.map((key) => placedEngine(shared(task, key)));
  return answererOf(engines, task.radiusM);
}

function shared({ snapshots }: JobChunkTask, layer: LayerId): SharedSnapshot {
  const found = snapshots.find((each) => each.layer === layer);
  if (found === undefined)
    throw new Failure('internal_error', { error: `No snapshot of ${layer}.` });
  return found;
}

/** Memoized by bytes: a transferred buffer is a new object each time. */
class Kept<T> {
  #key = '';
  #value: T | null = null;

  of(key: string, make: () => T): T {
    if (this.#value === null || this.#key !== key) this.#value = make();
    this.#key = key;
    return this.#value;
  }
}

const readers = new Kept<AreaReader>();
const finders = new Kept<AddressFinder>();
const kinds = new Kept<AnyKind>();

function areaReader(snapshots: readonly SharedSnapshot[]): AreaReader {
  const key = snapshots.map(({ layer, buffer }) => `${layer} ${keyOf(buffer)}`).join();
  return readers.of(key, () => {
    const layers = new Map<LayerId, SetLayer>();
    for (const { layer, buffer, unanswered = null } of snapshots) {
      const snapshot = openLayerSnapshot(buffer, { verified: true });
      layers.set(layer, { copy: { ...COPY, unanswered }, snapshot });
    }
    const reader = new SnapshotSet(0, layers, new EngineCache()).areaReader();
    if (reader === null) throw new Error('A theme is missing among the snapshots of a task.');
    return reader;
  });
}

function finderOf(buffer: SharedArrayBuffer): AddressFinder {
  return finders.of(keyOf(buffer), () =>
    createAddressFinder(openAddressIndex(buffer, { verified: true })),
  );
}

function keyOf(buffer: SharedArrayBuffer): string {
  return `${sealOf(buffer)}:${buffer.byteLength}`;
}

function labelledKind({ kind, labels }: JobChunkTask): AnyKind {
  const text = Buffer.from(labels).toString('utf8');
  return kinds.of(`${kind} ${text}`, () => JOB_KINDS[kind].rows(JSON.parse(text) as KindLabels));
}
