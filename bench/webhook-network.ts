/** Where webhooks of benchmarks go: names without a DNS server, addresses of this machine. */
import type { WebhookNetwork } from '../src/start/webhooks.ts';
import { isLoopback } from '../src/kernel/address-ranges.ts';

/** Of the receiver with this number, from 0. */
export function addressOf(index: number): string {
  return `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
}

export const nameOf = (index: number): string => `r${index}.bench.example`;

/** What the DNS costs is no part of what is measured. */
export function networkOf(ca: string): WebhookNetwork {
  return {
    resolve: (name) => Promise.resolve([addressOf(Number(/\d+/.exec(name)?.[0]))]),
    permits: isLoopback,
    ca,
  };
}
