import { AREA_WORDS } from '../shared/areas.ts';
import { moment, number } from '../shared/format.ts';
import { html } from '../shared/html.ts';
import type { TemplateResult } from '../shared/html.ts';
import { inLanguage, t, wordOf } from '../shared/language.ts';
import OPERATIONS from './operations.json' with { type: 'json' };
import { DELIVERY_ERRORS, EVENT_WORDS } from './terms.ts';
import type { Delivery, Key, Webhook } from './types.ts';

export const TIER_WORDS = { free: 'Free', pro: 'Pro', business: 'Business' };

export function activeBadge(isActive: boolean): TemplateResult {
  const words = isActive ? t('Aktiv', 'Active') : t('På pause', 'Paused');
  return html`<span class="badge ${isActive ? 'good' : 'warn'}">${words}</span>`;
}

export const EVENTS = Object.keys(EVENT_WORDS) as Webhook['events'][number][];

export function stateWords(status: Delivery['status']): string {
  return inLanguage({
    da: { pending: 'venter', success: 'leveret', failed: 'mislykket' },
    en: { pending: 'waiting', success: 'delivered', failed: 'failed' },
  })[status];
}

/** A dash before the first. */
export function answerWords({ lastStatusCode, lastError }: Delivery): string {
  if (lastStatusCode !== null) return String(lastStatusCode);
  if (lastError === null) return '–';
  const known = DELIVERY_ERRORS[lastError];
  return known === undefined ? t('mislykkedes', 'failed') : inLanguage(known);
}

export function operationWords(operation: string): string {
  return wordOf(OPERATIONS, operation);
}

export function permissionWords(permission: string): string {
  if (permission === 'read') return t('Alle opslag', 'All lookups');
  if (permission === 'jobs') return t('Alle opslag og job', 'All lookups and jobs');
  const areas = (permission.split(':')[1] ?? '').split(',');
  return areas.map((area) => wordOf(AREA_WORDS, area)).join(', ');
}

/** What has become of a key, and when it was last used. */
export function keyWords(key: Key): string {
  const by = key.made_by === null ? '' : ` ${t('af', 'by')} ${quoted(key.made_by)}`;
  const parts = [`${t('lavet', 'made')} ${moment(key.created_at)}${by}`];
  if (key.state === 'revoked' && key.revoked_at !== null)
    parts.push(`${t('tilbagekaldt', 'revoked')} ${moment(key.revoked_at)}`);
  else if (key.state === 'expired' && key.expires_at !== null)
    parts.push(`${t('ophørt', 'ended')} ${moment(key.expires_at)}`);
  // Of an ended key it is kept for a while only.
  if (key.last_used_at !== null) parts.push(`${t('brugt', 'used')} ${moment(key.last_used_at)}`);
  else if (key.state === 'active') parts.push(t('aldrig brugt', 'never used'));
  return parts.join(' · ');
}

/** A key that the account has no longer goes by its id. */
export function keyName(keys: readonly Key[] | undefined, id: string): string {
  return keys?.find((key) => key.id === id)?.name ?? id;
}

export function unitsOf(units: number): string {
  return `${number(units)} ${t('enheder', 'units')}`;
}

/** Without marks that turn the direction of writing. */
export function quoted(text: string): string {
  return text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}

function locale(): string {
  return inLanguage({ da: 'da-DK', en: 'en-GB' });
}

/** `12 %`; under one per cent with a decimal, so that something never reads as nothing. */
export function percent(share: number): string {
  const digits = share > 0 && share < 0.01 ? 1 : 0;
  return share.toLocaleString(locale(), { style: 'percent', maximumFractionDigits: digits });
}
