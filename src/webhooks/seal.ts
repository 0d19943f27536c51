/** Seals secrets by AES-256-GCM with the endpoint's id as associated data (D83, D102). */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_BYTES, parseKey } from '../kernel/key-bytes.ts';
import { makeFile } from '../kernel/replace-file.ts';

const CIPHER = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version, key id, nonce and tag; then the secret. */
const HEAD_BYTES = 1 + KEY_ID_BYTES + NONCE_BYTES + TAG_BYTES;

export type Sealer = ReturnType<typeof createSealer>;

/** The first seals; the others only open older secrets. */
export function createSealer(keys: readonly [Buffer, ...Buffer[]]) {
  const [first] = keys;
  const firstId = idOf(first);
  const byId = new Map(keys.toReversed().map((key) => [idOf(key).toString('hex'), key]));
  const keyIdOf = (sealed: Buffer): string => sealed.subarray(1, 1 + KEY_ID_BYTES).toString('hex');
  return {
    seal: (secret: string, endpointId: string) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, first, nonce).setAAD(Buffer.from(endpointId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), firstId, nonce, cipher.getAuthTag(), text]);
    },
    /** null: unknown key, another endpoint, or damaged. */
    open: (sealed: Buffer, endpointId: string) => {
      const key = byId.get(keyIdOf(sealed));
      if (key === undefined || sealed.length <= HEAD_BYTES || sealed[0] !== VERSION) return null;
      const tagAt = HEAD_BYTES - TAG_BYTES;
      const nonce = sealed.subarray(1 + KEY_ID_BYTES, tagAt);
      const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(endpointId))
        .setAuthTag(sealed.subarray(tagAt, HEAD_BYTES));
      try {
        return cipher.update(sealed.subarray(HEAD_BYTES), undefined, 'utf8') + cipher.final('utf8');
      } catch {
        return null;
      }
    },
    isOutdated: (sealed: Buffer) => keyIdOf(sealed) !== firstId.toString('hex'),
  };
}

/** Does not reveal the key. */
function idOf(key: Buffer): Buffer {
  return hash('sha256', key, 'buffer').subarray(0, KEY_ID_BYTES);
}

const KEY_FILE = 'webhook.key';

/** Created atomically on first use (D102), readable only by its owner. */
export function sealingKeyOf(dataDir: string): Buffer {
  const path = join(dataDir, KEY_FILE);
  const found = readKeyFile(path);
  if (found !== null) return found;
  makeFile(path, randomBytes(KEY_BYTES).toString('base64'));
  const made = readKeyFile(path);
  if (made === null) throw new Error(`DATA_DIR: ${KEY_FILE} was made and is gone again.`);
  return made;
}

/** null: none yet. Throws if damaged: its secrets would be lost. */
function readKeyFile(path: string): Buffer | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const key = parseKey(text);
  if (key === null)
    throw new Error(`DATA_DIR: ${KEY_FILE} must hold base64 of ${KEY_BYTES} bytes.`);
  return key;
}
