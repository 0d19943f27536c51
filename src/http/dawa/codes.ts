/** Codes and keys as DAWA composed them. */

/** DAWA's status by DAR's. */
const STATUS: Readonly<Record<number, number>> = { 2: 3, 3: 1, 4: 2, 5: 4 };

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
