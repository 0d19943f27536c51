/**
 * Dry runs of what is asked live and never mirrored: the WCS of the terrain, and Virk's search for companies.
 * One small question to each, and what came of it in a line; nothing is kept.
 */
import type { Clock } from '../src/kernel/clock.ts';
import type { PointUtm32 } from '../src/geo/point.ts';
import { toUtm32 } from '../src/geo/project.ts';
import type { Company, CompanyLogin, CompanySearch } from '../src/registers/companies/company.ts';
import { COMPANIES } from '../src/layers/keys.ts';
import { TERRAIN, TERRAIN_MODELS } from '../src/layers/terrain.ts';
import type { TerrainModel, TerrainSource } from '../src/layers/terrain.ts';
import { createVirkClient } from '../src/registers/companies/virk-client.ts';
import { createWcsClient } from '../src/registers/terrain/wcs-client.ts';
import type { WcsClient } from '../src/registers/terrain/wcs-client.ts';
import { cellUnder, gridOf } from '../src/registers/terrain/windows.ts';
import { KNOWN_COMPANY } from '../src/registers/companies/sample/rows.ts';
import { CENTRE } from '../sample/data/island.ts';

/** How one question ended. `detail` holds no secret and nothing of a person. */
export interface LiveOutcome {
  readonly layer: typeof TERRAIN | typeof COMPANIES;
  /** `not-asked`: a setting is missing, which `detail` names. */
  readonly state: 'answered' | 'failed' | 'not-asked';
  readonly detail: string;
}

export interface LiveQuestion {
  readonly clock: Clock;
  readonly isSample: boolean;
}

/** The Round Tower in Copenhagen, and an agency of the state: there as long as the registers are. */
const LIVE_POINT = { lon: 12.5757, lat: 55.6813 };
const LIVE_COMPANY = 34_051_178;

/** A window of four cells of each model. `source`: null: no key is set for it. Never rejects. */
export async function tryTerrain(
  source: TerrainSource | null,
  { apiKey, clock, isSample }: LiveQuestion & { readonly apiKey: string | null },
): Promise<readonly LiveOutcome[]> {
  if (source === null) {
    const detail = 'the WCS is not asked: DATAFORDELER_API_KEY is not set';
    return [{ layer: TERRAIN, state: 'not-asked', detail }];
  }
  const client = createWcsClient({ clock });
  const point = isSample ? { xUtm32: CENTRE.x, yUtm32: CENTRE.y } : toUtm32(LIVE_POINT);
  try {
    const outcomes: LiveOutcome[] = [];
    for (const model of TERRAIN_MODELS) {
      outcomes.push(await tryModel(client, source, { model, point, apiKey }));
    }
    return outcomes;
  } finally {
    await client.close();
  }
}

async function tryModel(
  client: WcsClient,
  source: TerrainSource,
  asked: {
    readonly model: TerrainModel;
    readonly point: PointUtm32;
    readonly apiKey: string | null;
  },
): Promise<LiveOutcome> {
  const { model, point, apiKey } = asked;
  const grid = gridOf(source.grid, { ...cellUnder(source, point), columns: 2, rows: 2 });
  const what = `${model} (${source.coverages[model]})`;
  try {
    const cells = await client.fetchWindow(source, { model, grid, apiKey });
    const heights = [...cells].filter((height) => !Number.isNaN(height));
    const told =
      heights.length === 0
        ? 'no height'
        : `${Math.min(...heights).toFixed(2)} to ${Math.max(...heights).toFixed(2)} m`;
    const at = `${point.xUtm32.toFixed(0)} ${point.yUtm32.toFixed(0)}`;
    const detail = `${what}: ${told} in ${cells.length} cells of ${grid.cellX} m at ${at}`;
    return { layer: TERRAIN, state: 'answered', detail };
  } catch (error) {
    const detail = `${what}: ${reasonOf(error, apiKey === null ? [] : [apiKey])}`;
    return { layer: TERRAIN, state: 'failed', detail };
  }
}

/** One company by its number. Never rejects. */
export async function tryCompanySearch(
  source: CompanySearch | undefined,
  { login, clock, isSample }: LiveQuestion & { readonly login: CompanyLogin | null },
): Promise<LiveOutcome> {
  if (source === undefined || login === null) {
    const detail = "Virk's search is not asked: VIRK_USER and VIRK_PASSWORD are not set";
    return { layer: COMPANIES, state: 'not-asked', detail };
  }
  const number = isSample ? KNOWN_COMPANY.number : LIVE_COMPANY;
  const client = createVirkClient({ clock });
  try {
    const company = await client.fetchCompany(source, number, login);
    if (company !== null) {
      const detail = `Virk's search has company ${number}, with ${partsOf(company)}`;
      return { layer: COMPANIES, state: 'answered', detail };
    }
    const detail = `Virk's search has no company ${number}, and should have`;
    return { layer: COMPANIES, state: 'failed', detail };
  } catch (error) {
    const detail = `Virk's search: ${reasonOf(error, [login.user, login.password])}`;
    return { layer: COMPANIES, state: 'failed', detail };
  } finally {
    await client.close();
  }
}

/** What of the company could be read, by the names of the answer. */
function partsOf(company: Company): string {
  const { name, form, status, started, address, mainBranch } = company;
  const parts = { name, form, status, started, address, mainBranch };
  const read = Object.entries(parts).filter(([, value]) => value !== null);
  return read.length === 0 ? 'nothing of it' : read.map(([part]) => part).join(', ');
}

function reasonOf(error: unknown, secrets: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error);
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text);
}
