import type { Environment } from './address-bar.ts';
import { call } from './api.ts';
import type { Page } from './first-page.ts';
import type { Job } from './api.ts';
import type { Words } from '../../layers/words.ts';

const PAGE_BYTES = 512 * 1024;

/** Those that are whole in PAGE_BYTES. */
export async function firstPage(
  environment: Environment,
  job: Job,
  which: 'results' | 'errors',
): Promise<Page> {
  const headers = { range: `bytes=0-${PAGE_BYTES - 1}` };
  const response = await call(environment, `v1/jobs/${job.id}/${which}?format=csv`, { headers });
  const { pageOf } = await import('./first-page.ts');
  return pageOf(new Uint8Array(await response.arrayBuffer()), job.inputColumns.length);
}

export interface FileChoice {
  readonly query: string;
  readonly name: string;
  readonly words: Words;
}

/** `isWorded`: spreadsheets in words, not by the names of fields. */
export function filesOf(
  job: Pick<Job, 'id' | 'label' | 'failed'>,
  isWorded: boolean,
): readonly FileChoice[] {
  const stem = fileStem(job);
  const workbook = isWorded ? 'results?format=xlsx&dialekt=ord' : 'results?format=xlsx';
  const danish = `format=csv&dialekt=${isWorded ? 'ord' : 'da'}`;
  const files: readonly (readonly [query: string, end: string, da: string, en: string])[] = [
    [`${workbook}&raekker=alle`, 'alle.xlsx', 'Excel, alle rækker', 'Excel, all rows'],
    [workbook, 'svar.xlsx', 'Excel, svar og fejl', 'Excel, answers, errors'],
    [`results?${danish}`, 'svar-da.csv', 'Dansk CSV', 'Danish CSV'],
    [
      `results?${danish}&raekker=alle`,
      'alle-da.csv',
      'Dansk CSV, alle rækker',
      'Danish CSV, all rows',
    ],
    ['results?format=csv', 'svar.csv', 'CSV', 'CSV'],
    ['results?format=ndjson', 'svar.ndjson', 'NDJSON', 'NDJSON'],
    ['results?format=geojson', 'svar.geojson', 'GeoJSON til kort', 'GeoJSON for maps'],
    [`errors?${danish}`, 'fejl.csv', 'Fejl, dansk CSV', 'Errors, Danish CSV'],
  ];
  return files
    .filter(([query]) => job.failed > 0 || query.startsWith('results'))
    .map(([query, end, da, en]) => ({ query, name: `${stem}-${end}`, words: { da, en } }));
}

/** So that it is found beside the file that was sent. */
function fileStem({ id, label }: Pick<Job, 'id' | 'label'>): string {
  const stem = (label ?? '').replace(SENT_AS, '').replaceAll(NO_FILE_NAME, '_').trim();
  return stem === '' ? id : stem;
}

const SENT_AS = /\.(xls[xm]|csv|txt|tsv|ndjson|jsonl)$/i;
/** What some system does not take in a name, and what would turn it around. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const NO_FILE_NAME = /[\\/:*?"<>|\u0000-\u001f\u202a-\u202e\u2066-\u2069]/g;
