import type { MappingId } from '../catalogue.ts';
import type { Mapping, LineAttributes, Mapped } from '../feature.ts';
import { isAreaId } from '../keys.ts';
import { isConditionId } from '../conditions/index.ts';
import { conditionMapping } from './condition.ts';
import { dagiMapping } from './dagi.ts';
import type { MappingOptions } from './options.ts';
import { portalMapping } from './portal.ts';
import { ONLY_IN_FORCE, columnsOf, textOf, httpAddress } from './columns.ts';
import { instantOf } from './times.ts';
import type { Columns } from './columns.ts';

const LOCALITY_PAGE = 'https://www.kulturarv.dk/fundogfortidsminder/Lokalitet/';

/** All in force, without dates (D33, 3.3, 4.2). */
function heritageMapping({ keyProperty }: MappingOptions): Mapping {
  return (properties): Mapped<LineAttributes> => {
    const columns = columnsOf(properties);
    const key = wholeText(textOf(columns, [keyProperty]));
    const systemNumber = wholeText(textOf(columns, ['systemnr']));
    if (key === null) return { kind: 'issue', key, reason: `no ${keyProperty}` };
    const protectionStatus = textOf(columns, ['fred_status']);
    return {
      kind: 'feature',
      key,
      // One locality may have several zones, so the shown number is not the key.
      objectId: systemNumber ?? key,
      standing: 'in_force',
      adopted: true,
      ...(systemNumber === null || !/^\d+$/.test(systemNumber) ? { doubt: 'no systemnr' } : {}),
      attributes: {
        ...ONLY_IN_FORCE,
        statusName: protectionStatus ?? ONLY_IN_FORCE.statusName,
        monumentType: textOf(columns, ['anlaegstype']),
        dating: textOf(columns, ['datering']),
        protectionStatus,
        documentUrl: documentUrl(columns, systemNumber),
      },
    };
  };
}

function documentUrl(columns: Columns, systemNumber: string | null): string | null {
  const given = httpAddress(textOf(columns, ['url']));
  if (given !== null) return given;
  return systemNumber !== null && /^\d+$/.test(systemNumber)
    ? `${LOCALITY_PAGE}${systemNumber}`
    : null;
}

function wholeText(text: string | null): string | null {
  return text?.replace(/^(\d+)\.0+$/, '$1') ?? null;
}

/** Every row is in force (byggelinjer.md 3.3, 4.2). */
function cadastreMapping({ keyProperty }: MappingOptions): Mapping {
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
      attributes: { ...ONLY_IN_FORCE, validFrom, registeredAt },
    };
  };
}

export function mappingOf(id: MappingId, options: MappingOptions): Mapping {
  if (isAreaId(id)) return dagiMapping(id, options);
  if (isConditionId(id)) return conditionMapping(id, options);
  if (id === 'cadastre') return cadastreMapping(options);
  if (id === 'heritage') return heritageMapping(options);
  return portalMapping(id, options);
}
