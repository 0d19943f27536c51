/** The only place that distinguishes kinds of mirrors. */
import { mirroredOf } from '../../src/layers/catalogue.ts';
import type { MirrorId } from '../../src/layers/keys.ts';
import type { ClaimedRun, Replay, SyncDeps } from '../deps.ts';
import type { Mirror } from '../mirror.ts';
import { apply } from './features/apply.ts';
import { FeatureMirror } from './features/mirror.ts';
import { TableMirror } from './tables/mirror.ts';

export interface Opening {
  readonly layer: MirrorId;
  readonly replay?: Replay;
  readonly dated?: boolean;
  readonly publish?: typeof apply;
  readonly by?: string | null;
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
  const read = replay === null ? null : { ...replay, read: featuresOf(replay, id) };
  const of = { layer: mirrored, replay: read, dated, publish, by };
  return new FeatureMirror(deps, claimed, of);
}

function tablesOf({ read }: Replay, id: MirrorId) {
  if (read.way !== 'tables') throw new Error(`${id} is read from tables, and these are none.`);
  return read;
}

function featuresOf({ read }: Replay, id: MirrorId) {
  if (read.way === 'tables') throw new Error(`${id} is not read from tables, and these are some.`);
  return read;
}
