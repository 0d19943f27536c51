/**
 * The document's promise about each part of a request by itself: a value that its schema takes is not
 * refused for its form, and one that it does not take is never answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../sample/data/random.ts';
import { decimalOf, wholeOf } from '../../src/kernel/number-texts.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { composeAccounts } from '../../src/start/accounts.ts';
import type { AccountParts } from '../../src/start/accounts.ts';
import { mintKey } from '../support/keys.ts';
import { HANG_MS, TEST_SEED, amountOf } from '../support/run-settings.ts';
import { useWholeService } from '../support/use-whole-service.ts';
import type { Published } from './document.ts';
import { partsOf } from './parts.ts';
import type { Part, PartRequest } from './parts.ts';
import { Values } from './values.ts';

/** Values of a part that its schema takes, and as many others. */
const DRAWN = amountOf({ gate: 2, night: 100 });
const LANES = 8;

/** What no schema of one part says: what the data hold, the day, the other parts, and what holds for all. */
const OF_OTHERS: readonly (readonly [part: RegExp, error: RegExp])[] = [
  [/\b(?:lon|lat|x|y|srid|naer)$/, /outside Denmark|is not in Denmark/],
  [/^forholdOmraade body/, /^wkt: |not in Denmark|its rings closed|is not valid|send one of them/],
  [/Overvaagning body/, /^objekter(?:\[\d+\])?[ :]|more than \d+ properties/],
  [/^createJob body/, /which no row has|needs the roles/],
  [/^dagiBatch body.kode/, /different codes/],
  [/^mintKey body/, /^(?:origins|permission): .*public key|^origins\[\d+\] must be a host/],
  [/^driftSynk body|body.frigiv/, /cannot be released/],
  [/ (?:kommunekode|postnr|nr|navn|register)$/, /may list at most/],
  [/ bbox$/, /the first two not above the last two/],
  [/^kortTile /, /at zoom \d|^z must be at least/],
  [/^datavask vej$/, /^The address is missing/],
  // HTTP trims what a header holds.
  [/ idempotency-key$/, /at least 1 character/],
  [/^udtraek /, /^entitet must be one of/],
  [/^(?:jordstykker|stednavne) q$/, /must hold a letter or a digit|names no district/],
  [/^stednavne type$/, /a main type or a subtype/],
  [/ cvr$/, /modulus-11/],
  [/ month$/, /no longer kept/],
  [/ asOf$/, /nothing is known of other days/],
  // D277.
  [/./, /^The request holds a character that no text may hold/],
  [/ body.email$/, /^email must be an e-mail address/],
];

const service = useWholeService();
let document: Published;
let parts: Part[];
let ajv: Ajv2020;
let key: string;
let session: Record<string, string>;
beforeAll(async () => {
  const answer = await fetch(`${service.base}/openapi.json`);
  document = (await answer.json()) as Published;
  parts = partsOf(document);
  ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ ...document, $id: 'document' });
  key = service.key;
  session = {};
  // An embedded store is the program's alone.
  if (service.store === null) return;
  const accounts = composeAccounts({ store: service.store, clock: systemClock });
  key = await mintKey({ accounts }, { environment: 'test', permission: 'jobs' });
  session = await signIn(accounts);
});

/** Suites may share an account, whose open jobs have a limit. */
afterAll(async () => {
  const headers = { authorization: `Bearer ${key}` };
  const jobs = `${service.base}/v1/jobs`;
  const drafts = await fetch(`${jobs}?status=draft&limit=100`, { headers });
  for (const { id } of ((await drafts.json()) as { jobs: { id: string }[] }).jobs) {
    await fetch(`${jobs}/${id}`, { method: 'DELETE', headers });
  }
});

async function signIn({ accounts, sessions }: AccountParts): Promise<Record<string, string>> {
  const email = `parts-${process.pid}@example.dk`;
  const { id } = await accounts.create({ name: 'Opdigtet', email, tier: 'business' });
  const { token: link } = await sessions.newLink(id);
  const answer = await fetch(`${service.base}/v1/me/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link }),
  });
  const { session: opened } = (await answer.json()) as { session: { csrf_token: string } };
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  return { cookie, 'x-csrf-token': opened.csrf_token };
}

function keyOf({ operation: { security } }: Part): Record<string, string> {
  const asks = security.flatMap((scheme) => Object.keys(scheme));
  if (asks.includes('session') && !asks.includes('apiKey')) return session;
  return { authorization: `Bearer ${asks.includes('operator') ? service.operatorToken : key}` };
}

interface Answer {
  readonly status: number;
  /** Empty where it is not refused. */
  readonly error: string;
}

/** Past the limits of a plan it waits. */
async function ask(part: Part, request: PartRequest): Promise<Answer> {
  const { method, url, headers, body } = request;
  const answer = await fetch(`${service.base}${url}`, {
    method: method.toUpperCase(),
    headers: {
      ...{ ...headers, ...keyOf(part) },
      ...(body !== null && { 'content-type': 'application/json' }),
    },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  const { status, headers: told } = answer;
  if (status === 429 && Number(told.get('retry-after')) < 5) {
    await answer.body?.cancel();
    await sleep(1_000);
    return await ask(part, request);
  }
  if (status !== 400) await answer.body?.cancel();
  const refused = status === 400 ? ((await answer.json()) as { error: string }) : null;
  return { status, error: refused?.error ?? '' };
}

/** Compiled once for all its values. A number in an address is its text. */
function takerOf({ schema, isText }: Part): (value: unknown) => boolean {
  const refers = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
  const isTaken = ajv.compile(refers);
  const read = schema.type === 'integer' ? wholeOf : decimalOf;
  return (value) =>
    !isText || Array.isArray(value)
      ? isTaken(value)
      : [String(value), read(String(value))].some((sent) => isTaken(sent));
}

/** Texts and lists: what else an address may hold is the same as one of them. */
const isSent = ({ isText }: Part, value: unknown): boolean =>
  !isText || typeof value !== 'object' || (Array.isArray(value) && value.flat().length > 0);

/** What the service does otherwise than the schema says; null: its example has no answer. */
async function untrueOf(part: Part): Promise<string[] | null> {
  const controls = await Promise.all(part.with(part.example).map((request) => ask(part, request)));
  const way = controls.findIndex(({ status }) => ![400, 401, 402, 403].includes(status));
  if (way === -1) return null;
  const values = new Values(createRandom(`${TEST_SEED} ${part.name}`), document);
  const drawn = Array.from({ length: DRAWN }, () => [
    values.valid(part.schema),
    values.hostile(part.schema),
  ]);
  const takes = takerOf(part);
  const found: string[] = [];
  for (const value of drawn.flat().filter((each) => isSent(part, each))) {
    const request = part.with(value)[way];
    if (request === undefined) continue;
    const { status, error } = await ask(part, request);
    const isTaken = takes(value);
    const isOfOthers = OF_OTHERS.some(([name, text]) => name.test(part.name) && text.test(error));
    if (isTaken ? status === 400 && !isOfOthers : status < 400) {
      found.push(`${part.name} = ${JSON.stringify(value).slice(0, 100)}: ${status} ${error}`);
    }
  }
  return found;
}

test(
  'each part of a request is refused for its form where its schema says so, and nowhere else',
  { timeout: 10 * HANG_MS },
  async () => {
    expect(parts.length).toBeGreaterThan(300);
    const left = [...parts.filter(({ operation }) => operation.operationId !== 'jobEvents')];
    const found: string[] = [];
    let asked = 0;
    const lane = async (): Promise<void> => {
      for (let part = left.shift(); part !== undefined; part = left.shift()) {
        const untrue = await untrueOf(part);
        asked += untrue === null ? 0 : 1;
        found.push(...(untrue ?? []));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(found).toEqual([]);
    expect(asked).toBeGreaterThan(service.store === null ? 250 : 300);
  },
);
