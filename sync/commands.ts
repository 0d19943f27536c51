import { loadConfig, misspelledSettings } from '../src/config.ts';
import type { Config } from '../src/config.ts';
import { clockFrom } from '../src/kernel/clock.ts';
import type { Log } from '../src/kernel/log.ts';
import type { Command, Parsed, ReplayCommand, RevertCommand } from './command.ts';
import { mirroredOf } from '../src/layers/catalogue.ts';
import { recordCommand, userName } from '../src/ops/operator-acts.ts';
import { TERRAIN } from '../src/layers/keys.ts';
import type { LiveOutcome, LiveQuestion } from '../src/core/dry-run.ts';
import { REGISTERS } from '../src/registers.ts';
import { openSync, rawDirOf } from './open.ts';
import type { OpenSync } from './open.ts';
import { replayRun } from './replay.ts';
import { revertLayer } from './revert.ts';
import { isOff } from './run.ts';
import { syncMirror } from './sync-mirror.ts';
import { displayOn, isGood, liveLine, revertLines } from './terminal.ts';

/** Other log lines would break the live line. */
const log: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (detail, message) => {
    if (!('layer' in detail)) console.error(message);
  },
};

export async function runCommand(parsed: Asked): Promise<boolean> {
  return await withSync((sync, signal, config) => {
    if (parsed.kind === 'revert') return revertAll(parsed.command, sync, signal);
    if (parsed.kind === 'replay') return replay(parsed.command, sync, signal);
    return syncAll(parsed.command, sync, { signal, config });
  });
}

type Asked = Exclude<Parsed, { readonly kind: 'help' | 'mistake' }>;

type Work = (sync: OpenSync, signal: AbortSignal, config: Config) => Promise<boolean>;

async function withSync(work: Work): Promise<boolean> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort(new Error(`Stopped by ${signal}.`));
    });
  }
  for (const sentence of misspelledSettings()) console.error(sentence);
  const config = loadConfig();
  const sync = await openSync(config, { clock: clockFrom(config.trialClockMs), log });
  try {
    return await work(sync, stop.signal, config);
  } finally {
    await sync.close();
  }
}

async function syncAll(
  command: Command,
  sync: OpenSync,
  { signal, config }: { readonly signal: AbortSignal; readonly config: Config },
): Promise<boolean> {
  const { deps } = sync;
  const display = displayOn(process.stdout);
  let good = true;
  // Asked while the layers are: a shut firewall is waited for once.
  const live = askedLive(command, sync, config);
  live.catch(() => undefined);
  if (command.dryRun && !command.json) await tellHosts(command, sync);
  for (const layer of mirroredNow(command, sync)) {
    if (signal.aborted) return false;
    if (!command.dryRun) {
      const { lift: guards, by } = command;
      const act = guards.length > 0 ? 'release' : 'sync';
      await recordCommand(deps.store, { act, layer, by, wanted: { guards } });
    }
    const outcome = await syncMirror(deps, layer, {
      trigger: 'command',
      liftedGuards: command.lift,
      dryRun: command.dryRun,
      signal,
      onProgress: (progress) => {
        if (!command.json) display.progress(progress);
      },
    });
    if (command.json) console.log(JSON.stringify(outcome));
    else display.ended(outcome);
    good &&= isGood(outcome);
  }
  for (const outcome of await live) {
    console.log(command.json ? JSON.stringify(outcome) : liveLine(outcome));
    good &&= outcome.state !== 'failed';
  }
  return good;
}

/**
 * Without those that SOURCES_FILE leaves out, which are named; one that is asked for alone fails,
 * and says so.
 */
function mirroredNow({ layers, json }: Command, { deps }: OpenSync): Command['layers'] {
  const isLeftOut = (layer: Command['layers'][number]) =>
    layers.length > 1 && isOff(mirroredOf(deps.catalogue, layer));
  if (!json) {
    for (const layer of layers.filter(isLeftOut)) console.log(`${layer}  left out by SOURCES_FILE`);
  }
  return layers.filter((layer) => !isLeftOut(layer));
}

async function tellHosts({ layers }: Command, { deps }: OpenSync): Promise<void> {
  const all = layers.map((layer) => mirroredOf(deps.catalogue, layer));
  const mirrors = all.filter((mirrored) => !isOff(mirrored));
  const hosts = (await deps.reach?.table(mirrors)) ?? new Map<string, string | null>();
  for (const [place, refusal] of hosts) console.log(`${place}  ${refusal ?? 'takes connections'}`);
}

async function askedLive(
  { layers, dryRun, terrain }: Command,
  { deps, settings }: OpenSync,
  { virkLogin: login }: Config,
): Promise<readonly LiveOutcome[]> {
  const { catalogue, clock, keys } = deps;
  const question: LiveQuestion = {
    ...{ catalogue, clock, keys, login, settings },
    reach: async (address) => await deps.reach?.requireOne([address]),
  };
  const named: readonly string[] = terrain ? [...layers, TERRAIN] : layers;
  const asked = REGISTERS.filter(({ mirrors, liveSettings }) =>
    [...mirrors.map(({ id }) => id), liveSettings?.key ?? ''].some((id) => named.includes(id)),
  );
  const outcomes = dryRun
    ? await Promise.all(asked.map(async ({ dryRun: ask }) => (await ask?.(question)) ?? []))
    : [];
  return outcomes.flat();
}

async function revertAll(
  { layers, by, json }: RevertCommand,
  { deps }: OpenSync,
  signal: AbortSignal,
): Promise<boolean> {
  let good = true;
  for (const layer of layers) {
    if (signal.aborted) return false;
    await recordCommand(deps.store, { act: 'revert', layer, by, wanted: {} });
    const outcome = await revertLayer(deps, layer, { by: by ?? userName(), signal });
    console.log(json ? JSON.stringify(outcome) : revertLines(outcome).join('\n'));
    good &&= outcome.state === 'published';
  }
  return good;
}

async function replay(
  { runId, publish, lift, by, json }: ReplayCommand,
  { deps, dataDir }: OpenSync,
  signal: AbortSignal,
): Promise<boolean> {
  if (publish) {
    const wanted = { run: runId, guards: lift };
    await recordCommand(deps.store, { act: 'replay', layer: null, by, wanted });
  }
  const outcome = await replayRun(deps, {
    dir: rawDirOf(dataDir),
    runId,
    publish,
    liftedGuards: lift,
    by: by ?? userName(),
    signal,
  });
  if (json) console.log(JSON.stringify(outcome));
  else if (outcome.state === 'unknown') console.log(unknownRun(runId, outcome.kept));
  else displayOn(process.stdout).ended(outcome);
  return outcome.state !== 'unknown' && isGood(outcome);
}

function unknownRun(runId: string, kept: Readonly<Record<string, readonly string[]>>): string {
  const runs = Object.entries(kept).map(([layer, ids]) => `  ${layer}: ${ids.join(', ')}`);
  return [`Run ${runId} is not in the archive. These are:`, ...runs].join('\n');
}
