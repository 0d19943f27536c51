/** With the open trial's key, or without one where none is needed. */
import type { NearestAddress, Reply } from '../shared/answers.ts';
import { queryOf } from '../shared/coordinates.ts';
import type { Place } from '../shared/coordinates.ts';
import { Refused } from '../shared/ask.ts';
import { HeldKey, mintSessionKey, mintTrialKey } from '../shared/held-key.ts';
import { lookUpWith } from '../shared/lookup.ts';
import { readSession } from '../shared/session.ts';
import { companiesNeedSession } from '../shared/subject.ts';

/** null: the service requires no key. */
export const key = document.body.dataset['proeve'] === 'open' ? null : new HeldKey(mintTrialKey);

/** The trial shows nobody companies: they name persons. */
const companyKey = new HeldKey(async () => {
  if ((await readSession()) === null) throw new Refused(403, '', companiesNeedSession());
  return await mintSessionKey('Forside', 'test', ['cvr']);
});

export function lookUp<Body>(path: string, signal?: AbortSignal): Promise<Reply<Body>> {
  const isOfCompany = path.startsWith('v1/cvr/');
  return lookUpWith(key !== null && isOfCompany ? companyKey : key, path, { signal });
}

export function releaseKeys(): void {
  companyKey.release();
}

/** Metres: the most the service takes. */
const FAR_M = 1000;

/** The service says 404 where there is none. */
export const nearestAddress = (place: Place): Promise<Reply<NearestAddress>> =>
  lookUp(`v1/adresser/reverse?${queryOf(place)}&radius=${FAR_M}`);
export const linesPath = (place: Place): string => `v1/natur/byggelinjer?${queryOf(place)}`;
