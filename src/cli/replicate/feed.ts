import type { Service } from '../job-client/service.ts';
import type { CopyRow, Position } from './store.ts';

interface SentEvent {
  readonly operation: 'ny' | 'aendret' | 'ophoert' | 'ulaeselig';
  readonly entitet: string;
  readonly noegle: string;
  readonly efter: object | null;
}

export interface Page {
  readonly transaktioner: readonly {
    readonly nr: number;
    readonly register: string;
    /** The register's log begins here. */
    readonly udtraek: string | null;
    readonly haendelser: readonly SentEvent[];
  }[];
  readonly naeste: number;
  readonly seneste: number;
}

/** For an extract. */
const EXTRACT_MS = 6 * 3_600_000;
const PAGE_EVENTS = 10_000;

export async function latest(service: Service): Promise<Position> {
  const answer = await service.call('/v1/aendringer/seneste');
  const { transaktion, haendelse } = (await answer.json()) as {
    readonly transaktion: number;
    readonly haendelse: number;
  };
  return { transaction: transaktion, event: haendelse };
}

export async function registersOf(service: Service): Promise<readonly string[]> {
  const answer = await service.call('/v1/status');
  const { lag } = (await answer.json()) as { readonly lag: readonly { readonly lag: string }[] };
  return lag.map((each) => each.lag).filter((register) => register !== 'cvr');
}

export async function pageAfter(
  service: Service,
  {
    event,
    registers,
    waitS,
  }: {
    readonly event: number;
    readonly registers: readonly string[];
    readonly waitS: number;
  },
): Promise<Page> {
  const asked = new URLSearchParams({
    ...{ efter: String(event), antal: String(PAGE_EVENTS) },
    ...{ vent: String(waitS), format: 'json' },
  });
  for (const register of registers) asked.append('register', register);
  const answer = await service.call(`/v1/aendringer?${asked.toString()}`);
  return (await answer.json()) as Page;
}

export function changeOf({ operation, entitet, noegle, efter }: SentEvent): CopyRow {
  const row = efter === null ? null : JSON.stringify(efter);
  return { entity: entitet, key: noegle, row, isUnread: operation === 'ulaeselig' };
}

export async function* extractOf(
  service: Service,
  register: string,
  transaction: number,
): AsyncGenerator<CopyRow, void> {
  const path = `/v1/udtraek/${register}?transaktion=${transaction}&format=ndjson`;
  const answer = await service.call(path, { withinMs: EXTRACT_MS });
  for await (const line of linesOf(answer)) {
    const { entitet, noegle, ulaeselig, raekke } = JSON.parse(line) as {
      readonly entitet: string;
      readonly noegle: string;
      readonly ulaeselig: boolean;
      readonly raekke: object | null;
    };
    const row = raekke === null ? null : JSON.stringify(raekke);
    yield { entity: entitet, key: noegle, row, isUnread: ulaeselig };
  }
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void> {
  if (body === null) return;
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error('An extract broke off within a line.');
}
