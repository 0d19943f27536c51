/** How much of the log is read at a time. */
export const CHANGE_LIMITS = {
  pageEvents: 1_000,
  pageTransactions: 200,
  pageRows: 2_000,
} as const;
