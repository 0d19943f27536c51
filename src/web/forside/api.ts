/** With the open trial's key, or without one where none is needed. */
import type {
  Areas,
  BuildingLines,
  Height,
  NearestAddress,
  Parcels,
  Property,
  Reply,
  Status,
} from '../shared/answers.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { Refused } from '../shared/ask.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { readSession } from '../shared/session.ts';
import { companiesNeedSession } from '../shared/subject.ts';
import type { AskFor } from '../shared/small-map.ts';

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

export const askFor: AskFor = (path, options) => lookUpWith(key, path, options);

export function releaseKeys(): void {
  companyKey.release();
}

/** Metres: the most the service takes. */
const FAR_M = 1000;

/** The service says 404 where there is none. */
export const nearestAddress = (place: Place): Promise<Reply<NearestAddress>> =>
  lookUp(`v1/adresser/reverse?${queryOf(place)}&radius=${FAR_M}`);
export const linesPath = (place: Place): string => `v1/natur/byggelinjer?${queryOf(place)}`;
export const linesAt = (place: Place): Promise<Reply<BuildingLines>> => lookUp(linesPath(place));
export const areasAt = (place: Place): Promise<Reply<Areas>> =>
  lookUp(`v1/dagi/reverse?${queryOf(place)}`);
export const heightAt = (place: Place): Promise<Reply<Height>> =>
  lookUp(`v1/dhm/kote?${queryOf(place)}`);
export const parcelsOf = (bfe: number): Promise<Reply<Parcels>> =>
  lookUp(`v1/matrikel/ejendom/${bfe}`);
export const propertyOf = (bfe: number): Promise<Reply<Property>> =>
  lookUp(`v1/bbr/ejendom/${bfe}`);
/** Open to all. */
export const readStatus = (): Promise<Reply<Status>> => lookUpWith(null, 'v1/status');
