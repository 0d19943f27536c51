import type { Contract, SeenColumns, DescribedColumns } from '../../../src/layers/contract.ts';
import {
  compareContracts,
  isComplete,
  mergedColumns,
  rememberedContract,
} from '../../../src/layers/contract.ts';
import { lackingTimes, neededColumns } from '../../../src/layers/mappings/needed.ts';
import { madeAtMs } from '../../../src/downloads/listing.ts';
import { UpstreamFailure } from '../../../src/wfs/failure.ts';
import type { ParsedPage } from '../../../src/wfs/page.ts';
import type { Refusal } from '../../check.ts';
import type { Run, SyncDeps } from '../../deps.ts';
import { readPages } from './fetch.ts';
import { takeDoubled } from './doubled.ts';
import { dropTwins, stageDated } from '../../dated/stage.ts';
import { readFileParts } from './fetch-file.ts';
import type { KnownOrigin, MirroredFile, Origin, Way } from './origin.ts';
import { readOrigin } from './origin.ts';
import type { Choice } from './source.ts';
import { chooseSource, readAs } from './source.ts';
import { stagePage } from './stage.ts';

export type Reading =
  | { readonly kind: 'staged'; readonly origin: Origin }
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };

/** Fills the stage and the run's counts. Throws when the reading is not whole. */
export async function readSource(
  deps: SyncDeps,
  run: Run,
  liftedGuards: readonly string[],
): Promise<Reading> {
  const origin = await readOrigin(deps.store.db, run.layer.id);
  const from = { origin, liftedGuards };
  const choice = await chooseSource(deps, run, from);
  switch (choice.kind) {
    case 'refused':
      return choice;
    case 'same':
      run.counts.notes.push(`${choice.file.name} is the file the copy was made from`);
      return { kind: 'same' };
    case 'wfs':
      return { kind: 'staged', origin: await readWfs(deps, run, { ...from, choice }) };
    case 'file':
      return { kind: 'staged', origin: await readFile(deps, run, { ...from, choice }) };
  }
}

interface From {
  readonly origin: KnownOrigin | null;
  readonly liftedGuards: readonly string[];
}

async function stageAll(
  { store }: SyncDeps,
  run: Run,
  { pages, liftedGuards }: Pick<From, 'liftedGuards'> & { pages: AsyncIterable<ParsedPage> },
) {
  let columns: SeenColumns = {};
  let nextChangeMs = Infinity;
  for await (const page of pages) {
    await stagePage(store, run, page);
    await stageDated(store, run, page);
    columns = mergedColumns(columns, page.columns);
    nextChangeMs = Math.min(nextChangeMs, page.nextChangeMs ?? Infinity);
    run.report();
  }
  await dropTwins(store, run);
  await takeDoubled(store, run, liftedGuards.includes('duplicates'));
  return { columns, nextChangeMs: Number.isFinite(nextChangeMs) ? nextChangeMs : null };
}

async function readWfs(
  deps: SyncDeps,
  run: Run,
  by: From & { readonly choice: Extract<Choice, { kind: 'wfs' }> },
): Promise<Origin> {
  const { layer, counts } = run;
  const { note } = by.choice;
  if (note !== null) {
    counts.notes.push(`read by WFS: ${note}`);
    deps.log.warn({ layer: layer.id, run: run.id, note }, 'sync reads the WFS instead of the file');
  }
  const { columns } = await stageAll(deps, run, {
    ...by,
    pages: readPages(deps, run),
  });
  const contract = {
    origin: `wfs ${layer.source.typeName} ${layer.source.format}`,
    described: await describe(deps, run),
    seen: columns,
    complete: isComplete(columns),
  };
  const read = { way: 'wfs', contract, file: null, before: by.origin } as const;
  return settle(deps, run, read);
}

async function readFile(
  deps: SyncDeps,
  run: Run,
  by: From & { readonly choice: Extract<Choice, { kind: 'file' }> },
): Promise<Origin> {
  const { source, file } = by.choice;
  const { version, generation, generatedAt } = file;
  let md5 = '';
  const parts = readFileParts(deps, run, {
    source,
    file,
    onFetched: (read) => {
      md5 = read.md5;
      run.counts.file = { ...read, version, generation, generatedAt };
    },
  });
  const { columns, nextChangeMs } = await stageAll(deps, run, { ...by, pages: parts });
  const contract = {
    origin: `files ${source.entity} ${source.format} V${version}`,
    described: null,
    seen: columns,
    complete: isComplete(columns),
  };
  const mirrored: MirroredFile = {
    name: file.name,
    version,
    generation,
    madeAtMs: madeAtMs(file),
    md5,
    readAs: readAs(run.layer, source),
    nextChangeMs,
  };
  const read = { way: 'files', contract, file: mirrored, before: by.origin } as const;
  return settle(deps, run, read);
}

/** Without a description the columns seen are compared. */
async function describe(
  { wfs, keys }: SyncDeps,
  { layer, counts, replay, signal }: Run,
): Promise<DescribedColumns | null> {
  if (replay !== null) return null;
  const { source } = layer;
  try {
    return await wfs.fetchColumns(source, { apiKey: keys[source.host] ?? null, signal });
  } catch (error) {
    if (!(error instanceof UpstreamFailure) || signal.aborted) throw error;
    counts.notes.push(`no description of the columns: ${error.message}`);
    return null;
  }
}

function settle(
  { log }: SyncDeps,
  run: Run,
  read: {
    readonly way: Way;
    readonly contract: Contract;
    readonly file: MirroredFile | null;
    readonly before: KnownOrigin | null;
  },
): Origin {
  const { way, contract, file, before } = read;
  const { layer, counts } = run;
  const { keyProperty } = layer[way === 'wfs' ? 'source' : 'files'] ?? layer.source;
  counts.source = way;
  const last = before?.contracts[way] ?? null;
  const change = compareContracts(last, contract, neededColumns(layer.mapping, keyProperty));
  const times = timesLackedBy(read, last);
  counts.columns = { ...change, missing: [...new Set([...change.missing, ...times.unaccepted])] };
  const { added } = counts.columns;
  if (added.length > 0) {
    counts.notes.push(`new columns: ${added.join(', ')}`);
    log.warn({ layer: layer.id, run: run.id, added }, 'the source has new columns');
  }
  const remembered = rememberedContract(last, contract, counts.columns);
  return {
    via: way,
    // The newest file is remembered through times without files.
    file: file ?? before?.file ?? null,
    contracts: {
      ...before?.contracts,
      [way]: { ...remembered, ...(times.all.length > 0 && { withoutTimes: times.all }) },
    },
  };
}

function timesLackedBy(
  { way, contract }: { readonly way: Way; readonly contract: Contract },
  last: Contract | null,
): { readonly all: readonly string[]; readonly unaccepted: readonly string[] } {
  const all = way === 'files' ? lackingTimes(contract.seen) : [];
  const accepted = last?.origin === contract.origin ? (last.withoutTimes ?? []) : [];
  return { all, unaccepted: all.filter((name) => !accepted.includes(name)) };
}
