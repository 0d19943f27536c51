import type { Register, Composed, RegisterParts } from '../../core/register.ts';
import { addresses } from '../addresses/register.ts';
import { areas, municipalitiesIn } from '../areas/register.ts';
import { assessments } from '../assessments/register.ts';
import { cadastre } from '../cadastre/register.ts';
import { auditOfProperties } from './audit.ts';
import type { PropertyLookups } from './batches.ts';
import { PROPERTY_SCHEMAS } from './schema.ts';
import { PROPERTY_QUESTIONS } from './questions.ts';
import { createPropertyLoader } from './load.ts';
import type { PropertyLoader } from './load.ts';
import { BBR_REGISTER } from './mirror.ts';
import { PROTECTION_REGISTER } from './protection/mirror.ts';
import { sourceText } from '../../answers/sources.ts';
import { BBR } from '../../layers/keys.ts';
import { createPropertyBatches, propertyThreads } from './batches.ts';
import { createBuilt, readBuilt } from './built.ts';
import { createProperties } from './lookup.ts';
import { readProperties } from './store.ts';

export const property: Register<PropertyLookups, PropertyLoader> = {
  name: 'property',
  joins: [areas, addresses, cadastre, assessments],
  mirrors: [BBR_REGISTER, PROTECTION_REGISTER],
  document: {
    tags: [
      { name: 'bbr', description: 'Properties with their buildings, dwellings and facilities' },
      { name: 'demo', description: 'The final data contract, shown with invented data' },
    ],
    schemas: PROPERTY_SCHEMAS,
    folder: import.meta.dirname,
  },
  questions: PROPERTY_QUESTIONS,
  openMemory: createPropertyLoader,
  auditOf: auditOfProperties,
  compose: composeProperties,
};

function composeProperties(
  parts: RegisterParts,
  memory: Pick<PropertyLoader, 'current' | 'suspend'> | null,
): Composed<PropertyLookups> {
  const { catalogue, clock, onExpired, watcher, store, log, isInvented } = parts;
  const common = {
    ...{ catalogue, clock, onExpired, watcher },
    municipalities: () => municipalitiesIn(parts),
    nameSources: (names: readonly string[]) => sourceText(names, isInvented),
    file: () => memory?.current ?? null,
    addresses: parts.lookupsOf(addresses).addressesInMemory,
    onUnlistedCode: parts.onUnlistedCode,
  };
  const lookups: PropertyLookups = {
    properties: createProperties({
      ...common,
      read: (asked) => readProperties(store, asked),
      onDamagedFile: ({ buffer, records }, cause) => {
        memory?.suspend(BBR, buffer);
        const { version } = records.meta;
        log.error(
          { component: 'memory' },
          `ALARM: the file of properties version ${version} is out of service: ${String(cause)}`,
        );
      },
    }),
    built: createBuilt({ ...common, read: readBuilt(store) }),
    propertyBatches: createPropertyBatches({
      ...{ ...common, isInvented },
      threads: propertyThreads(parts.workers),
      onThreadFailed: (cause) =>
        log.error(
          { component: 'workers', err: cause },
          'A thread could not answer a batch of properties: the request thread does.',
        ),
    }),
  };
  return { lookups };
}
