/** `forhold` in SOURCES_FILE: overrides for all conditions of a host. */
import { Type } from 'typebox';
import type { SourceOverrides } from './catalogue.ts';
import { CONDITIONS, conditionId } from './conditions/index.ts';
import type { ConditionId } from './conditions/condition.ts';
import { COVERAGE } from './read-coverage.ts';
import { WFS_SOURCE, partialOf } from './source-shapes.ts';

export const CONDITION_HOSTS = 'forhold';

const { typeName: _, ...HOST_SOURCE } = WFS_SOURCE;
export const HOSTS_OF_CONDITIONS = [...new Set(CONDITIONS.map(({ source }) => source.host))];

export const CONDITION_HOSTS_SCHEMA = partialOf(
  Object.fromEntries(
    HOSTS_OF_CONDITIONS.map((host) => [
      host,
      partialOf({ off: Type.Boolean(), coverage: COVERAGE, source: partialOf(HOST_SOURCE) }),
    ]),
  ),
);

type HostOverride = NonNullable<SourceOverrides[ConditionId]>;

/** By layer; a layer's own overrides take precedence over its host's. */
export function ofConditionHosts(
  given: object,
  layers: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const byHost = given as Readonly<Partial<Record<string, HostOverride>>>;
  const named = CONDITIONS.flatMap(({ key, source }) => {
    const host = byHost[source.host];
    if (host === undefined) return [];
    const id = conditionId(key);
    const own = (layers[id] ?? {}) as HostOverride;
    return [[id, { ...host, ...own, source: { ...host.source, ...own.source } }] as const];
  });
  return { ...layers, ...Object.fromEntries(named) };
}
