/**
 * A key is a prefix, 32 random base62 characters, and six of a CRC-32 against typing errors.
 * Nothing here logs.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from './plans.ts';

export const KEY_KINDS = ['secret', 'public'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface KeyForm {
  readonly kind: KeyKind;
  readonly environment: Environment;
}

const HEADS: readonly (KeyForm & { readonly head: string })[] = [
  { head: 'svc_live_', kind: 'secret', environment: 'live' },
  { head: 'svc_test_', kind: 'secret', environment: 'test' },
  { head: 'svc_pub_live_', kind: 'public', environment: 'live' },
  { head: 'svc_pub_test_', kind: 'public', environment: 'test' },
];

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 32;
const CHECK_CHARS = 6;
const BODY_CHARS = RANDOM_CHARS + CHECK_CHARS;
/** Random characters that identify a key: 36 of its 190 bits. */
const SHOWN_CHARS = 6;

/** Texts outside this length are rejected unread. */
export const KEY_CHARS = {
  min: Math.min(...HEADS.map(({ head }) => head.length)) + BODY_CHARS,
  max: Math.max(...HEADS.map(({ head }) => head.length)) + BODY_CHARS,
};

/** The caller shows it once and keeps only digest and prefix (D67). */
export function newSecret({ kind, environment }: KeyForm): string {
  const found = HEADS.find((each) => each.kind === kind && each.environment === environment);
  if (found === undefined) throw new Error(`No key has the form ${kind} ${environment}.`);
  const unchecked = found.head + randomBase62(RANDOM_CHARS);
  return unchecked + checksumOf(unchecked);
}

/** null: never a key. Checks the checksum. Linear. */
export function formOf(text: string): KeyForm | null {
  if (text.length < KEY_CHARS.min || text.length > KEY_CHARS.max) return null;
  const found = HEADS.find(({ head }) => text.startsWith(head));
  if (found?.head.length !== text.length - BODY_CHARS) return null;
  if (!/^[0-9A-Za-z]+$/.test(text.slice(found.head.length))) return null;
  const { kind, environment } = found;
  const unchecked = text.slice(0, -CHECK_CHARS);
  return checksumOf(unchecked) === text.slice(-CHECK_CHARS) ? { kind, environment } : null;
}

export function prefixOf(secret: string): string {
  return secret.slice(0, -(BODY_CHARS - SHOWN_CHARS));
}

/**
 * One character per byte, as Maps compare texts. One pass suffices: keys have over 112 bits.
 */
export function digestOf(secret: string): string {
  return hash('sha256', secret, 'binary');
}

export function digestBytes(digest: string): Buffer {
  return Buffer.from(digest, 'latin1');
}

/** Rejects bytes from 248, so that characters are uniform. */
function randomBase62(count: number): string {
  const fair = 256 - (256 % BASE62.length);
  let text = '';
  while (text.length < count) {
    for (const byte of randomBytes(count)) {
      if (byte < fair && text.length < count) text += BASE62[byte % BASE62.length] ?? '';
    }
  }
  return text;
}

function checksumOf(text: string): string {
  let rest = crc32(text);
  let chars = '';
  for (let index = 0; index < CHECK_CHARS; index += 1) {
    chars = (BASE62[rest % BASE62.length] ?? '') + chars;
    rest = Math.floor(rest / BASE62.length);
  }
  return chars;
}
