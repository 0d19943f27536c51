/** The heritage agency's zones around monuments: all in force, without dates (D33, 3.3, 4.2). */
import type { LineAttributes, Mapped, Mapping } from '../feature.ts';
import type { Columns } from './columns.ts';
import { columnsOf, httpAddress, textOf } from './columns.ts';
import type { MappingOptions } from './options.ts';

const LOCALITY_PAGE = 'https://www.kulturarv.dk/fundogfortidsminder/Lokalitet/';

export function heritageMapping({ keyProperty }: MappingOptions): Mapping {
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
        statusCode: null,
        statusName: protectionStatus ?? 'Gældende',
        category: null,
        natureType: null,
        protectionReason: null,
        monumentType: textOf(columns, ['anlaegstype']),
        dating: textOf(columns, ['datering']),
        protectionStatus,
        dykeType: null,
        documentUrl: documentUrl(columns, systemNumber),
        validFrom: null,
        registeredAt: null,
        municipalityName: null,
        municipalityCvr: null,
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

/** `96116.0` is 96116. */
function wholeText(text: string | null): string | null {
  return text?.replace(/^(\d+)\.0+$/, '$1') ?? null;
}
