/**
 * JSON with its SHA-256, and with a key a MAC over name and text against forged or exchanged
 * objects.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export interface Sealing {
  /** The object's place. */
  readonly name: string;
  /** The first seals, each opens; none: without a MAC. */
  readonly keys: readonly string[];
}

const UNKEYED: Sealing = { name: '', keys: [] };

export function seal(content: unknown, { name, keys: [key] } = UNKEYED): string {
  const text = JSON.stringify(content);
  const mac = key === undefined ? {} : { mac: macOf(key, name, text) };
  return JSON.stringify({ content: text, sha256: hashOf(text), ...mac });
}

/** null: damaged, unsealed, or by an unknown key. */
export function unseal(sealed: string, { name, keys } = UNKEYED): unknown {
  try {
    const { content, sha256, mac } = JSON.parse(sealed) as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string' || hashOf(content) !== sha256) return null;
    const isOurs = keys.length === 0 || keys.some((key) => isSame(macOf(key, name, content), mac));
    return isOurs ? JSON.parse(content) : null;
  } catch {
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function macOf(key: string, name: string, text: string): string {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(`${name}\0${text}`).digest('hex');
}

function isSame(one: string, other: unknown): boolean {
  const [a, b] = [one, String(other)].map((text) => Buffer.from(text));
  return a !== undefined && a.length === b?.length && timingSafeEqual(a, b);
}
