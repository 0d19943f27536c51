/** Tries the registers' keys (`npm run config -- --ask`). */
import type { Config } from '../config.ts';
import { reasonOf } from '../core/dry-run.ts';
import type { LiveOutcome } from '../core/dry-run.ts';
import { createDownloads } from '../downloads/client.ts';
import type { Downloads } from '../downloads/client.ts';
import type { Clock } from '../kernel/clock.ts';
import { LIMITS } from '../kernel/limits.ts';
import { addressOf, allMirrored, upstreamSources } from '../layers/catalogue.ts';
import type { Catalogue, UpstreamSource } from '../layers/catalogue.ts';
import { REGISTERS } from '../registers.ts';
import { createWfsClient } from '../wfs/client.ts';
import type { WfsClient } from '../wfs/client.ts';
import type { ApiKeys } from '../../sync/deps.ts';
import { openSources } from '../../sync/open.ts';
import type { Sources } from '../../sync/open.ts';
import type { Check } from './config-checks.ts';

export async function keyChecks(config: Config, clock: Clock): Promise<readonly Check[]> {
  const sources = await openSources(config);
  try {
    return await askKeys(sources, config, clock);
  } finally {
    await sources.close();
  }
}

type Asked = Pick<Sources, 'catalogue' | 'keys' | 'settings'>;

/** One request at once to each host that requires a key. Failures are results. */
export async function askKeys(
  { catalogue, keys, settings }: Asked,
  { virkLogin: login, dataDir: dir }: Pick<Config, 'virkLogin' | 'dataDir'>,
  clock: Clock,
): Promise<readonly Check[]> {
  const wfs = createWfsClient({ clock });
  const downloads = createDownloads({ dir, clock });
  const question = { catalogue, clock, keys, settings, login };
  try {
    const [hosts, live] = await Promise.all([
      Promise.all(
        keyedByHost(catalogue, keys).map((each) => askHost(each, keys, { wfs, downloads })),
      ),
      Promise.all(REGISTERS.map(async ({ dryRun }) => (await dryRun?.(question)) ?? [])),
    ]);
    return [...hosts, ...live.flat().map(checkOfLive)];
  } finally {
    await Promise.all([wfs.close(), downloads.close()]);
  }
}

/** The first source of each host whose key is set. */
function keyedByHost(catalogue: Catalogue, keys: ApiKeys): readonly UpstreamSource[] {
  const keyed = allMirrored(catalogue)
    .flatMap(upstreamSources)
    .filter(({ apiKeyParameter, host }) => apiKeyParameter !== null && keys[host] !== undefined);
  return [...new Map(keyed.map((source) => [hostOf(source), source])).values()];
}

const hostOf = (source: UpstreamSource): string => new URL(addressOf(source)).host;

async function askHost(
  source: UpstreamSource,
  keys: ApiKeys,
  { wfs, downloads }: { readonly wfs: WfsClient; readonly downloads: Downloads },
): Promise<Check> {
  const name = `key at ${hostOf(source)}`;
  const apiKey = keys[source.host] ?? '';
  const call = { apiKey, signal: AbortSignal.timeout(LIMITS.keyAskMs) };
  try {
    if (source.kind === 'files') await downloads.list({ ...source, tries: 1 }, call);
    else await wfs.fetchHits({ ...source, tries: 1 }, call);
    return { name, isGood: true, says: 'it is taken' };
  } catch (error) {
    return { name, isGood: false, says: reasonOf(error, [apiKey]) };
  }
}

function checkOfLive({ layer, state, detail }: LiveOutcome): Check {
  return { name: `live ${layer}`, isGood: state !== 'failed', says: detail };
}
