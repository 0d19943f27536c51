/** Plans, permissions and times in Danish. */
import { moment, number } from '../shared/format.ts';
import type { Key, UsageTotal } from './api.ts';

const MONTH = new Intl.DateTimeFormat('da-DK', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
});

export const TIER_WORDS = { free: 'Free', pro: 'Pro', business: 'Business' };
export const ENVIRONMENT_WORDS = { live: 'Live', test: 'Test' };

export const AREA_WORDS: Readonly<Record<string, string>> = {
  bbr: 'BBR',
  dagi: 'DAGI',
  natur: 'Natur',
  adresser: 'Adresser',
  cvr: 'CVR',
  dhm: 'Højdemodel',
  stednavne: 'Stednavne',
  vurdering: 'Vurdering',
  jobs: 'Job',
};

export function permissionWords(permission: string): string {
  if (permission === 'read') return 'Alle opslag';
  if (permission === 'jobs') return 'Alle opslag og job';
  const areas = permission.split(':')[1] ?? '';
  return areas
    .split(',')
    .map((area) => AREA_WORDS[area] ?? area)
    .join(', ');
}

/** What has become of a key, and when it was last used. */
export function keyWords(key: Key): string {
  const parts = [`lavet ${moment(key.created_at)}`];
  if (key.state === 'revoked' && key.revoked_at !== null)
    parts.push(`tilbagekaldt ${moment(key.revoked_at)}`);
  else if (key.state === 'expired' && key.expires_at !== null)
    parts.push(`ophørt ${moment(key.expires_at)}`);
  parts.push(key.last_used_at === null ? 'aldrig brugt' : `brugt ${moment(key.last_used_at)}`);
  return parts.join(' · ');
}

export function unitWords({ units, allowance }: UsageTotal): string {
  return `${number(units)} af ${number(allowance)}`;
}

/** `2026-11` as november 2026. */
export function monthWords(month: string): string {
  return MONTH.format(new Date(`${month}-15T12:00:00Z`));
}
