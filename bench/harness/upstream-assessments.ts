/** The assessments of the generated country as VUR writes its tables: bitemporal totals, CSV, zipped. */
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { assessmentTables } from '../national/assessments.ts';
import type { Content, UpstreamContent } from './content.ts';
import { answerFiles, GENERATIONS, sumOf, writeTable } from './table-files.ts';
import type { TableFile } from './table-files.ts';

/** Lies open beside its zip file. */
const PLAIN = 'Ejendomsvurdering';
const TOTAL = {
  ...({ register: 'VUR', download: 'TotalDownload', format: 'csv', foot: null } as const),
  ...({ contents: 'Bitemporal', generation: GENERATIONS.total } as const),
};

/** The listing and the files of the download service. */
export class AssessmentFiles implements Content {
  readonly path = '';
  readonly facts: Content['facts'];
  readonly #dir: string;
  readonly #files: readonly TableFile[];

  static async write({ dir, scale }: Extract<UpstreamContent, { register: 'assessments' }>) {
    const path = join(dir, 'assessments.csv');
    const files: TableFile[] = [];
    let columns = 0;
    for (const table of assessmentTables(scale)) {
      const isPlain = table.entity === PLAIN;
      if (isPlain) columns = table.head.split(',').length;
      files.push(await writeTable(dir, { ...TOTAL, ...table }, isPlain ? path : null));
    }
    return new AssessmentFiles(dir, files, { path, columns });
  }

  constructor(
    dir: string,
    files: readonly TableFile[],
    plain: { readonly path: string; readonly columns: number },
  ) {
    this.#dir = dir;
    this.#files = files;
    this.facts = {
      rows: sumOf(files, ({ rows }) => rows),
      bytes: sumOf(files, ({ plainBytes }) => plainBytes),
      plain: { ...plain, rows: files.find(({ entity }) => entity === PLAIN)?.rows ?? 0 },
    };
  }

  answer(url: URL, response: ServerResponse): void {
    answerFiles({ dir: this.#dir, files: this.#files }, url, response);
  }

  close(): void {
    // Files are open only while they are read.
  }
}
