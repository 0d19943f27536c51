/** Asks with the open trial's key, or without one where none is needed. */
import type {
  Areas,
  BuildingLines,
  LayerStatus,
  NearestAddress,
  Reply,
} from '../shared/answers.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { Refused } from '../shared/ask.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { readSession } from '../shared/session.ts';
import { companiesNeedSession } from '../shared/subject.ts';
import { readVectorTile } from '../shared/vector-tile.ts';
import type { ReadTile, Rings } from './place-map.ts';

export interface Property {
  readonly bfe_nummer: number | null;
  readonly jordstykke: {
    readonly matrikelnummer: string | null;
    readonly ejerlav_navn: string | null;
  };
  readonly antal_bygninger: number;
  readonly bygninger: readonly {
    readonly anvendelse: { readonly tekst: string } | null;
    readonly opfoerelsesaar: number | null;
    readonly areal: { readonly samlet_bygningsareal_m2: number | null };
  }[];
  /** Absent: assessments are not looked up here. null: none, or none that could be read. */
  readonly vurdering?: {
    readonly antal_vurderingsejendomme: number;
    readonly seneste: {
      readonly aar: number;
      readonly ejendomsvaerdi_kr: number | null;
      readonly grundvaerdi_kr: number | null;
    } | null;
  } | null;
}

export interface Height {
  /** null: the model has nothing there. */
  readonly kote_m: number | null;
}

export interface Status {
  readonly generation: number;
  readonly lag: readonly LayerStatus[];
}

/** null: the service requires no key. */
const key = document.body.dataset['proeve'] === 'open' ? null : new HeldKey(mintTrialKey);

/** The trial shows nobody companies: they name persons. */
const companyKey = new HeldKey(async () => {
  if ((await readSession()) === null) throw new Refused(403, '', companiesNeedSession());
  return await mintSessionKey('Forside', 'test', ['cvr']);
});

export function lookUp<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  const isOfCompany = path.startsWith('v1/cvr/');
  return lookUpWith(key !== null && isOfCompany ? companyKey : key, path, { signal });
}

export const readTile: ReadTile = (layer, at) =>
  lookUpWith(key, `v1/kort/${layer}/${at.join('/')}.mvt`, {
    read: async (response) => readVectorTile(await response.arrayBuffer()),
  });

export function releaseKeys(): void {
  companyKey.release();
}

/** Metres: the most the service takes. */
const FAR_M = 1000;

/** As far as the service looks; it says 404 where there is none. */
export function nearestAddress(place: Place): Promise<Reply<NearestAddress>> {
  return lookUp(`v1/adresser/reverse?${queryOf(place)}&radius=${FAR_M}`);
}

export function linesAt(place: Place): Promise<Reply<BuildingLines>> {
  return lookUp(linesPath(place));
}

/** The question as a program asks it. */
export function linesPath(place: Place): string {
  return `v1/natur/byggelinjer?${queryOf(place)}`;
}

export function areasAt(place: Place): Promise<Reply<Areas>> {
  return lookUp(`v1/dagi/reverse?${queryOf(place)}`);
}

export function heightAt(place: Place): Promise<Reply<Height>> {
  return lookUp(`v1/dhm/kote?${queryOf(place)}`);
}

export interface Parcels {
  readonly jordstykker: readonly {
    readonly geometri: { readonly coordinates: Rings } | null;
  }[];
}

export function parcelsOf(bfe: number): Promise<Reply<Parcels>> {
  return lookUp(`v1/matrikel/ejendom/${bfe}`);
}

export function propertyOf(bfe: number): Promise<Reply<Property>> {
  return lookUp(`v1/bbr/ejendom/${bfe}`);
}

/** Open to all: no key goes with it. */
export function readStatus(): Promise<Reply<Status>> {
  return lookUpWith(null, 'v1/status');
}
