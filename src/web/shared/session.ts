/** The cookie is out of reach here; every write carries the session's token. */
import type { renderSession } from '../../http/v1/me/render.ts';
import { request, wordsOf } from './ask.ts';
import { byId, show } from './dom.ts';
import { toast } from './notices.ts';

export type Session = ReturnType<typeof renderSession>;

let csrfToken = '';

export async function readSession(): Promise<Session | null> {
  return remembered(await asSession('GET', 'v1/me/session'));
}

export async function signIn(link: string): Promise<Session | null> {
  return remembered(await asSession('POST', 'v1/me/session', { link }));
}

export async function signOut(): Promise<void> {
  await asSession('DELETE', 'v1/me/session');
  csrfToken = '';
}

export function csrfHeader(): Readonly<Record<string, string>> {
  return { 'x-csrf-token': csrfToken };
}

/** Throws Refused. */
export async function asSession<Answer>(
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await request(path, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && csrfHeader()),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (response.status === 204 ? null : await response.json()) as Answer;
}

function remembered({ session }: { readonly session: Session | null }): Session | null {
  csrfToken = session?.csrf_token ?? '';
  return session;
}

export function installSignOut(): void {
  byId('sign-out').addEventListener('click', () => {
    signOut().then(
      () => window.location.reload(),
      (error: unknown) => toast(wordsOf(error), 'bad'),
    );
  });
}

/** On a page that asks for no session of its own. */
export async function offerSignOut(): Promise<void> {
  installSignOut();
  const session = await readSession().catch(() => null);
  show(byId('sign-out'), session !== null);
}
