/** What docs/webhooks.md gives to receivers: run as it stands, in each language, over the same vectors. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PING, WEBHOOK_EVENTS } from '../../src/webhooks/events.ts';
import { newWebhookSecret, webhookHeaders } from '../../src/webhooks/sign.ts';
import { ownFolder } from '../support/opened.ts';
import { freePort } from '../support/free-port.ts';
import { isHere } from '../support/programs.ts';

const TEXT = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');
const block = (language: string, holds = ''): string => {
  const blocks = [...TEXT.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))];
  const found = blocks.map(([, code = '']) => code).find((code) => code.includes(holds));
  if (found === undefined) throw new Error(`No ${language} in docs/webhooks.md.`);
  return found;
};

test.each(['webhooks', 'da/webhook'])('docs/%s.md names every event', (name) => {
  const text = readFileSync(join(import.meta.dirname, `../../docs/${name}.md`), 'utf8');
  expect([...WEBHOOK_EVENTS, PING].filter((event) => !text.includes(`\`${event}\``))).toEqual([]);
});

const dir = ownFolder('docs');

const secret = newWebhookSecret();
const other = newWebhookSecret();
const body = '{"id":"webhookDelivery_a","event":"key.created","data":{"name":"Æblegrød 🍎"}}';
const headersOf = (text: string) =>
  webhookHeaders(
    { deliveryId: 'webhookDelivery_a', event: 'key.created', body: text },
    { secret, atMs: Date.now() },
  );
const signature = headersOf(body)['x-service-signature'] ?? '';

const VECTORS = [
  { name: 'valid', body, signature, secret, good: true },
  { name: 'another body', body: `${body} `, signature, secret, good: false },
  { name: 'another secret', body, signature, secret: other, good: false },
  { name: 'one digit turned', body, signature: flip(signature), secret, good: false },
  { name: 'shorter', body, signature: signature.slice(0, -1), secret, good: false },
  { name: 'longer', body, signature: `${signature}0`, secret, good: false },
  { name: 'nothing', body, signature: '', secret, good: false },
  { name: 'no prefix', body, signature: signature.slice(7), secret, good: false },
  { name: 'not ASCII', body, signature: `sha256=${'æ'.repeat(32)}`, secret, good: false },
];

function flip(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

const LANGUAGES = [
  {
    name: 'TypeScript',
    program: process.execPath,
    file: 'verify.ts',
    code: `import { readFileSync } from 'node:fs';
${block('ts')}
const vectors = JSON.parse(readFileSync('vectors.json', 'utf8'));
console.log(JSON.stringify(vectors.map((v: any) => verify(Buffer.from(v.body), v.signature, v.secret))));`,
  },
  {
    name: 'Python',
    program: 'python3',
    file: 'verify.py',
    code: `import json
${block('python')}
with open('vectors.json', encoding='utf-8') as file:
    vectors = json.load(file)
print(json.dumps([verify(v['body'].encode(), v['signature'], v['secret']) for v in vectors]))`,
  },
  {
    name: 'PHP',
    program: 'php',
    file: 'verify.php',
    code: `<?php
${block('php')}
$vectors = json_decode(file_get_contents('vectors.json'), true);
echo json_encode(array_map(fn($v) => verify($v['body'], $v['signature'], $v['secret']), $vectors));`,
  },
];

for (const { name, program, file, code } of LANGUAGES) {
  const missing = `verification in ${name}: ${program} is not installed.`;
  test.skipIf(program !== process.execPath && !isHere(program, missing))(
    `verification in ${name} says what is good and what is not`,
    () => {
      writeFileSync(join(dir, file), code);
      writeFileSync(join(dir, 'vectors.json'), JSON.stringify(VECTORS));
      const said = execFileSync(program, [file], { cwd: dir, encoding: 'utf8' });
      const judged = (JSON.parse(said) as boolean[]).map((good, index) => ({
        name: VECTORS[index]?.name,
        good,
      }));
      expect(judged).toEqual(VECTORS.map((vector) => ({ name: vector.name, good: vector.good })));
    },
  );
}

test('the receiver verifies what it gets, with the certificate as it is made there', async () => {
  execFileSync('sh', ['-c', block('sh', 'openssl')], { cwd: dir, stdio: 'ignore' });
  writeFileSync(join(dir, 'receiver.mjs'), block('js'));
  const port = await freePort();
  const receiver = spawn(process.execPath, ['receiver.mjs'], {
    cwd: dir,
    env: { ...process.env, SECRET: secret, HOOK_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [said] = (await once(receiver.stdout, 'data')) as [Buffer];
    expect(said.toString()).toContain('listening');
    expect(await post(port, body)).toBe(204);
    expect(await post(port, `${body} `)).toBe(400);
  } finally {
    receiver.kill();
  }
});

async function post(port: number, text: string): Promise<number | undefined> {
  const asked = request({
    ...{ host: '127.0.0.1', port, method: 'POST', headers: headersOf(body) },
    ca: readFileSync(join(dir, 'hook.pem')),
  });
  asked.end(text);
  const [response] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}
