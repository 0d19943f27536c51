/**
 * Holders that each limit of the threads can count at a time (twice as many slots, in sets of 16).
 */
export const LIMITER_SIZES = {
  /** A holder counts while it has something open; further holders are refused. */
  counters: {
    'requests of accounts': 2_048,
    'requests of the trial': 2_048,
    'requests of pages': 2_048,
    'connections of addresses': 16_384,
    connections: 8,
    'listening threads': 8,
    'held answers': 8,
    'bytes of rows': 2_048,
    'event streams': 1_024,
    'watch-lists sent': 64,
    'job files': 1_024,
    'made job files': 1_024,
    'layer files': 1_024,
    extracts: 1_024,
    'waiting readers': 1_024,
    'unknown keys': 2_048,
    networks: 32_768,
    'workbooks of accounts': 1_024,
    'webhooks of accounts': 256,
    webhooks: 256,
  },
  /** Full again after two seconds; further holders replace the least recently used. */
  buckets: {
    accounts: 131_072,
    visitors: 65_536,
    'map keys': 65_536,
    'map addresses': 65_536,
    'open answers': 65_536,
    networks: 65_536,
  },
  windows: { 'clients of public keys': 32_768 },
  sums: {
    'days of visitors': 65_536,
    'units in outages': 131_072,
    'days of networks': 32_768,
    'minutes of networks': 32_768,
  },
  permits: {
    upstream: 64,
    'live answers': 8,
    'terrain tiles': 8,
    'store tiles': 8,
    workbooks: 8,
    letters: 8,
  },
} as const;

export type CounterName = keyof typeof LIMITER_SIZES.counters;
export type BucketName = keyof typeof LIMITER_SIZES.buckets;
export type WindowName = keyof typeof LIMITER_SIZES.windows;
export type SumName = keyof typeof LIMITER_SIZES.sums;
export type PermitName = keyof typeof LIMITER_SIZES.permits;
