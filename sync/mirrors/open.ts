/** The only place that distinguishes kinds of mirrors. */
import { mirroredOf } from '../../src/layers/catalogue.ts';
import type { Layer } from '../../src/layers/catalogue.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import type { ClaimedRun, Replay, SyncDeps } from '../deps.ts';
import type { Mirror } from '../mirror.ts';
import { apply } from './features/apply.ts';
import type { FeatureKind } from './features/kind.ts';
import { layersOf } from './layers-of.ts';
import { FeatureMirror } from './features/mirror.ts';
import { TableMirror } from './tables/mirror.ts';

export interface Opening {
  readonly layer: MirrorId;
  readonly replay?: Replay;
  readonly dated?: boolean;
  readonly publish?: typeof apply;
  readonly by?: string | null;
}

export function kindOf({ id, dated }: Pick<Layer, 'id' | 'dated'>): FeatureKind {
  return {
    derive: layersOf(id).derive,
    // Of what has scales, only rows of the mirrored one. A line's own dates say nothing of its
    // source.
    sourceRows: ({ source, staged, received }) => (dated ? staged : source && received),
  };
}

/** Throws where a replay is of another kind of source. */
export function openMirror(deps: SyncDeps, claimed: ClaimedRun, opening: Opening): Mirror {
  const { layer: id, replay = null, dated = false, publish = apply } = opening;
  const by = opening.by ?? '';
  const mirrored = mirroredOf(deps.catalogue, id);
  if ('tables' in mirrored) {
    const read = replay === null ? null : { ...replay, read: tablesOf(replay, id) };
    return new TableMirror(deps, claimed, { register: mirrored, replay: read, by });
  }
  const kind = kindOf(mirrored);
  const read = replay === null ? null : { ...replay, read: featuresOf(replay, id) };
  return new FeatureMirror(deps, claimed, {
    layer: mirrored,
    kind,
    replay: read,
    dated,
    publish,
    by,
  });
}

function tablesOf({ read }: Replay, id: MirrorId) {
  if (read.way !== 'tables') throw new Error(`${id} is read from tables, and these are none.`);
  return read;
}

function featuresOf({ read }: Replay, id: MirrorId) {
  if (read.way === 'tables') throw new Error(`${id} is not read from tables, and these are some.`);
  return read;
}
