/** Puts the questions about properties together, over the store and what is in memory. */
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import type { Store } from '../db/connect.ts';
import type { Catalogue } from '../layers/catalogue.ts';
import type { CodeList } from '../layers/bbr-codes.ts';
import { BBR } from '../layers/keys.ts';
import type { MirrorId } from '../layers/keys.ts';
import type { Watcher } from '../answers/answer.ts';
import { sourceText } from '../answers/sources.ts';
import type { AddressesInMemory } from '../memory/address-copy.ts';
import type { PropertyLoader } from '../memory/property-loader.ts';
import type { SnapshotSet } from '../memory/snapshot-set.ts';
import { createAssessments } from '../lookups/assessment.ts';
import type { Assessments } from '../lookups/assessment.ts';
import { createCadastre } from '../lookups/cadastre.ts';
import type { Cadastre } from '../lookups/cadastre.ts';
import { municipalitiesOf } from '../registers/areas/municipalities.ts';
import { createPropertyBatches } from '../lookups/property-batches.ts';
import type { PropertyBatches, PropertyThreads } from '../lookups/property-batches.ts';
import { createProperties } from '../lookups/property.ts';
import type { Properties } from '../lookups/property.ts';
import { readAssessments } from '../registers/assessment/store.ts';
import { readCadastreProperty } from '../registers/cadastre/store.ts';
import { readAreas } from '../registers/areas/store.ts';
import { readProperties } from '../registers/property/store.ts';

export interface PropertyLookupParts {
  readonly catalogue: Pick<Catalogue, 'registers' | 'areas'>;
  readonly clock: Clock;
  readonly store: Store;
  /** The addresses in memory; null: units are told without theirs. */
  readonly addressMemory: {
    readonly current: (AddressesInMemory & { readonly buffer?: SharedArrayBuffer }) | null;
  } | null;
  /** The file of properties; absent or null: the store alone answers. */
  readonly propertyMemory?: Pick<PropertyLoader, 'current' | 'suspend'> | null;
  readonly log?: Pick<Logger, 'error'>;
  /** The layers in memory, for the names of municipalities. */
  readonly memory: { readonly current: SnapshotSet | null } | null;
  /** Whether the registers are the sample's. */
  readonly isInvented: boolean;
  /** Told which copy is too old. */
  readonly onExpired: (mirror: MirrorId) => void;
  readonly watcher?: Watcher;
  /** Answer batches from the file; absent: the request thread does. */
  readonly workers?: PropertyThreads;
}

export interface PropertyLookups {
  readonly properties: Properties;
  /** Batches, laid out by threads; absent: the request thread does. */
  readonly propertyBatches?: PropertyBatches;
  readonly cadastre: Cadastre;
  readonly assessments: Assessments;
  /** Codes of BBR and VUR that no list holds, by list, since this process began (D55). */
  readonly unlistedCodes: ReadonlyMap<string, number>;
}

export function composePropertyLookups(parts: PropertyLookupParts): PropertyLookups {
  const { catalogue, clock, store, addressMemory, memory, isInvented, onExpired, watcher } = parts;
  const unlistedCodes = new Map<string, number>();
  const common = {
    catalogue,
    clock,
    onExpired,
    ...(watcher && { watcher }),
    municipalities: () =>
      municipalitiesOf(memory?.current ?? null, (theme, codes) => readAreas(store, theme, codes)),
    nameSources: (names: readonly string[]) => sourceText(names, isInvented),
  };
  const held = {
    file: () => parts.propertyMemory?.current ?? null,
    addresses: () => addressMemory?.current ?? null,
    onUnlistedCode: (list: CodeList) => {
      unlistedCodes.set(list, (unlistedCodes.get(list) ?? 0) + 1);
    },
  };
  return {
    properties: createProperties({
      ...common,
      ...held,
      read: (asked) => readProperties(store, asked),
      onDamagedFile: ({ buffer, records }, cause) => {
        parts.propertyMemory?.suspend(BBR, buffer);
        const { version } = records.meta;
        parts.log?.error(
          { component: 'memory' },
          `ALARM: the file of properties version ${version} is out of service: ${String(cause)}`,
        );
      },
    }),
    ...(parts.workers && {
      propertyBatches: createPropertyBatches({
        ...common,
        ...held,
        isInvented,
        threads: parts.workers,
        onThreadFailed: (cause) =>
          parts.log?.error(
            { component: 'workers', err: cause },
            'A thread could not answer a batch of properties: the request thread does.',
          ),
      }),
    }),
    cadastre: createCadastre({
      ...common,
      read: (bfe, mostParcels) => readCadastreProperty(store, bfe, mostParcels),
    }),
    assessments: createAssessments({
      ...common,
      onUnlistedCode: held.onUnlistedCode,
      read: (bfe) => readAssessments(store, bfe),
    }),
    unlistedCodes,
  };
}
