/** The only user of lru-cache: every cache is limited in items or bytes. */
import { LRUCache } from 'lru-cache';

export interface Cache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
  readonly size: number;
}

export function cacheByBytes<V extends object>(
  maxBytes: number,
  bytesOf: (value: V) => number,
): Cache<V> {
  return new LRUCache<string, V>({
    maxSize: maxBytes,
    sizeCalculation: (value) => Math.max(1, bytesOf(value)),
  });
}

/** By size: `max` would allocate the whole table at once, in every thread. */
export function cacheByCount<V extends object>(max: number, ttlMs: number): Cache<V> {
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1, ttl: ttlMs });
}

export interface ListedCache<V> extends Cache<V> {
  entries(): Iterable<[string, V]>;
}

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
