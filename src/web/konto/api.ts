import { LARGE_MS, Refused, request } from '../shared/ask.ts';
import { inLanguage } from '../shared/language.ts';
import { asSession, csrfHeader } from '../shared/session.ts';
import type { BillLine, Me, Usage } from './types.ts';

/** The one field of an answer. Throws Refused. */
export async function field<Value>(
  name: string,
  method: string,
  path: string,
  body?: object,
): Promise<Value> {
  const answer = await asSession<Readonly<Record<string, Value>>>(method, path, body);
  return answer[name] as Value;
}

export const readMe = (): Promise<Me> => asSession('GET', 'v1/me');

/** @param month `2026-11`; absent: the current one, by the service's clock */
export const readUsage = (month?: string): Promise<Usage> =>
  asSession('GET', month === undefined ? 'v1/me/usage' : `v1/me/usage?month=${month}`);

export const billFile = (month: string): string => `v1/me/usage/lines?month=${month}`;

/** At most `most` lines. */
export async function readBillLines(
  month: string,
  most: number,
): Promise<{ readonly lines: readonly BillLine[]; readonly hasMore: boolean }> {
  const enough = new AbortController();
  const { body } = await request(`${billFile(month)}&format=ndjson`, { signal: enough.signal });
  const lines: BillLine[] = [];
  if (body === null) return { lines, hasMore: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let rest = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const texts = (rest + next.value).split('\n');
      rest = texts.pop() ?? '';
      lines.push(...texts.map((text) => JSON.parse(text) as BillLine));
      if (lines.length > most) return { lines: lines.slice(0, most), hasMore: true };
    }
    return { lines, hasMore: false };
  } catch {
    // Cut short, what came is no bill.
    const words = { da: 'Linjerne blev afbrudt undervejs.', en: 'The lines were cut off.' };
    throw new Refused(0, 'broken_off', inLanguage(words));
  } finally {
    enough.abort();
  }
}

/** Of watch-lists: an object a line. */
export const WATCHES = 'v1/me/overvaagning';

export async function sendLines(method: string, path: string, body: string): Promise<void> {
  const headers = { 'content-type': 'text/csv; charset=utf-8', ...csrfHeader() };
  await request(path, { method, headers, body, limitMs: LARGE_MS });
}
