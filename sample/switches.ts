/**
 * The operator's switches over HTTP, at `/_faults` of the sample upstream:
 * GET lists what is on and what there is, POST replaces the plan, DELETE mends everything.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FaultPlan, FaultSwitches } from './fault-plan.ts';
import { FAULTS } from './faults.ts';
import { MOST_BYTES, readBody } from './http.ts';

export const SWITCHES_PATH = '/_faults';

export async function handleSwitches(
  request: IncomingMessage,
  response: ServerResponse,
  faults: FaultSwitches,
): Promise<void> {
  if (!isLoopback(request.socket.remoteAddress ?? '')) {
    sendJson(response, 403, { error: 'The switches answer on loopback only' });
    return;
  }
  switch (request.method ?? '') {
    case 'GET':
      break;
    case 'DELETE':
      faults.clear();
      break;
    case 'POST':
      if (!(await replacePlan(request, response, faults))) return;
      break;
    default:
      response.setHeader('allow', 'GET, POST, DELETE');
      sendJson(response, 405, { error: 'GET, POST or DELETE' });
      return;
  }
  sendJson(response, 200, { active: faults.list(), available: describeFaults() });
}

/** Whether the plan was taken; the refusal has been sent otherwise. */
async function replacePlan(
  request: IncomingMessage,
  response: ServerResponse,
  faults: FaultSwitches,
): Promise<boolean> {
  // A web page can post to loopback, but not with this type unless it may (no CORS here).
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    sendJson(response, 415, { error: 'Send application/json' });
    return false;
  }
  try {
    const text = await readBody(request);
    if (text.length > MOST_BYTES) throw new RangeError(`A plan has at most ${MOST_BYTES} bytes`);
    const plan: unknown = JSON.parse(text);
    faults.set((Array.isArray(plan) ? plan : [plan]) as FaultPlan);
    return true;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error;
    sendJson(response, 400, { error: error.message });
    return false;
  }
}

function describeFaults(): unknown[] {
  return Object.entries(FAULTS).map(([name, fault]) => ({
    fault: name,
    title: fault.title,
    operations: fault.operations ?? 'all',
    ...(fault.valueIs === undefined ? {} : { value: fault.defaultValue, valueIs: fault.valueIs }),
    ...(fault.defaultShare === undefined ? {} : { share: fault.defaultShare }),
  }));
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json;charset=UTF-8' });
  response.end(`${JSON.stringify(body, null, 1)}\n`);
}
