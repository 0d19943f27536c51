/** The cadastre's strand and klit pieces: every row is in force (byggelinjer.md 3.3, 4.2). */
import type { LineAttributes, Mapped, Mapping } from '../feature.ts';
import { columnsOf, textOf } from './columns.ts';
import type { MappingOptions } from './options.ts';
import { instantOf } from './times.ts';

export function cadastreMapping({ keyProperty }: MappingOptions): Mapping {
  return (properties): Mapped<LineAttributes> => {
    const columns = columnsOf(properties);
    const key = textOf(columns, [keyProperty]);
    if (key === null) return { kind: 'issue', key, reason: `no ${keyProperty}` };
    const validFrom = instantOf(textOf(columns, ['virkningFra']));
    const registeredAt = instantOf(textOf(columns, ['registreringFra']));
    const isDated = validFrom !== null && registeredAt !== null;
    return {
      kind: 'feature',
      key,
      objectId: textOf(columns, ['id.lokalId']) ?? key,
      standing: 'in_force',
      adopted: true,
      ...(isDated ? {} : { doubt: 'no virkningFra or registreringFra' }),
      attributes: {
        statusCode: null,
        // The layer contains only current rows.
        statusName: 'Gældende',
        category: null,
        natureType: null,
        protectionReason: null,
        monumentType: null,
        dating: null,
        protectionStatus: null,
        dykeType: null,
        documentUrl: null,
        validFrom,
        registeredAt,
        municipalityName: null,
        municipalityCvr: null,
      },
    };
  };
}
