import { sourceText } from '../../answers/sources.ts';
import { BBR } from '../../layers/keys.ts';
import type { Composed, RegisterParts } from '../../core/register.ts';
import { addresses } from '../addresses/register.ts';
import { municipalitiesOf } from '../areas/municipalities.ts';
import { readAreas } from '../areas/store.ts';
import { createPropertyBatches, propertyThreads } from './batches.ts';
import type { PropertyBatches } from './batches.ts';
import type { PropertyLoader } from './load.ts';
import { createProperties } from './lookup.ts';
import type { Properties } from './lookup.ts';
import { readProperties } from './store.ts';

export interface PropertyLookups {
  readonly properties: Properties;
  /** Writes batches in threads; absent: the request thread does. */
  readonly propertyBatches?: PropertyBatches;
}

export function composeProperties(
  parts: RegisterParts,
  memory: Pick<PropertyLoader, 'current' | 'suspend'> | null,
): Composed<PropertyLookups> {
  const { catalogue, clock, onExpired, watcher, store, layers, log, isInvented } = parts;
  const common = {
    ...{ catalogue, clock, onExpired, watcher },
    municipalities: () =>
      municipalitiesOf(layers(), (theme, codes) => readAreas(store, theme, codes)),
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
  return {
    lookups,
  };
}
