/** `meta` of a register's answers: its source, and its coverage unless the country (D142). */
import { SERVICE_VERSION } from '../kernel/identity.ts';
import type { Coverage } from '../layers/coverage.ts';

export interface RegisterMeta {
  readonly kilde: string;
  readonly service_version: string;
  /** What is not found may exist elsewhere; absent: the country. */
  readonly daekning?: string;
}

/** `tail`: the end of an answer, as JSON. */
export interface WithTail {
  readonly meta: RegisterMeta;
  readonly tail: string;
}

export function withTail(meta: RegisterMeta): WithTail {
  return { meta, tail: `,"meta":${JSON.stringify(meta)}}` };
}

export function registerMeta(
  kilde: string,
  coverage: Pick<Coverage, 'name'> | null | undefined,
): RegisterMeta {
  const meta = { kilde, service_version: SERVICE_VERSION };
  return coverage ? { ...meta, daekning: coverage.name } : meta;
}
