/** A property's current parcels with their geometry (D90). */
import { Failure } from '../../kernel/failures.ts';
import { rowError } from '../../core/rows/row-errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { CADASTRE_LIMITS } from './limits.ts';
import type { Catalogue } from '../../layers/catalogue.ts';
import { CADASTRE } from '../../layers/keys.ts';
import { isTorn } from '../../layers/published-copy.ts';
import type { HeldMunicipalities } from '../areas/municipalities.ts';
import { unknownTo } from '../../core/land/covered-lands.ts';
import { readCopy } from '../../core/standing/standing.ts';
import type { CopyDeps } from '../../core/standing/standing.ts';
import type { CadastreRead, ParcelWithPlace } from './store.ts';
import { municipalityOf, nameMunicipalities } from '../areas/municipalities.ts';
import type { CadastreProperty } from './answer.ts';
import type { AnswerFacts } from '../../answers/provenance.ts';

export interface CadastreDeps extends CopyDeps {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly read: (bfe: number, mostParcels: number) => Promise<CadastreRead>;
  readonly municipalities: () => HeldMunicipalities;
  readonly nameSources: (registers: readonly string[]) => string;
}

export interface CadastreAnswer extends CadastreProperty, AnswerFacts {
  readonly parcels: readonly ParcelWithPlace[];
  readonly generation: number;
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
      const register = deps.catalogue.registers[CADASTRE];
      const read = await readCopy(deps, register, () => deps.read(bfe, mostParcels));
      const { provenance } = read;
      if (isTorn(read.unread, String(bfe), read.isKnown)) throw torn(bfe);
      if (!read.isKnown) throw unknownTo(register.coverage, rowError('notInCadastre', { bfe }));
      const bytes = read.parcels.reduce((sum, { wkb }) => sum + (wkb?.length ?? 0), 0);
      if (read.parcels.length > mostParcels || bytes > geometryBytes) throw tooMuch();
      const codes = read.parcels.map(({ municipalityCode }) => municipalityCode);
      const code = codes.find((each) => each !== null) ?? null;
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

function torn(bfe: number): Failure {
  return new Failure('upstream_unavailable', rowError('cadastreUnread', { bfe }));
}

/** The limit is on this answer; the next publication may have fewer parcels. */
function tooMuch(): Failure {
  const { parcels, geometryBytes } = CADASTRE_LIMITS;
  const mib = geometryBytes / 2 ** 20;
  return new Failure('overloaded', {
    ...rowError('tooManyParcels', { parcels, mib }),
    retryAfterS: LIMITS.retryAfterS.unavailable,
  });
}
