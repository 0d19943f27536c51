import { createHash } from 'node:crypto';
import type { GzipPiece } from '../kernel/gzip.ts';

export type JsonPart = string | GzipPiece;

/** Weak: the answer's two encodings differ in bytes only (RFC 9110 8.8.1). */
export function weakTag(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return `W/"${hash.digest('base64url').slice(0, 22)}"`;
}
