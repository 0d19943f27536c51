/**
 * Asks the service as the one signed in: the cookie travels by itself and is out of reach here; every
 * write carries the token that goes with it.
 */
import { request } from '../shared/ask.ts';

let csrfToken = '';

/** Who is signed in; null: nobody. */
export async function readSession() {
  return remembered(await ask('GET', 'v1/me/session'));
}

/** Uses the link's token up. */
export async function signIn(link) {
  return remembered(await ask('POST', 'v1/me/session', { link }));
}

export function signOut() {
  return ask('DELETE', 'v1/me/session');
}

export function readMe() {
  return ask('GET', 'v1/me');
}

export function readUsage() {
  return ask('GET', 'v1/me/usage');
}

export async function readKeys() {
  return (await ask('GET', 'v1/me/keys')).keys;
}

export function mintKey(wanted) {
  return ask('POST', 'v1/me/keys', wanted);
}

export function rotateKey(id) {
  return ask('POST', `v1/me/keys/${id}/rotate`, {});
}

export function revokeKey(id) {
  return ask('DELETE', `v1/me/keys/${id}`);
}

function remembered({ session }) {
  csrfToken = session?.csrf_token ?? '';
  return session;
}

async function ask(method, path, body) {
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (method !== 'GET') headers['x-csrf-token'] = csrfToken;
  const response = await request(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (response.status === 204) return null;
  return await response.json().catch(() => ({}));
}
