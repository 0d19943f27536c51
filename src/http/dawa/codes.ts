import { POINT_SOURCES, STATUS } from '../../replication/codes.ts';

export function statusOf(darStatus: number): number {
  return STATUS[darStatus] ?? darStatus;
}

export function darStatusOf(status: string): number | null {
  const found = Object.entries(STATUS).find(([, dawa]) => String(dawa) === status);
  return found === undefined ? null : Number(found[0]);
}

export function unpadded(code: string): string {
  return code.replace(/^0+(?=.)/, '');
}

export function pointSourceOf(word: string | null): number | null {
  return POINT_SOURCES[word ?? ''] ?? null;
}

const LOCAL_TIME = new Intl.DateTimeFormat('sv-SE', {
  ...{ timeZone: 'Europe/Copenhagen', fractionalSecondDigits: 3 },
  ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** Danish time without a zone; null: unknown. */
export function localTime(ms: number | null | undefined): string | null {
  if (ms === null || ms === undefined) return null;
  return LOCAL_TIME.format(ms).replace(' ', 'T').replace(',', '.');
}
