/** Keys are DAR's status, values DAWA's. */
export const STATUS: Readonly<Record<number, number>> = { 2: 3, 3: 1, 4: 2, 5: 4 };

/** DAR's words for the origin of a point. */
export const POINT_SOURCES: Readonly<Record<string, number>> = {
  ...{ Grundkort: 1, Matrikelkort: 2, Ekstern: 4, Adressemyn: 5 },
};
