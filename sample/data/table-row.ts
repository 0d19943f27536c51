/** A row as a register has it: column by its own name, null where it is empty. */
export type TableRow = Readonly<Record<string, string | null>>;
