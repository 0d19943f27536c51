/**
 * Asks as the signed-in operator, or with the operator's token, kept in session storage and sent
 * in a header.
 */
import { TIMEOUT_MS, request } from '../shared/ask.ts';
import { csrfHeader, readSession, signOut } from '../shared/session.ts';
import type { Board, Changes, Day, Difference, History, RunPage, TrailPage } from './types.ts';

const TOKEN = 'drift-token';
const WHO = 'drift-who';

/** Whether the one who is signed in operates the service. */
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

export function readBoard(): Promise<Board> {
  return ask('v1/drift/lag');
}

export function readRuns(layer: string, before: string | null): Promise<RunPage> {
  const page = before === null ? '' : `&foer=${encodeURIComponent(before)}`;
  return ask(`v1/drift/lag/${layer}/koersler?antal=10${page}`);
}

/** What a layer went through, as far back as the service tells unasked. */
export function readHistory(layer: string): Promise<History> {
  return ask(`v1/drift/lag/${layer}/historik`);
}

export function readDifference(layer: string, from: number, to: number): Promise<Difference> {
  return ask(`v1/drift/lag/${layer}/forskel?fra=${from}&til=${to}`);
}

/** The self-audit and jobs by day, oldest first. */
export async function readDays(): Promise<readonly Day[]> {
  const { dage } = await ask<{ readonly dage: readonly Day[] }>('v1/drift/dage');
  return dage;
}

export function readTrail(of: {
  readonly who: string;
  readonly object: string;
  readonly before: number | null;
}): Promise<TrailPage> {
  const query = new URLSearchParams();
  if (of.who !== '') query.set('af', of.who);
  if (of.object !== '') query.set('objekt', of.object);
  if (of.before !== null) query.set('foer', String(of.before));
  return ask(`v1/drift/handlinger?${query}`);
}

export function requestSync(
  layer: string,
  guards: readonly string[],
): Promise<{ readonly svar: 'i_koe' | 'koerer_allerede' }> {
  return ask(`v1/drift/lag/${layer}/synk`, {
    ...signed(),
    ...(guards.length > 0 && { frigiv: guards }),
  });
}

export function revert(layer: string): Promise<{ readonly version: number }> {
  return ask(`v1/drift/lag/${layer}/fortryd`, signed());
}

export function readChanges(): Promise<Changes> {
  return ask('v1/drift/varsler');
}

export async function confirmChange(id: string, remark: string): Promise<void> {
  await ask(`v1/drift/varsler/${encodeURIComponent(id)}/godkend`, {
    ...signed(),
    ...(remark !== '' && { bemaerkning: remark }),
  });
}

export async function unconfirmChange(id: string): Promise<void> {
  const by = session.who === null ? '' : `?af=${encodeURIComponent(session.who)}`;
  await send(`v1/drift/varsler/${encodeURIComponent(id)}/godkend${by}`, { method: 'DELETE' });
}

/** The snapshot as a file of this browser. */
export async function download(layer: string): Promise<void> {
  const response = await send(`v1/drift/lag/${layer}/snapshot.fgb`, {});
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${layer}.fgb`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TIMEOUT_MS);
}

function signed(): { readonly af?: string } {
  return session.who === null ? {} : { af: session.who };
}

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await send(path, body === undefined ? {} : post);
  return (await response.json()) as Answer;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function send(path: string, options: Sent): Promise<Response> {
  const { token } = session;
  return request(path, {
    ...options,
    headers: {
      ...options.headers,
      ...(token === null ? isOperator && csrfHeader() : { authorization: `Bearer ${token}` }),
    },
    credentials: token === null ? 'same-origin' : 'omit',
  });
}
