/** Bounded caches: the only user of lru-cache. Every cache has a limit in items or in bytes. */
import { LRUCache } from 'lru-cache';

export interface Cache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
  /** Items held, for metrics. */
  readonly size: number;
}

/** Keeps the most recently used values, up to a total of bytes; a larger value is not kept. */
export function cacheByBytes<V extends object>(
  maxBytes: number,
  bytesOf: (value: V) => number,
): Cache<V> {
  return new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: (value) => Math.max(1, bytesOf(value)),
  });
}

/** Keeps the most recently used values, up to a count, each for `ttlMs` at most. */
export function cacheByCount<V extends object>(max: number, ttlMs: number): Cache<V> {
  return new LRUCache<string, V>({ max, ttl: ttlMs });
}

/** A cache that can be gone through. */
export interface ListedCache<V> extends Cache<V> {
  entries(): Iterable<[string, V]>;
}

/** Keeps the most recently used values, up to a count, for as long as they are used. */
export function cacheOfRecent<V extends object>(
  max: number,
  onPushedOut: (value: V) => void,
): ListedCache<V> {
  return new LRUCache<string, V>({
    max,
    dispose: (value, _key, reason) => {
      if (reason === 'evict') onPushedOut(value);
    },
  });
}
