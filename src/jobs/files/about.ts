import type { Store } from '../../db/connect.ts';
import { KIND_TERMS, STATUS_TERMS } from '../../core/rows/job-types.ts';
import type { Job } from '../../core/rows/job-types.ts';
import { rowErrorInDanish } from '../../core/rows/row-errors.ts';
import { readSection } from './chunk-output.ts';
import { readParts } from './file-store.ts';
import type { JobChunkRow } from './file-store.ts';
import type { SheetSink } from './sheet-xml.ts';
import type { Sheet } from './workbook.ts';

interface About {
  readonly store: Pick<Store, 'db'>;
  readonly job: Job;
  readonly chunks: readonly JobChunkRow[];
}

export function aboutSheet(
  { store, job, chunks }: About,
  { isWorded }: { readonly isWorded: boolean },
): Sheet {
  const named = isWorded ? worded(job) : plain(job);
  return {
    name: 'Om',
    head: ['Felt', 'Værdi'],
    rows: async function* (sink) {
      const { source, version } = await originOfAnswers(store, job.id, chunks);
      for (const [name, value] of [
        ['Job', job.id],
        ['Navn', job.label],
        ...named,
        ['Oprettet (UTC)', job.createdAt],
        ['Startet (UTC)', job.startedAt],
        ['Afsluttet (UTC)', job.completedAt],
        ['Datageneration', job.generation],
        ['Kilde', source],
        ['Tjenestens version', version],
        ['Koordinatsystem for x og y (EPSG)', job.srid],
        ['Rækker i alt', job.totalRows],
        ['Rækker med svar', sumOf(chunks, 'succeeded')],
        ['Rækker med fejl', sumOf(chunks, 'failed')],
        ...(job.kind === 'datavask' ? [CATEGORIES] : []),
      ] as const) {
        fill(sink, name, value);
        yield sink.take();
      }
    },
  };
}

type Line = readonly [name: string, value: string | number | Date | null];

function plain({ kind, environment, status, error }: Job): readonly Line[] {
  return [
    ['Type (kind)', kind],
    ['Miljø (environment)', environment],
    ['Status', status],
    ['Bemærkning', error],
  ];
}

function worded({ kind, environment, status, error }: Job): readonly Line[] {
  return [
    ['Spørgsmål', KIND_TERMS[kind].words.da],
    ['Regnes med', environment === 'live' ? 'ja' : 'nej, en prøve'],
    ['Status', STATUS_TERMS[status].da],
    ['Bemærkning', error === null ? null : rowErrorInDanish(error)],
  ];
}

const CATEGORIES = ['kategori', 'A: sikker. B: næsten sikker. C: et gæt.'] as const;

function fill(sink: SheetSink, name: string, value: string | number | Date | null): void {
  sink.text(name);
  if (value === null) sink.empty();
  else if (typeof value === 'number') sink.number(String(value));
  else sink.text(typeof value === 'string' ? value : value.toISOString().slice(0, SECONDS));
}

const SECONDS = '2026-01-31T23:59:59'.length;

function sumOf(chunks: readonly JobChunkRow[], what: 'succeeded' | 'failed'): number {
  return chunks.reduce((sum, { lengths }) => sum + (lengths?.[what] ?? 0), 0);
}

async function originOfAnswers(
  store: Pick<Store, 'db'>,
  jobId: string,
  chunks: readonly JobChunkRow[],
) {
  const first = chunks.find(({ lengths }) => (lengths?.succeeded ?? 0) > 0);
  if (first === undefined) return { source: null, version: null };
  const { chunk } = first;
  const parts = await readParts(store, { jobId, chunk, which: 'results', bytes: null });
  const lines = await readSection(parts, 'lines');
  const line = lines.toString('utf8', 0, lines.indexOf(LINE_END));
  const { svar } = JSON.parse(line) as AnswerLine;
  return { source: svar.meta?.kilde ?? null, version: svar.meta?.service_version ?? null };
}

const LINE_END = 0x0a;

interface AnswerLine {
  readonly svar: { readonly meta?: { readonly kilde?: string; readonly service_version?: string } };
}
