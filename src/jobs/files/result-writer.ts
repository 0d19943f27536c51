import type { Failure } from '../../kernel/failures.ts';
import { JsonWriter, jsonText } from '../../answers/json-writer.ts';
import type { Row } from '../../core/rows/cells.ts';
import type { ChunkOutput } from '../../core/rows/chunk-types.ts';
import type { AnyRows } from '../../core/rows/kind.ts';
import { csvCells, csvText } from '../../core/rows/csv-cells.ts';
import { packOutput } from './chunk-output.ts';

export const RESULT_COLUMNS = ['raekke'];
export const ERROR_COLUMNS = ['raekke', 'error', 'status'];

export interface NumberedRow {
  readonly row: Row;
  readonly number: number;
}

/** Per chunk: `begin`, one call per row, `take`. */
export class ResultWriter {
  readonly #results = [new JsonWriter(), new JsonWriter(), new JsonWriter()] as const;
  readonly #errors = [new JsonWriter(), new JsonWriter()] as const;
  #names: readonly string[] = [];
  /** Data generation of the next rows (D19). */
  generation: number | null = null;
  #succeeded = 0;
  #failed = 0;

  begin(inputColumns: readonly string[], generation: number | null): this {
    for (const writer of [...this.#results, ...this.#errors]) writer.begin();
    this.#names = inputColumns.map((name) => JSON.stringify(name));
    this.generation = generation;
    this.#succeeded = 0;
    this.#failed = 0;
    return this;
  }

  get succeeded(): number {
    return this.#succeeded;
  }

  answer(at: NumberedRow, kind: AnyRows, found: { answer: unknown; question: unknown }): void {
    const { answer, question } = found;
    const [csv, lines, places] = this.#results;
    csv.text(`${csvCells(at.row, this.#names.length)},${at.number},`);
    kind.writeCsv(csv, answer, question);
    csv.ascii('\r\n');
    lines.text(this.#lineHead(at)).ascii('"svar":');
    kind.writeJson(lines, answer, question);
    lines.ascii('}\n');
    kind.writePlace(places, answer, question);
    places.ascii('\n');
    this.#succeeded += 1;
  }

  error(at: NumberedRow, { message, status }: Failure): void {
    const [csv, lines] = this.#errors;
    const cells = csvCells(at.row, this.#names.length);
    csv.text(`${cells},${at.number},${csvText(message)},${status}\r\n`);
    lines.text(`${this.#lineHead(at)}"error":${jsonText(message)},"status":${status}}\n`);
    this.#failed += 1;
  }

  take(): ChunkOutput {
    const [csv, lines, places] = this.#results.map(({ written }) => written) as Written;
    const [badCsv, badLines] = this.#errors.map(({ written }) => written) as Written;
    return {
      rows: this.#succeeded + this.#failed,
      succeeded: this.#succeeded,
      failed: this.#failed,
      results: packOutput({ csv, lines, places }),
      errors: packOutput({ csv: badCsv, lines: badLines, places: NOTHING }),
      resultBytes: { csv: csv.length, lines: lines.length, places: places.length },
      errorBytes: { csv: badCsv.length, lines: badLines.length, places: 0 },
    };
  }

  /** From `{` to the comma before the answer or error. */
  #lineHead({ row, number }: NumberedRow): string {
    let cells = '';
    for (const [i, name] of this.#names.entries()) {
      const cell = row[i];
      if (cell === undefined) continue;
      const text = typeof cell === 'string' ? jsonText(cell) : JSON.stringify(cell);
      cells += `${cells === '' ? '' : ','}${name}:${text}`;
    }
    return `{"raekke":${number},"generation":${this.generation ?? 'null'},"input":{${cells}},`;
  }
}

type Written = [Uint8Array, Uint8Array, Uint8Array];
const NOTHING = new Uint8Array();
