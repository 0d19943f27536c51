/** The URL's fragment. */
import { CHARSETS } from '../../jobs/for-pages.ts';
import type { Reading } from './source.ts';

export type Environment = 'test' | 'live';

/** A repetition must be cut at the same places. */
export interface SentAs extends Omit<Reading, 'type'> {
  /** Of one sending: a repeated piece is there once. */
  readonly name: string;
  readonly decimal: 'comma' | 'point' | null;
}

export interface PageState {
  readonly job: string | null;
  readonly environment: Environment;
  readonly sent: SentAs | null;
}

export function readState(hash: string): PageState {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const job = given.get('job');
  return {
    job: job !== null && /^job_[a-z2-7]{1,40}$/.test(job) ? job : null,
    environment: given.get('miljoe') === 'live' ? 'live' : 'test',
    sent: sentOf(given),
  };
}

function sentOf(given: URLSearchParams): SentAs | null {
  const name = given.get('send');
  if (name === null || !/^[0-9a-f]{8,64}$/.test(name)) return null;
  const decimal = given.get('decimal');
  const headRow = Number(given.get('overskrift') ?? NaN);
  return {
    name,
    charset: CHARSETS.find((charset) => charset === given.get('tegnsaet')) ?? 'utf-8',
    delimiter: given.get('skilletegn'),
    sheet: given.get('ark'),
    headRow: Number.isSafeInteger(headRow) && headRow > 0 ? headRow : null,
    decimal: decimal === 'comma' || decimal === 'point' ? decimal : null,
  };
}

export function writeState({ job, environment, sent }: PageState): string {
  const said = new URLSearchParams();
  if (environment === 'live') said.set('miljoe', 'live');
  if (job !== null) said.set('job', job);
  if (job !== null && sent !== null) {
    said.set('send', sent.name);
    said.set('tegnsaet', sent.charset);
    if (sent.delimiter !== null) said.set('skilletegn', sent.delimiter);
    if (sent.sheet !== null) said.set('ark', sent.sheet);
    if (sent.headRow !== null) said.set('overskrift', String(sent.headRow));
    if (sent.decimal !== null) said.set('decimal', sent.decimal);
  }
  return said.size === 0 ? '' : `#${said.toString()}`;
}
