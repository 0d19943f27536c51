/** What the account's page asks, as the one signed in. */
import { Refused, request } from '../shared/ask.ts';
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

/** One field of an answer. */
async function field<Value>(
  name: string,
  [method, path, body]: readonly [method: string, path: string, body?: object],
): Promise<Value> {
  const answer = await ask<Readonly<Record<string, Value>>>(method, path, body);
  return answer[name] as Value;
}

export function readMe(): Promise<Me> {
  return ask('GET', 'v1/me');
}

/** @param month `2026-11`; absent: the one that runs, by the service's clock */
export function readUsage(month?: string): Promise<Usage> {
  return ask('GET', month === undefined ? 'v1/me/usage' : `v1/me/usage?month=${month}`);
}

/** Where a browser fetches a month's bill lines as a file. */
export function billFile(month: string): string {
  return `v1/me/usage/lines?month=${month}`;
}

/** The first lines of a month's bill, at most so many, and whether there are more. */
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
export function readActs(before: number | null): Promise<ActsPage> {
  return ask('GET', before === null ? 'v1/me/acts' : `v1/me/acts?before=${before}`);
}

export function readKeys(): Promise<readonly Key[]> {
  return field('keys', ['GET', 'v1/me/keys']);
}

export function mintKey(wanted: WantedKey): Promise<MintedKey> {
  return field('key', ['POST', 'v1/me/keys', wanted]);
}

export function rotateKey(id: string): Promise<MintedKey> {
  return field('key', ['POST', `v1/me/keys/${id}/rotate`, {}]);
}

export function revokeKey(id: string): Promise<void> {
  return ask('DELETE', `v1/me/keys/${id}`);
}

export function readWebhooks(): Promise<readonly Webhook[]> {
  return field('webhooks', ['GET', 'v1/me/webhooks']);
}

export function registerWebhook(
  wanted: Pick<Webhook, 'url' | 'events' | 'description'>,
): Promise<NewWebhook> {
  return field('webhook', ['POST', 'v1/me/webhooks', wanted]);
}

export function changeWebhook(id: string, change: WebhookChange): Promise<void> {
  return ask('PATCH', `v1/me/webhooks/${id}`, change);
}

export function removeWebhook(id: string): Promise<void> {
  return ask('DELETE', `v1/me/webhooks/${id}`);
}

/** The latest, newest first. */
export function readDeliveries(id: string): Promise<readonly Delivery[]> {
  return field('deliveries', ['GET', `v1/me/webhooks/${id}/deliveries`]);
}

/** Another secret, shown this once. */
export function renewWebhookSecret(id: string): Promise<NewWebhook> {
  return field('webhook', ['POST', `v1/me/webhooks/${id}/secret`, {}]);
}

/** One attempt at once, and how it went. */
export function pingWebhook(id: string): Promise<Delivery> {
  return field('delivery', ['POST', `v1/me/webhooks/${id}/test`, {}]);
}

export function readPersons(): Promise<readonly Person[]> {
  return field('persons', ['GET', 'v1/me/persons']);
}

/** Whether a letter is sent. */
export function invitePerson(
  email: string,
  roles: readonly Role[],
): Promise<{ readonly mailed: boolean }> {
  return ask('POST', 'v1/me/persons', { email, roles });
}

export function changePerson(id: string, roles: readonly Role[]): Promise<void> {
  return ask('PATCH', `v1/me/persons/${id}`, { roles });
}

export function removePerson(id: string): Promise<void> {
  return ask('DELETE', `v1/me/persons/${id}`);
}

export function readAlarm(): Promise<Alarm> {
  return ask('GET', 'v1/me/alarm');
}

export function setAlarm(units: number | null): Promise<Alarm> {
  return ask('PUT', 'v1/me/alarm', { units });
}

const WATCHES = 'v1/me/overvaagning';

export function readWatches(): Promise<readonly WatchList[]> {
  return field('lister', ['GET', WATCHES]);
}

/** The first objects of a list. */
export function readWatched(id: string, most: number): Promise<readonly unknown[]> {
  return field('objekter', ['GET', `${WATCHES}/${id}?antal=${most}`]);
}

/** @param lines an object a line */
export async function makeWatch(navn: string, type: string, lines: string): Promise<void> {
  await sendLines('POST', `${WATCHES}?${new URLSearchParams({ navn, type }).toString()}`, lines);
}

export async function replaceWatched(id: string, lines: string): Promise<void> {
  await sendLines('PATCH', `${WATCHES}/${id}`, lines);
}

async function sendLines(method: string, path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'text/csv; charset=utf-8', ...csrfHeader() };
  await request(path, { method, headers, body });
}

export function changeWatch(
  id: string,
  change: Partial<Pick<WatchList, 'navn' | 'paa_pause'>>,
): Promise<void> {
  return ask('PATCH', `${WATCHES}/${id}`, change);
}

export function removeWatch(id: string): Promise<void> {
  return ask('DELETE', `${WATCHES}/${id}`);
}

/** How many webhooks it is sent to. */
export function testWatch(id: string): Promise<number> {
  return field('modtagere', ['POST', `${WATCHES}/${id}/test`, {}]);
}
