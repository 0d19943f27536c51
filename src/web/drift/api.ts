/**
 * As the signed-in operator, or with the operator's token, kept in session storage and sent in a
 * header.
 */
import { LARGE_MS, request } from '../shared/ask.ts';
import { blobOf, keepFile } from '../shared/keep-file.ts';
import { csrfHeader, readSession, signOut } from '../shared/session.ts';
import type { Board, Changes, Day, Difference, History, RunPage, TrailPage } from './types.ts';

const TOKEN = 'drift-token';
const WHO = 'drift-who';

let isOperator = false;

export async function findSession(): Promise<boolean> {
  isOperator = (await readSession())?.account.operator === true;
  return isOperator;
}

export async function endSession(): Promise<void> {
  if (isOperator) await signOut();
  isOperator = false;
}

export const session = {
  get token(): string | null {
    return sessionStorage.getItem(TOKEN);
  },
  get who(): string | null {
    return sessionStorage.getItem(WHO);
  },
  begin(token: string, who: string): void {
    sessionStorage.setItem(TOKEN, token);
    if (who === '') sessionStorage.removeItem(WHO);
    else sessionStorage.setItem(WHO, who);
  },
  end(): void {
    sessionStorage.removeItem(TOKEN);
    sessionStorage.removeItem(WHO);
  },
};

const LAYERS = 'v1/drift/lag';
const CHANGES = 'v1/drift/varsler';

export const readBoard = () => ask<Board>(LAYERS);
export const readChanges = () => ask<Changes>(CHANGES);
export const readHistory = (layer: string) => ask<History>(`${LAYERS}/${layer}/historik`);
export const readDifference = (layer: string, from: number, to: number) =>
  ask<Difference>(`${LAYERS}/${layer}/forskel?fra=${from}&til=${to}`);
/** Oldest first. */
export const readDays = async () =>
  (await ask<{ readonly dage: readonly Day[] }>('v1/drift/dage')).dage;

export function readRuns(layer: string, before: string | null): Promise<RunPage> {
  const query = queryOf({ antal: 10, foer: before });
  return ask(`${LAYERS}/${layer}/koersler?${query}`);
}

type TrailQuery = Readonly<Record<'af' | 'objekt', string> & { foer: number | null }>;

export const readTrail = (query: TrailQuery) =>
  ask<TrailPage>(`v1/drift/handlinger?${queryOf(query)}`);

export function requestSync(layer: string, guards: readonly string[]) {
  return ask<{ readonly svar: 'i_koe' | 'koerer_allerede' }>(`${LAYERS}/${layer}/synk`, {
    ...signed(),
    ...(guards.length > 0 && { frigiv: guards }),
  });
}

export const revert = (layer: string, version?: number) =>
  ask<{ readonly version: number }>(`${LAYERS}/${layer}/fortryd`, { ...signed(), version });

const confirmationOf = (id: string) => `${CHANGES}/${encodeURIComponent(id)}/godkend`;

export async function confirmChange(id: string, remark: string): Promise<void> {
  await ask(confirmationOf(id), { ...signed(), ...(remark !== '' && { bemaerkning: remark }) });
}

export async function unconfirmChange(id: string): Promise<void> {
  await send(`${confirmationOf(id)}?${queryOf(signed())}`, { method: 'DELETE' });
}

/** Empty and null fields are left out. */
function queryOf(fields: Readonly<Record<string, string | number | null>>): URLSearchParams {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== '');
  return new URLSearchParams(known.map(([name, value]) => [name, String(value)]));
}

export async function download(layer: string): Promise<void> {
  const large = { limitMs: LARGE_MS, isLong: true };
  const response = await send(`v1/drift/lag/${layer}/snapshot.fgb`, large);
  keepFile(await blobOf(response), `${layer}.fgb`);
}

function signed(): Readonly<Record<string, string>> {
  return session.who === null ? {} : { af: session.who };
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' };
  const post = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await send(path, body === undefined ? {} : post);
  return (await response.json()) as Answer;
}

function send(path: string, options: Parameters<typeof request>[1] = {}): Promise<Response> {
  const { token } = session;
  const proof = token === null ? isOperator && csrfHeader() : { authorization: `Bearer ${token}` };
  return request(path, {
    ...options,
    headers: { ...options.headers, ...proof },
    credentials: token === null ? 'same-origin' : 'omit',
  });
}
