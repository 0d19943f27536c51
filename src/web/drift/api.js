/**
 * Asks the service: as the operator who is signed in, or with the operator's token, which lives in
 * this tab's session storage and travels in a header alone, never in an address.
 */
import { TIMEOUT_MS, request } from '../shared/ask.ts';

const TOKEN = 'drift-token';
const WHO = 'drift-who';

/** What goes with every write of the one who is signed in; null: nobody is, who operates. */
let csrfToken = null;

/** Looks whether an operator is signed in. */
export async function findSession() {
  const { session: found } = await ask('v1/me/session');
  csrfToken = found?.account.operator === true ? found.csrf_token : null;
  return csrfToken !== null;
}

export async function endSession() {
  if (csrfToken !== null) await send('v1/me/session', { method: 'DELETE' });
  csrfToken = null;
}

export const session = {
  get token() {
    return sessionStorage.getItem(TOKEN);
  },
  get who() {
    return sessionStorage.getItem(WHO);
  },
  begin(token, who) {
    sessionStorage.setItem(TOKEN, token);
    if (who === '') sessionStorage.removeItem(WHO);
    else sessionStorage.setItem(WHO, who);
  },
  end() {
    sessionStorage.removeItem(TOKEN);
    sessionStorage.removeItem(WHO);
  },
};

export function readBoard() {
  return ask('v1/drift/lag');
}

export function readRuns(layer, before) {
  const page = before === null ? '' : `&foer=${encodeURIComponent(before)}`;
  return ask(`v1/drift/lag/${layer}/koersler?antal=10${page}`);
}

export function requestSync(layer, guards) {
  return ask(`v1/drift/lag/${layer}/synk`, {
    ...signed(),
    ...(guards.length > 0 && { frigiv: guards }),
  });
}

export function revert(layer) {
  return ask(`v1/drift/lag/${layer}/fortryd`, signed());
}

/** What is known ahead of its day. */
export function readChanges() {
  return ask('v1/drift/varsler');
}

export function confirmChange(id, remark) {
  return ask(`v1/drift/varsler/${encodeURIComponent(id)}/godkend`, {
    ...signed(),
    ...(remark !== '' && { bemaerkning: remark }),
  });
}

export async function unconfirmChange(id) {
  const by = session.who === null ? '' : `?af=${encodeURIComponent(session.who)}`;
  await send(`v1/drift/varsler/${encodeURIComponent(id)}/godkend${by}`, { method: 'DELETE' });
}

/** The snapshot as a file of this browser. */
export async function download(layer) {
  const response = await send(`v1/drift/lag/${layer}/snapshot.fgb`, {});
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${layer}.fgb`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TIMEOUT_MS);
}

function signed() {
  return session.who === null ? {} : { af: session.who };
}

async function ask(path, body) {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
  const response = await send(path, body === undefined ? {} : post);
  return await response.json();
}

function send(path, options) {
  const headers = { ...options.headers };
  if (session.token !== null) headers.authorization = `Bearer ${session.token}`;
  else if (csrfToken !== null) headers['x-csrf-token'] = csrfToken;
  return request(path, {
    ...options,
    headers,
    credentials: session.token === null ? 'same-origin' : 'omit',
  });
}
