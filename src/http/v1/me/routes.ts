import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { isId } from '../../../account/ids.ts';
import { noSuchKey } from '../../../account/keys.ts';
import type { MintedKey } from '../../../account/keys.ts';
import type { ApiKey } from '../../../account/key-store.ts';
import type { Principal } from '../../../account/principal.ts';
import { LIMITS } from '../../../kernel/limits.ts';
import { sendLimits } from '../../plugins/access.ts';
import type { AccountServices, Services, RouteGroup } from '../../services.ts';
import { NO_STORE } from '../../wire/no-store.ts';
import { shownKey } from '../../access.ts';
import { refuseWhileUnavailable, unreachable } from '../../wire/unreachable.ts';
import { sessionTokenOf } from '../session/cookie.ts';
import { accountsOf, notSignedIn, signedInOf } from '../session/gate.ts';
import { admitKey } from './caller.ts';
import { renderAccount, renderKey, renderLimits, renderMinted, renderPerson } from './render.ts';
import { actKeeper } from './person-routes.ts';
import { sessionGate } from './session-gate.ts';
import type { SessionGate } from './session-gate.ts';
import { keysRoute, meRoute, mintRoute, revokeRoute, rotateRoute } from './schema.ts';

export const meRoutes: RouteGroup = (app, services, { publicUrl }) => {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const gate = sessionGate(services, publicUrl);
  const { reads, uses, sessionOf, accountId } = gate;
  const made = keyMaker(services, gate);
  const keyAdmin = () => accountsOf(services).keyAdmin;
  const shown = (key: ApiKey) => renderKey(key, accountsOf(services).clock.nowMs());

  routes.get('/v1/me', { schema: meRoute, onSend: sendLimits }, async (request, reply) => {
    return reply.headers(NO_STORE).send(await whoAsks(request, services, publicUrl));
  });

  routes.get('/v1/me/keys', { schema: keysRoute, ...reads }, async (request, reply) => {
    const keys = await keyAdmin().list(accountId(request)).catch(unreachable);
    return reply.headers(NO_STORE).send({ keys: keys.map(shown) });
  });

  const mint = { schema: mintRoute, ...uses, bodyLimit: LIMITS.bodyBytes.key };
  routes.post('/v1/me/keys', mint, async (request, reply) => {
    const { session: ofSession = false, ...asked } = request.body;
    const session = sessionOf(request);
    const wanted = { kind: 'secret' as const, ...asked, ...(ofSession && { session }) };
    const minted = await keyAdmin().mint(accountId(request), wanted).catch(unreachable);
    request.log.info({ account: minted.key.accountId, key: minted.key.id }, 'key made');
    const key = await made(request, minted, ofSession);
    return reply.code(201).headers(NO_STORE).send({ key });
  });

  const rotate = { schema: rotateRoute, ...uses, bodyLimit: LIMITS.bodyBytes.form };
  routes.post('/v1/me/keys/:id/rotate', rotate, async (request, reply) => {
    const id = keyNamed(request.params.id);
    const hours = request.body?.overlap_hours;
    const { old, minted } = await keyAdmin()
      .rotate(accountId(request), id, hours)
      .catch(unreachable);
    request.log.info({ account: old.accountId, key: id, by: minted.key.id }, 'key replaced');
    const key = await made(request, minted);
    return reply
      .code(201)
      .headers(NO_STORE)
      .send({ key, replaced: shown(old) });
  });

  routes.delete('/v1/me/keys/:id', { schema: revokeRoute, ...uses }, async (request, reply) => {
    const id = keyNamed(request.params.id);
    const key = await keyAdmin().revoke(accountId(request), id).catch(unreachable);
    request.log.info({ account: key.accountId, key: id }, 'key revoked');
    return reply.code(204).headers(NO_STORE).send(null);
  });
};

/** Keeps who made a key once it is made, as refusals leave no acts; a page's own key has its session (D264). */
function keyMaker(services: Services, gate: SessionGate) {
  const keep = actKeeper(services, gate);
  return async (request: FastifyRequest, { key, secret }: MintedKey, ofSession = false) => {
    const { id: target, kind, environment, permission } = key;
    const act = { act: 'key mint', target, wanted: { kind, environment, permission } };
    // The secret is told this once, whether the act could be kept or not.
    const failed = (error: unknown) => request.log.warn({ error, key: target }, 'maker not kept');
    if (!ofSession) await keep(request, act).catch(failed);
    const madeBy = gate.sessionOf(request).person.email;
    return renderMinted({ key: { ...key, madeBy }, secret }, accountsOf(services).clock.nowMs());
  };
}

async function whoAsks(request: FastifyRequest, services: Services, publicUrl: string | null) {
  const secret = shownKey(request);
  const accounts = accountsOf(services);
  // Browsers send cookies unasked, so a shown key wins.
  if (secret === null) return await whoIsSignedIn(request, accounts, publicUrl);
  const principal = await admitKey(request, secret, { services, accounts });
  return await whoseKey(principal, accounts);
}

async function whoIsSignedIn(
  request: FastifyRequest,
  services: AccountServices,
  ownOrigin: string | null,
) {
  const signedIn = await signedInOf(request, services, ownOrigin);
  if (signedIn === null) throw notSignedIn(sessionTokenOf(request.headers.cookie) !== null);
  const { account, person } = signedIn.session;
  return {
    account: renderAccount(account),
    person: renderPerson(person),
    tier: account.tier,
    environment: null,
    key: null,
    limits: renderLimits(services.plans[account.tier], account.capUnits),
    csrf_token: signedIn.csrfToken,
  };
}

async function whoseKey(principal: Principal, services: AccountServices) {
  refuseWhileUnavailable(services);
  const account = await services.accounts.find(principal.accountId).catch(unreachable);
  if (account === null) throw new Error('A key that works has no account.');
  const { keyId, environment, areas, tier, capUnits } = principal;
  return {
    account: renderAccount(account, 'key'),
    person: null,
    tier,
    environment,
    key: { id: keyId, environment, areas: [...areas] },
    limits: renderLimits(services.plans[tier], capUnits),
    csrf_token: null,
  };
}

function keyNamed(id: string): string {
  if (isId('key', id)) return id;
  throw noSuchKey();
}
