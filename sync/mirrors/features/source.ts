/** The listed file, or the WFS if there is no file, no listing, or the copy is newer. */
import { createHash } from 'node:crypto';
import type { ListedFile, TableFile } from '../../../src/downloads/listing.ts';
import { chooseFile, heldBy, madeAtMs } from '../../../src/downloads/listing.ts';
import type { Layer } from '../../../src/layers/catalogue.ts';
import type { FileSource } from '../../../src/layers/source.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import { checkFile } from '../../check.ts';
import type { Refusal } from '../../check.ts';
import type { FeatureReplay, Run, SyncDeps } from '../../deps.ts';
import type { KnownOrigin, MirroredFile } from './origin.ts';

export type Choice =
  | { readonly kind: 'wfs'; readonly note: string | null }
  | { readonly kind: 'file'; readonly source: FileSource; readonly file: TableFile }
  | { readonly kind: 'same'; readonly file: TableFile }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

const READING = 3;

export function readAs({ mapping, geometry }: Layer, source: FileSource): string {
  const { entity, format, keyProperty, geometryProperty, srsName, dagiScale = null } = source;
  const settings = [READING, mapping, geometry, entity, format, keyProperty, geometryProperty];
  return createHash('sha256')
    .update(JSON.stringify([...settings, srsName, dagiScale]))
    .digest('hex')
    .slice(0, 16);
}

/** Throws only for non-upstream errors, and when the run is aborted. */
export async function chooseSource(
  deps: Pick<SyncDeps, 'downloads' | 'keys' | 'clock'>,
  run: Pick<Run, 'layer' | 'replay' | 'signal'>,
  known: { readonly origin: KnownOrigin | null; readonly liftedGuards: readonly string[] },
): Promise<Choice> {
  const { downloads, keys, clock } = deps;
  const { layer, signal } = run;
  const { files: source } = layer;
  if (run.replay !== null) return readBefore(run.replay, layer);
  if (source === null || downloads === undefined) return { kind: 'wfs', note: null };
  const apiKey = keys[source.host] ?? null;
  if (source.apiKeyParameter !== null && apiKey === null) {
    return { kind: 'wfs', note: `${source.host} asks for an API key, and none is configured` };
  }
  let file: TableFile | null;
  let listed: readonly ListedFile[];
  try {
    listed = await downloads.list(source, { signal, apiKey });
    file = chooseFile(listed, source, clock.nowMs());
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || signal.aborted) throw error;
    return { kind: 'wfs', note: error.message };
  }
  if (file === null) {
    const note = `no table of ${source.entity} in ${source.format} is listed. ${heldBy(listed, source)}`;
    return { kind: 'wfs', note };
  }
  return judge(file, { ...known, source, layer, nowMs: clock.nowMs() });
}

/** A replay reads what was read, whatever is listed now. */
function readBefore({ read }: FeatureReplay, { id, files }: Layer): Choice {
  if (read.way === 'wfs') return { kind: 'wfs', note: null };
  if (files === null) throw new Error(`By the settings of today ${id} is not read from files.`);
  return { kind: 'file', source: { ...files, format: read.format }, file: read.file };
}

interface Known {
  readonly origin: KnownOrigin | null;
  readonly liftedGuards: readonly string[];
  readonly source: FileSource;
  readonly layer: Layer;
  readonly nowMs: number;
}

function judge(file: TableFile, known: Known): Choice {
  const { origin, source, liftedGuards } = known;
  // Versions have separate counters.
  const last = origin?.file?.version === file.version ? origin.file : null;
  const lastGeneration = last?.generation ?? null;
  const { bytes, generation } = file;
  const { minBytes } = source;
  const refusals = checkFile({ bytes, minBytes, generation, lastGeneration }, liftedGuards);
  if (refusals.length > 0) return { kind: 'refused', refusals };
  const older = olderThanCopy(file, known);
  if (older !== null) return { kind: 'refused', refusals: [older] };
  if (last === null || origin?.isCurrent !== true || !isSame(file, last)) {
    return { kind: 'file', source, file };
  }
  if (origin.via === 'wfs') return { kind: 'wfs', note: `the copy is newer than ${file.name}` };
  return isStillTrue(last, known) ? { kind: 'same', file } : { kind: 'file', source, file };
}

/** A file of another version that was made before the copy's: times order different counters. */
function olderThanCopy(file: TableFile, { origin, liftedGuards }: Known): Refusal | null {
  const last = origin?.file ?? null;
  const madeMs = madeAtMs(file);
  const { madeAtMs: hadMs = null } = last ?? {};
  if (last === null || last.version === file.version || liftedGuards.includes('generation'))
    return null;
  if (madeMs === null || hadMs === null || madeMs >= hadMs) return null;
  return {
    guard: 'generation',
    message: `${file.name} was made before ${last.name}, which was mirrored.`,
    numbers: { madeAt: madeMs / 1000, lastMadeAt: hadMs / 1000 },
  };
}

/** DAGI files are often listed without MD5; then the counter must do. */
function isSame({ generation, md5 }: TableFile, last: MirroredFile): boolean {
  return generation === last.generation && (md5 === null || md5 === last.md5);
}

function isStillTrue(last: MirroredFile, { layer, source, nowMs }: Known): boolean {
  const isDue = last.nextChangeMs !== null && last.nextChangeMs <= nowMs;
  return !isDue && last.readAs === readAs(layer, source);
}
