/** English, as events are. */
import { Type } from 'typebox';
import { KEY_KINDS } from '../../../account/key-format.ts';
import { EMAIL } from '../../../account/accounts.ts';
import { AREAS } from '../../../account/permissions.ts';
import { ROLES } from '../../../account/roles.ts';
import { ENVIRONMENTS, TIERS } from '../../../account/plans.ts';
import { ACCOUNT_LIMITS } from '../../../account/limits.ts';
import {
  BODY_STATUSES,
  closed,
  errors,
  idOf,
  nullable,
  oneOf,
  query,
  ref,
  stated,
  textWithin,
} from '../../../core/question/schemas.ts';

export const EmailAddress = stated(textWithin(ACCOUNT_LIMITS.emailChars), { pattern: EMAIL });
export const Name = stated(textWithin(ACCOUNT_LIMITS.accountNameChars), { pattern: '\\S' });

const area = `(?:${AREAS.join('|')})`;
const PERMISSION = { pattern: `^(?:read|jobs|restricted:${area}(?:,${area})*)$` };
const ORIGIN = {
  pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?://)?(?:\\*\\.)?[^\\s/?#@\\\\%*:\\[\\]]+(?::[0-9]{1,5})?/?$',
};

const count = Type.Integer({ minimum: 0 });
const time = Type.String({ format: 'date-time' });

export const KEY_STATES = ['active', 'expired', 'revoked'] as const;

const AccountSchema = closed(
  {
    id: Type.String({ description: 'Prefixed account_.' }),
    name: Type.String(),
    email: nullable(Type.String({ description: 'null where a key asks.' })),
    tier: oneOf(TIERS),
    operator: Type.Boolean({ description: 'May operate the service.' }),
    created_at: time,
  },
  { $id: 'Account', description: 'Whose keys these are.' },
);

const PersonSchema = closed(
  {
    id: Type.String({ description: 'Prefixed person_.' }),
    email: Type.String(),
    roles: Type.Array(oneOf(ROLES)),
    created_at: time,
    joined_at: nullable(
      Type.String({ format: 'date-time', description: 'First sign-in; null: not yet.' }),
    ),
  },
  { $id: 'Person', description: 'One who may sign in to the account.' },
);

const keyFields = {
  id: Type.String({ description: 'Prefixed key_.' }),
  name: Type.String(),
  prefix: Type.String({ description: 'What a person knows the key by: its first characters.' }),
  kind: oneOf(KEY_KINDS),
  environment: oneOf(ENVIRONMENTS),
  permission: Type.String({ description: '`read`, `jobs` or `restricted:<area,…>`.' }),
  origins: Type.Array(Type.String(), { description: 'Hosts a public key answers for.' }),
  state: oneOf(KEY_STATES),
  created_at: time,
  expires_at: nullable(time),
  revoked_at: nullable(time),
  replaced_by: nullable(Type.String({ description: 'The id of the key that took its place.' })),
  last_used_at: nullable(Type.String({ format: 'date-time', description: 'To the minute or so.' })),
  made_by: nullable(
    Type.String({
      description: "The person's address; null: it was not kept, or an operator made the key.",
    }),
  ),
};

const KeySchema = closed(keyFields, { $id: 'Key', description: 'A key, without its secret.' });

const MintedKeySchema = closed(
  { ...keyFields, secret: Type.String({ description: 'Told this once. Nobody keeps it.' }) },
  { $id: 'MintedKey', description: 'A fresh key with its secret.' },
);

export const ME_SCHEMAS = [AccountSchema, PersonSchema, KeySchema, MintedKeySchema] as const;

export const AccountRef = ref('Account');
export const PersonRef = ref('Person');
const KeyRef = ref('Key');
const MintedKeyRef = ref('MintedKey');

const tags = ['me'];
const session = [{ session: [] }];
const common = { tags, security: session, querystring: query({}) };

export const meRoute = {
  operationId: 'me',
  summary: 'Whose key or session this is, and what its plan allows',
  tags,
  security: [{ session: [] }, { apiKey: [] }, { queryToken: [] }],
  querystring: query({}),
  response: {
    200: closed({
      account: AccountRef,
      person: nullable(PersonRef),
      tier: oneOf(TIERS),
      environment: nullable(oneOf(ENVIRONMENTS, 'Of the key that asks.')),
      key: nullable(
        closed({
          id: Type.String(),
          environment: oneOf(ENVIRONMENTS),
          areas: Type.Array(oneOf(AREAS), { description: 'What the key opens.' }),
        }),
      ),
      limits: closed({
        units_per_month: closed({ live: count, test: count }),
        ceiling_per_month: closed(
          { live: count, test: count },
          { description: 'Units after which calls are refused until the month turns.' },
        ),
        requests_per_second: count,
        burst_requests: count,
        batches: Type.Boolean({ description: 'Whether batches and jobs are open.' }),
        overage: Type.Boolean({ description: 'Whether live use goes on past the allowance.' }),
      }),
      csrf_token: nullable(
        Type.String({ description: 'Goes into X-CSRF-Token of every write of the session.' }),
      ),
    }),
    ...errors(400, 401, 403, 429, 503),
  },
};

export const keysRoute = {
  operationId: 'keys',
  summary: "The account's keys: working ones first, then those that ended last",
  ...common,
  response: { 200: closed({ keys: Type.Array(KeyRef) }), ...errors(400, 401, 403, 503) },
};

export const mintRoute = {
  operationId: 'mintKey',
  summary: 'Makes a key; its secret is in this answer and in no later one',
  ...common,
  body: closed({
    name: Name,
    environment: oneOf(ENVIRONMENTS),
    kind: Type.Optional(oneOf(KEY_KINDS, 'Default: secret.')),
    permission: Type.Optional(
      stated(
        Type.String({ maxLength: 200, description: 'Default: read; a public key has its own.' }),
        PERMISSION,
      ),
    ),
    session: Type.Optional(
      Type.Boolean({
        description:
          'true: a secret key for a page of this session, which ends with it: at sign-out, at the ' +
          'latest with its 12 hours. Default: false.',
      }),
    ),
    origins: Type.Optional(
      Type.Array(stated(textWithin({ min: 1, max: 260 }), ORIGIN), {
        maxItems: ACCOUNT_LIMITS.keyOrigins.max,
        description: 'Of a public key, 1 to 20: example.dk, *.example.dk or localhost:5173.',
      }),
    ),
  }),
  response: {
    201: closed({ key: MintedKeyRef }),
    ...errors(...BODY_STATUSES, 401, 403, 409, 429, 503),
  },
};

const params = idOf('key');

export const rotateRoute = {
  operationId: 'rotateKey',
  summary: 'Makes a key that takes the place of another, which goes on working for a while',
  ...common,
  params,
  // No body: the default overlap.
  body: nullable(
    closed({
      overlap_hours: Type.Optional(
        Type.Integer({
          minimum: ACCOUNT_LIMITS.keyOverlapHours.min,
          maximum: ACCOUNT_LIMITS.keyOverlapHours.max,
          description: `Hours the old key goes on working. Default: ${ACCOUNT_LIMITS.keyOverlapHours.default}.`,
        }),
      ),
    }),
  ),
  response: {
    201: closed({ key: MintedKeyRef, replaced: KeyRef }),
    ...errors(...BODY_STATUSES, 401, 403, 404, 409, 429, 503),
  },
};

export const revokeRoute = {
  operationId: 'revokeKey',
  summary: 'Revokes a key, at once and for good',
  ...common,
  params,
  response: {
    204: { description: 'The key is revoked.', type: 'null' },
    ...errors(...BODY_STATUSES, 401, 403, 404, 503),
  },
};
