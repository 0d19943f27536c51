/** Measured lines of the benchmark table: ours beside a reference, judged by a gate, printed. */
export interface BenchRow {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What `value` is compared with, and how much of it there was, in the same unit. */
  readonly reference: { readonly what: string; readonly value: number } | null;
  /** value / reference. These machines are noisy: the ratio counts, the absolute informs. */
  readonly ratio: number | null;
  readonly gate: string | null;
  readonly pass: boolean | null;
}

export interface RowOptions {
  /** What the value is compared with, and its value in the same unit. */
  readonly beside?: readonly [what: string, value: number] | undefined;
  /** Judges the value: `<= 50 (goal 10)`, `>= 75,000`, `0`; or a text and its verdict. */
  readonly gate?: string | readonly [text: string, pass: boolean];
  /** Judges value / reference in the same words; in hundredths where the text says `%`. */
  readonly ratioGate?: string;
}

/** A row with its ratio and verdict, rounded to four digits; judged before it is rounded. */
export function row(what: string, value: number, unit: string, options: RowOptions = {}): BenchRow {
  const { beside, gate, ratioGate } = options;
  const ratio = beside === undefined ? null : value / beside[1];
  const [text, pass] = verdict(gate, value) ?? verdict(ratioGate, ratio ?? NaN) ?? [null, null];
  return {
    what,
    value: rounded(value),
    unit,
    reference: beside === undefined ? null : { what: beside[0], value: rounded(beside[1]) },
    ratio: ratio === null ? null : rounded(ratio),
    gate: text,
    pass,
  };
}

function verdict(gate: RowOptions['gate'], value: number): readonly [string, boolean] | null {
  if (gate === undefined) return null;
  return typeof gate === 'string' ? [gate, passes(gate, value)] : gate;
}

/** Whether a value meets a gate of the form `[<=|>=|<|=] number [%] …`; no sign means equal. */
export function passes(gate: string, value: number): boolean {
  const [, sign, digits, percent] = /^(<=|>=|<|=)? ?([\d.,]+)( %)?/.exec(gate) ?? [];
  if (digits === undefined) throw new Error(`Not a gate: ${gate}`);
  const limit = Number(digits.replaceAll(',', '')) / (percent === undefined ? 1 : 100);
  if (sign === '<=') return value <= limit;
  if (sign === '>=') return value >= limit;
  return sign === '<' ? value < limit : value === limit;
}

export function formatRow({ what, value, unit, reference, ratio, gate, pass }: BenchRow): string {
  const beside = reference === null ? '' : `  ${ratio} × ${reference.what} (${reference.value})`;
  const judged = gate === null ? '' : `  [${gate}: ${pass === true ? 'pass' : 'MISS'}]`;
  return `  ${what.padEnd(58)} ${String(value).padStart(10)} ${unit}${beside}${judged}`;
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
