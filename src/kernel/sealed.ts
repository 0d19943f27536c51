/** JSON with the SHA-256 of its text, so that damage is noticed when it is read. */
import { createHash } from 'node:crypto';

export function seal(content: unknown): string {
  const text = JSON.stringify(content);
  return JSON.stringify({ content: text, sha256: hashOf(text) });
}

/** null: damaged, or never sealed. */
export function unseal(sealed: string): unknown {
  try {
    const { content, sha256 } = JSON.parse(sealed) as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string' || hashOf(content) !== sha256) return null;
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
