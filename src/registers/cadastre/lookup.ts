/** The cadastre's own answer about a property (D90): its current parcels with their geometry. */
import type { Clock } from '../../kernel/clock.ts';
import { Failure, upstreamUnavailable } from '../../kernel/failures.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { CADASTRE } from '../../layers/keys.ts';
import type { RegisterId } from '../../layers/keys.ts';
import type { PublishedCopy } from '../../layers/published-copy.ts';
import type { PlacedMunicipality } from '../areas/municipalities.ts';
import type { Provenance, Watcher } from '../../answers/answer.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { copyAnswer, wantsSync } from '../../core/standing/ladder.ts';
import { tooOld } from '../../core/standing/too-old.ts';
import type { CadastreRead, ParcelWithPlace } from './store.ts';
import { municipalityOf, nameMunicipalities } from '../areas/municipalities.ts';
import type { HeldMunicipalities } from '../areas/municipalities.ts';

export interface CadastreDeps {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  /** Throws when the store does not answer. */
  readonly read: (bfe: number, mostParcels: number) => Promise<CadastreRead>;
  /** As they stand when called. */
  readonly municipalities: () => HeldMunicipalities;
  readonly nameSources: (registers: readonly string[]) => string;
  readonly onExpired?: (mirror: RegisterId) => void;
  readonly watcher?: Pick<Watcher, 'answered'>;
}

export interface CadastreAnswer {
  readonly bfe: number;
  readonly municipalityCode: string | null;
  readonly municipality: PlacedMunicipality;
  readonly parcels: readonly ParcelWithPlace[];
  readonly source: string;
  readonly generation: number;
  readonly provenance: readonly Provenance[];
}

export interface Cadastre {
  /** Throws not_found, and upstream_unavailable until the cadastre is published. */
  find(bfe: number): Promise<CadastreAnswer>;
}

export function createCadastre(deps: CadastreDeps): Cadastre {
  const { parcels: mostParcels, geometryBytes } = CADASTRE_LIMITS;
  return {
    find: async (bfe) => {
      const municipalities = deps.municipalities();
      const read = await deps.read(bfe, mostParcels).catch((cause: unknown) => {
        deps.watcher?.answered(CADASTRE, 'unavailable');
        throw unreadable(cause);
      });
      const provenance = copyProvenance(deps, read.copy);
      const { unread } = read;
      if (unread.includes(String(bfe)) || (!read.isKnown && unread.includes(null))) throw torn(bfe);
      if (!read.isKnown) {
        throw unknownTo(deps.catalogue.registers[CADASTRE].coverage, noProperty(bfe));
      }
      const bytes = read.parcels.reduce((sum, { wkb }) => sum + (wkb?.length ?? 0), 0);
      if (read.parcels.length > mostParcels || bytes > geometryBytes) throw tooMuch();
      const code = municipalityCodeOf(read.parcels);
      const named = await nameMunicipalities(municipalities.read, code === null ? [] : [code], {
        freshness: deps.catalogue.areas.kommune.freshness,
        nowMs: deps.clock.nowMs(),
      });
      return {
        bfe,
        municipalityCode: code,
        municipality: code === null ? NOWHERE : municipalityOf(named, code),
        parcels: read.parcels,
        source: deps.nameSources(['Matriklen', ...(named === null ? [] : ['DAGI'])]),
        generation: Math.min(read.generation, named?.generation ?? Infinity),
        provenance: [provenance, ...(named === null ? [] : [named.provenance])],
      };
    },
  };
}

const NOWHERE = { kommune: null, region: null };

function municipalityCodeOf(parcels: readonly ParcelWithPlace[]): string | null {
  return (
    parcels.find(({ municipalityCode }) => municipalityCode !== null)?.municipalityCode ?? null
  );
}

/** Throws the Failure (503) where the copy may not answer. */
export function copyProvenance(
  {
    clock,
    catalogue,
    onExpired,
    watcher,
  }: Pick<CadastreDeps, 'clock' | 'catalogue' | 'onExpired' | 'watcher'>,
  copy: PublishedCopy | null,
  by: 'snapshot' | 'store' = 'store',
): Provenance {
  const nowMs = clock.nowMs();
  const { freshness } = catalogue.registers[CADASTRE];
  const provenance = copyAnswer(copy, freshness, { nowMs, by });
  watcher?.answered(CADASTRE, provenance?.rung ?? 'unavailable');
  if (wantsSync(copy, freshness, nowMs)) onExpired?.(CADASTRE);
  if (provenance !== null) return provenance;
  if (copy === null) throw notConfigured();
  throw tooOld(catalogue.registers[CADASTRE]);
}

export function unreadable(cause: unknown): Failure {
  return upstreamUnavailable(
    'The cadastre cannot be read now.',
    'Matriklen kan ikke læses nu.',
    cause,
  );
}

function torn(bfe: number): Failure {
  return upstreamUnavailable(
    `The cadastre holds rows of the property ${bfe} that cannot be read.`,
    `Matriklen har rækker om ejendommen ${bfe}, som ikke kan læses.`,
  );
}

function noProperty(bfe: number) {
  return {
    error: `The cadastre holds no property in force with the BFE number ${bfe}.`,
    errorDa: `Matriklen har ingen gældende ejendom med BFE-nummeret ${bfe}.`,
  };
}

export function notConfigured(): Failure {
  return new Failure('upstream_unavailable', {
    error: 'Upstream not configured: the cadastre is announced but not open yet.',
    errorDa: 'Matriklen er varslet, men kilden er endnu ikke sat op.',
    retryAfterS: LIMITS.retryAfterS.notConfigured,
  });
}

/** The limit is on this answer; the next publication may have fewer parcels. */
function tooMuch(): Failure {
  const { parcels, geometryBytes } = CADASTRE_LIMITS;
  const mib = geometryBytes / 2 ** 20;
  return new Failure('overloaded', {
    error: `This property has more than ${parcels} parcels, or ${mib} MiB of their geometry: too much for one answer.`,
    errorDa: `Denne ejendom har mere end ${parcels} jordstykker eller ${mib} MiB geometri: for meget til ét svar.`,
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
