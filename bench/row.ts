/** One measured line of the benchmark table: ours beside a reference, in the same run. */
export interface BenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What `value` stands beside, and how much of it there was, in the same unit. */
  readonly reference: { readonly what: string; readonly value: number } | null;
  /** value / reference. These machines are noisy: the ratio counts, the absolute informs. */
  readonly ratio: number | null;
  readonly gate: string | null;
  readonly pass: boolean | null;
}

export interface RowInput {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly reference?: { readonly what: string; readonly value: number };
  readonly gate?: { readonly text: string; readonly pass: boolean };
}

/** Fills in the ratio. */
export function row(input: RowInput): BenchRow {
  const reference = input.reference ?? null;
  return {
    what: input.what,
    value: round(input.value),
    unit: input.unit,
    reference: reference === null ? null : { ...reference, value: round(reference.value) },
    ratio: reference === null ? null : round(input.value / reference.value),
    gate: input.gate?.text ?? null,
    pass: input.gate?.pass ?? null,
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
