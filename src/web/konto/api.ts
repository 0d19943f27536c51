import { LARGE_HEAD_MS, Refused, request } from '../shared/ask.ts';
import { inLanguage } from '../shared/language.ts';
import { asSession as ask, csrfHeader } from '../shared/session.ts';
import type {
  ActsPage,
  Alarm,
  BillLine,
  Delivery,
  Key,
  Me,
  MintedKey,
  NewWebhook,
  Person,
  Role,
  Usage,
  WantedKey,
  Webhook,
  WatchList,
  WebhookChange,
} from './types.ts';

async function field<Value>(
  name: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<Value> {
  const answer = await ask<Readonly<Record<string, Value>>>(method, path, body);
  return answer[name] as Value;
}

export const readMe = (): Promise<Me> => ask('GET', 'v1/me');

/** @param month `2026-11`; absent: the current one, by the service's clock */
export const readUsage = (month?: string): Promise<Usage> =>
  ask('GET', month === undefined ? 'v1/me/usage' : `v1/me/usage?month=${month}`);

export const billFile = (month: string): string => `v1/me/usage/lines?month=${month}`;

/** At most `most` lines. */
export async function readBillLines(
  month: string,
  most: number,
): Promise<{ readonly lines: readonly BillLine[]; readonly hasMore: boolean }> {
  const enough = new AbortController();
  const { body } = await request(`${billFile(month)}&format=ndjson`, { signal: enough.signal });
  const lines: BillLine[] = [];
  if (body === null) return { lines, hasMore: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const texts = (rest + next.value).split('\n');
      rest = texts.pop() ?? '';
      lines.push(...texts.map((text) => JSON.parse(text) as BillLine));
      if (lines.length > most) return { lines: lines.slice(0, most), hasMore: true };
    }
    return { lines, hasMore: false };
  } catch {
    // Cut short, what came is no bill.
    const words = { da: 'Linjerne blev afbrudt undervejs.', en: 'The lines were cut off.' };
    throw new Refused(0, 'broken_off', inLanguage(words));
  } finally {
    enough.abort();
  }
}

/** @param before `next` of the page before; null: the newest */
export const readActs = (before: number | null): Promise<ActsPage> =>
  ask('GET', before === null ? 'v1/me/acts' : `v1/me/acts?before=${before}`);
export const readKeys = (): Promise<readonly Key[]> => field('keys', ['GET', 'v1/me/keys']);
export const mintKey = (wanted: WantedKey): Promise<MintedKey> =>
  field('key', ['POST', 'v1/me/keys', wanted]);
export const rotateKey = (id: string): Promise<MintedKey> =>
  field('key', ['POST', `v1/me/keys/${id}/rotate`, {}]);
export const revokeKey = (id: string): Promise<void> => ask('DELETE', `v1/me/keys/${id}`);
export const readWebhooks = (): Promise<readonly Webhook[]> =>
  field('webhooks', ['GET', 'v1/me/webhooks']);
export const registerWebhook = (
  wanted: Pick<Webhook, 'url' | 'events' | 'description'>,
): Promise<NewWebhook> => field('webhook', ['POST', 'v1/me/webhooks', wanted]);

export const changeWebhook = (id: string, change: WebhookChange): Promise<void> =>
  ask('PATCH', `v1/me/webhooks/${id}`, change);
export const removeWebhook = (id: string): Promise<void> => ask('DELETE', `v1/me/webhooks/${id}`);

/** Newest first. */
export const readDeliveries = (id: string): Promise<readonly Delivery[]> =>
  field('deliveries', ['GET', `v1/me/webhooks/${id}/deliveries`]);

/** Shown this once. */
export const renewWebhookSecret = (id: string): Promise<NewWebhook> =>
  field('webhook', ['POST', `v1/me/webhooks/${id}/secret`, {}]);

export const pingWebhook = (id: string): Promise<Delivery> =>
  field('delivery', ['POST', `v1/me/webhooks/${id}/test`, {}]);
export const readPersons = (): Promise<readonly Person[]> =>
  field('persons', ['GET', 'v1/me/persons']);

/** Whether a letter is sent. */
export const invitePerson = (
  email: string,
  roles: readonly Role[],
): Promise<{ readonly mailed: boolean }> => ask('POST', 'v1/me/persons', { email, roles });

export const changePerson = (id: string, roles: readonly Role[]): Promise<void> =>
  ask('PATCH', `v1/me/persons/${id}`, { roles });
export const removePerson = (id: string): Promise<void> => ask('DELETE', `v1/me/persons/${id}`);
export const readAlarm = (): Promise<Alarm> => ask('GET', 'v1/me/alarm');
export const setAlarm = (units: number | null): Promise<Alarm> =>
  ask('PUT', 'v1/me/alarm', { units });

const WATCHES = 'v1/me/overvaagning';

export const readWatches = (): Promise<readonly WatchList[]> => field('lister', ['GET', WATCHES]);

export const readWatched = (id: string, most: number): Promise<readonly unknown[]> =>
  field('objekter', ['GET', `${WATCHES}/${id}?antal=${most}`]);

/** @param lines an object a line */
export async function makeWatch(navn: string, type: string, lines: string): Promise<void> {
  await sendLines('POST', `${WATCHES}?${new URLSearchParams({ navn, type }).toString()}`, lines);
}

export async function replaceWatched(id: string, lines: string): Promise<void> {
  await sendLines('PATCH', `${WATCHES}/${id}`, lines);
}

async function sendLines(method: string, path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'text/csv; charset=utf-8', ...csrfHeader() };
  await request(path, { method, headers, body, headMs: LARGE_HEAD_MS });
}

export const changeWatch = (
  id: string,
  change: Partial<Pick<WatchList, 'navn' | 'paa_pause'>>,
): Promise<void> => ask('PATCH', `${WATCHES}/${id}`, change);

export const removeWatch = (id: string): Promise<void> => ask('DELETE', `${WATCHES}/${id}`);

/** Returns how many webhooks it is sent to. */
export const testWatch = (id: string): Promise<number> =>
  field('modtagere', ['POST', `${WATCHES}/${id}/test`, {}]);
