/** Rows are sent on as the store wrote them. */
import type { WrittenEvent } from '../../../changes/events.ts';
import type { Feed, FeedPart } from '../../../changes/feed.ts';
import type { ExtractRow } from '../../../changes/types.ts';
import type { MirrorId } from '../../../layers/keys.ts';
import { csvLine } from '../../wire/csv.ts';

export const extractPath = (register: MirrorId): string => `/v1/udtraek/${register}`;

function transactionText({ transaction }: FeedPart): string {
  const { nr, register, atMs, isStart } = transaction;
  const udtraek = isStart ? extractPath(register) : null;
  return JSON.stringify({ nr, tidspunkt: new Date(atMs).toISOString(), register, udtraek });
}

function eventText(event: WrittenEvent, more = ''): string {
  const { nr, operation, entity, key, effectiveFrom } = event;
  const head = JSON.stringify({ nr, operation, entitet: entity, noegle: key });
  return (
    `${head.slice(0, -1)},"foer":${event.before ?? 'null'},"efter":${event.after ?? 'null'},` +
    `"virkning_fra":${JSON.stringify(effectiveFrom)}${more}}`
  );
}

export function feedText({ parts, next, latest }: Feed, meta: object): string {
  const transactions = parts.map(
    (part) =>
      `${transactionText(part).slice(0, -1)},"haendelser":[${part.events.map((event) => eventText(event)).join()}]}`,
  );
  return (
    `{"transaktioner":[${transactions.join()}],"naeste":${next},"seneste":${latest.event},` +
    `"meta":${JSON.stringify(meta)}}`
  );
}

/** One event a line; starts have their own. */
export function feedLines({ parts }: Feed): string {
  return parts.flatMap(linesOf).join('');
}

function linesOf(part: FeedPart): readonly string[] {
  const { nr, register, atMs, firstEvent, isStart } = part.transaction;
  const of = { transaktion: nr, tidspunkt: new Date(atMs).toISOString(), register };
  if (isStart)
    return [`${JSON.stringify({ nr: firstEvent, ...of, udtraek: extractPath(register) })}\n`];
  const more = `,${JSON.stringify(of).slice(1, -1)}`;
  return part.events.map((event) => `${eventText(event, more)}\n`);
}

export function csvHead(columns: readonly string[]): string {
  return csvLine(['noegle', 'ulaeselig', ...columns.map((name) => `raekke_${name}`)]);
}

export function csvRow(
  columns: readonly string[],
  { noegle, ulaeselig, raekke }: ExtractRow,
): string {
  return csvLine([noegle, ulaeselig, ...columns.map((name) => raekke?.[name])]);
}
