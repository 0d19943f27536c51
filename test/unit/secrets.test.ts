/** The search for secrets in what the suite prints finds what is made here, and nothing that is blotted out. */
import { expect, test } from 'vitest';
import { newSecret } from '../../src/account/key-format.ts';
import { redact } from '../../src/kernel/log.ts';
import { newWebhookSecret } from '../../src/webhooks/sign.ts';
import RunReporter from '../support/run-report.ts';
import { secretsIn } from '../support/secrets.ts';

const MADE = [
  newWebhookSecret(),
  ...(['live', 'test'] as const).map((environment) => newSecret({ kind: 'secret', environment })),
  newSecret({ kind: 'public', environment: 'live' }),
];

test('every secret is found wherever it stands, and shown by its beginning alone', () => {
  const text = MADE.map((secret) => `{"said":"${secret}"}`).join('\n');
  expect(secretsIn(text)).toEqual(MADE.map((secret) => `${secret.slice(0, 12)}…`));
  expect(secretsIn(redact(text))).toEqual([]);
  expect(secretsIn('whsec_abcd svc_live_abc123')).toEqual([]);
});

test('a run that printed one has failed', () => {
  const reporter = new RunReporter();
  reporter.onUserConsoleLog({ content: 'nothing to hide' });
  expect(reporter.printedSecrets).toEqual([]);
  reporter.onUserConsoleLog({ content: `secret: ${MADE[0]}` });
  expect(reporter.printedSecrets).toEqual([`a test printed a secret: ${MADE[0]?.slice(0, 12)}…`]);
});
