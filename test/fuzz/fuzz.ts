/** Sends requests by number and holds every answer to the document. */
import { Agent, request as send } from 'undici';
import type { Published } from './document.ts';
import { operationsOf } from './document.ts';
import { Judge } from './judge.ts';
import type { FuzzAnswer } from './judge.ts';
import type { FuzzKeys, FuzzPlan, FuzzRequest } from './requests.ts';
import { requestAt } from './requests.ts';

/** No answer is worth waiting longer for. */
const ANSWER_MS = 20_000;

export interface Finding {
  readonly at: number;
  readonly reason: string;
  readonly request: FuzzRequest;
  readonly answer: FuzzAnswer | null;
}

export interface FuzzOptions {
  readonly base: string;
  readonly keys: FuzzKeys;
  readonly seed: string;
  /** The numbers of the requests, from and up to but not including. */
  readonly from: number;
  readonly to: number;
  readonly lanes?: number;
  readonly onProgress?: (sent: number) => void;
}

/** Sends them all; of each status, how many there were. */
export async function fuzz(options: FuzzOptions) {
  const { base, keys, seed, from, to, lanes = 8, onProgress } = options;
  const agent = new Agent({
    connections: lanes,
    headersTimeout: ANSWER_MS,
    bodyTimeout: ANSWER_MS,
  });
  const opened = await send(`${base}/openapi.json`, { dispatcher: agent });
  const document = (await opened.body.json()) as Published;
  const plan: FuzzPlan = { document, operations: operationsOf(document), keys, seed };
  const judge = new Judge(document, keys);
  const findings: Finding[] = [];
  const statuses = new Map<number, number>();
  let next = from;
  const lane = async () => {
    while (next < to) {
      const at = next++;
      const request = requestAt(plan, at);
      const asked = await ask(base, request, agent);
      const answer = asked instanceof Error ? null : asked;
      const reason =
        asked instanceof Error ? `no answer: ${causeOf(asked)}` : judge.findingIn(request, asked);
      if (reason !== null) findings.push({ at, reason, request, answer });
      if (answer !== null) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if ((at - from + 1) % 1000 === 0) onProgress?.(at - from + 1);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await agent.close();
  return { requests: to - from, findings, statuses };
}

async function ask(base: string, request: FuzzRequest, agent: Agent): Promise<FuzzAnswer | Error> {
  const { method, target, headers, body } = request;
  try {
    const answer = await agent.request({
      origin: base,
      path: target,
      method: method,
      headers,
      body,
    });
    return {
      status: answer.statusCode,
      headers: answer.headers as FuzzAnswer['headers'],
      body: await answer.body.text(),
    };
  } catch (error) {
    return error as Error;
  }
}

function causeOf({ name, message, code }: Error & { readonly code?: string }): string {
  return `${name} ${code ?? ''} ${message}`;
}

export function describeFinding({ at, reason, request, answer }: Finding, seed: string): string {
  const { method, target, headers, body } = request;
  const sent = body === null ? '' : ` ${body.slice(0, 300)}`;
  return (
    `request ${at} (${request.kind}): ${reason}\n  ${method} ${target.slice(0, 300)}${sent}\n` +
    `  ${JSON.stringify(headers).slice(0, 400)}\n` +
    `  answered ${answer?.status ?? 'nothing'}: ${answer?.body.slice(0, 300) ?? ''}\n` +
    `  again: npm run fuzz -- --seed ${seed} --only ${at}`
  );
}
