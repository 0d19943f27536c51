import type { Cell, RoleColumns, Row } from '../../jobs/for-pages.ts';
import { numberWritten, JOB_LIMITS } from '../../jobs/for-pages.ts';
import { Refused } from '../shared/ask.ts';
import type { Environment, SentAs } from './address-bar.ts';
import { act, readJob } from './api.ts';
import type { Job } from './api.ts';
import { withRetries } from './retry.ts';
import { numbered, piecesOf } from './pieces.ts';
import type { Piece } from './pieces.ts';
import type { Ready } from './setup.ts';
import type { Reading } from './source.ts';
import { t } from '../shared/language.ts';

export type Wanted = Pick<Ready, 'environment' | 'kind' | 'columns' | 'srid'> & {
  readonly label: string;
};

export interface Sending {
  readonly signal: AbortSignal;
  readonly onRows: (rows: number) => void;
  readonly onTrouble: (trouble: Refused | null) => void;
}

export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Without rows. Asked again with the same name it is the same draft (D76). */
export function makeDraft(wanted: Wanted, name: string, sending: Sending): Promise<Job> {
  const { environment, kind, columns, srid, label } = wanted;
  const body = JSON.stringify({ kind, columns, srid, label: shortened(label), start: false });
  const headers = { 'content-type': 'application/json', 'idempotency-key': `side-${name}` };
  const make = () => readJob(environment, 'v1/jobs', { method: 'POST', headers, body });
  return withRetries(make, sending);
}

function shortened(label: string): string {
  const { max } = JOB_LIMITS.labelChars;
  return Array.from(label).slice(0, max).join('').toWellFormed();
}

export interface ToSend {
  readonly job: Job;
  readonly environment: Environment;
  readonly sent: SentAs;
}

/** A repeated piece adds nothing. Throws Refused, naming the rows. */
export async function sendRows(
  file: File,
  reading: Reading,
  { job, environment, sent, signal, ...told }: Sending & ToSend,
): Promise<void> {
  let rows = 0;
  const options = {
    isText: reading.type === 'csv',
    ...(sent.decimal !== null && { rewrite: rewriting(job.columns, sent.decimal) }),
  };
  let number = 0;
  const { readRows } = await import('./source.ts');
  const read = readRows(file, reading);
  for await (const piece of piecesOf(sent.headRow === null ? read : numbered(read), options)) {
    const headers = {
      'content-type': piece.type,
      'idempotency-key': `rows-${sent.name}-${number++}`,
    };
    const add = () =>
      readJob(environment, `v1/jobs/${job.id}/rows`, {
        ...{ method: 'POST', headers, body: piece.body, signal },
      });
    await withRetries(add, { ...told, signal }).catch((error: unknown) => {
      throw refusedPiece(error, piece);
    });
    rows = piece.firstRow + piece.rows - 1;
    told.onRows(rows);
  }
  const look = () => readJob(environment, `v1/jobs/${job.id}`, { signal });
  const { totalRows } = await withRetries(look, { ...told, signal });
  if (totalRows !== rows) throw new Refused(0, 'other_rows', otherRows(totalRows, rows));
}

/** Never started: rows would be answered and billed twice, or not at all. */
function otherRows(received: number, sent: number): string {
  return t(
    `Jobbet har ${received} rækker, filen ${sent}: slet kladden, og send filen forfra.`,
    `The job has ${received} rows, the file ${sent}: delete the draft and send the file again.`,
  );
}

/** The service counts the rows of one body; the reader has a file. */
function refusedPiece(error: unknown, { firstRow, rows }: Piece): unknown {
  if (!(error instanceof Refused)) return error;
  if (error.status === 409) {
    const message = t(
      `Jobbet tager ikke imod: enten er filen en anden end den, der blev begyndt med, eller også er jobbet ikke længere en kladde. (${error.message})`,
      `The job does not accept it: either this is not the file you began with, or the job is no longer a draft. (${error.message})`,
    );
    return new Refused(error.status, error.code, message);
  }
  if (firstRow === 1) return error;
  const place = t(
    `Blandt rækkerne ${firstRow}–${firstRow + rows - 1}, talt fra ${firstRow}: `,
    `Among rows ${firstRow}–${firstRow + rows - 1}, counted from ${firstRow}: `,
  );
  return new Refused(error.status, error.code, place + error.message);
}

/** The coordinates as the reader says that they are written. */
function rewriting(columns: RoleColumns, decimal: 'comma' | 'point') {
  return (row: Row, inputColumns: readonly string[]): Row => {
    const places = [columns.x, columns.y].map((name) =>
      name === undefined ? -1 : inputColumns.indexOf(name),
    );
    return row.map((cell, place): Cell => {
      if (typeof cell !== 'string' || !places.includes(place)) return cell;
      return numberWritten(cell, decimal) ?? cell;
    });
  };
}

/** The answer to an earlier try may have been lost. */
export async function startJob(
  environment: Environment,
  id: string,
  sending: Sending,
): Promise<Job> {
  try {
    return await withRetries(() => act(environment, id, 'start'), sending);
  } catch (error) {
    const job = await readJob(environment, `v1/jobs/${id}`);
    if (job.status === 'draft') throw error;
    return job;
  }
}
