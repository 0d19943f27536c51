import type { RenderedResponse } from '../../../jobs/request-store.ts';
import { columnWarnings } from '../../../jobs/roles.ts';
import type { ColumnWarning } from '../../../jobs/roles.ts';
import type { Job } from '../../../core/rows/job-types.ts';
import type { Language } from '../../wire/text.ts';

export function renderJob(job: Job) {
  const processedRows = job.succeeded + job.failed;
  return {
    id: job.id,
    kind: job.kind,
    status: job.status,
    label: job.label,
    totalRows: job.totalRows,
    processedRows,
    succeeded: job.succeeded,
    failed: job.failed,
    billedUnits: job.billedUnits,
    progress: job.totalRows === 0 ? 0 : processedRows / job.totalRows,
    columns: job.columns,
    srid: job.srid,
    inputColumns: job.inputColumns,
    error: job.error,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    completedAt: job.completedAt?.toISOString() ?? null,
    resultsAvailable: job.rowsDeletedAt === null,
  };
}

/** `advarsler`: what to check (D145). `guessedHead`: the row of the head below titles. */
export function renderJobAnswer(job: Job, language: Language, guessedHead: number | null = null) {
  const { kind, columns: named, inputColumns, unitColumns } = job;
  const warnings = [
    ...columnWarnings(kind, { named, inputColumns }, unitColumns),
    ...(guessedHead === null ? [] : [headWarning(guessedHead)]),
  ];
  const texts = warnings.map(({ error, errorDa }) => (language === 'da' ? errorDa : error));
  return { job: renderJob(job), ...(texts.length > 0 && { advarsler: texts }) };
}

/** As text, so that a repeated answer is byte-identical (D76). */
export function renderAnswer(
  status: number,
  language: Language,
  guessedHead?: number | null,
): (job: Job) => RenderedResponse {
  return (job) => ({ status, body: JSON.stringify(renderJobAnswer(job, language, guessedHead)) });
}

function headWarning(row: number): ColumnWarning {
  return {
    error: `Row ${row} is read as the names of the columns, and the rows above it as titles: overskrift names another row.`,
    errorDa: `Række ${row} læses som kolonnernes navne, og det, der står over den, som titler: overskrift angiver en anden række.`,
  };
}
