/** D84, D101, D103 (interface: Events). */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const SHOWN_CHARS = 4;

/** `whsec_` and base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Identifies a secret to its owner (D103). */
export function secretPrefixOf(secret: string): string {
  return secret.slice(0, PREFIX.length + SHOWN_CHARS);
}

export interface Signed {
  readonly deliveryId: string;
  readonly event: string;
  readonly body: string;
}

export interface SignedWith {
  readonly secret: string;
  /** The previous secret, while both are valid (D147). */
  readonly formerSecret?: string | null;
  readonly atMs: number;
}

/**
 * The interface signs with the secret's whole text, Standard Webhooks with the decoded base64
 * (D101), one signature per valid secret.
 */
export function webhookHeaders(
  { deliveryId, event, body }: Signed,
  { secret, formerSecret = null, atMs }: SignedWith,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(atMs / 1000));
  const standard = [secret, formerSecret].flatMap((each) => {
    if (each === null) return [];
    const key = Buffer.from(each.slice(PREFIX.length), 'base64');
    return [`v1,${hmac(key, `${deliveryId}.${timestamp}.${body}`).digest('base64')}`];
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1.0',
    'x-service-event': event,
    'x-service-delivery': deliveryId,
    'x-service-signature': `sha256=${hmac(secret, body).digest('hex')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}

function hmac(key: string | Buffer, text: string) {
  return createHmac('sha256', key).update(text, 'utf8');
}
