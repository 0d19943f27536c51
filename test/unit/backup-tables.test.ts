/** docs/backup.md says of every table whether the small dump has its rows. */
import { expect, test } from 'vitest';
import { readText } from '../support/repository.ts';

/** What no register gives again. A new table goes here or among what the document leaves out. */
const KEPT = [
  ...['account', 'account_alarm', 'account_event', 'account_person', 'account_request'],
  ...['account_revision', 'api_key', 'api_key_use', 'job', 'job_chunk', 'job_request'],
  ...['mail_allowance', 'operator_act', 'operator_act_start', 'operator_action'],
  ...['replication_entity', 'replication_event', 'replication_transaction', 'retention_sweep'],
  ...['self_audit_hour', 'session', 'sign_in_link', 'store_identity', 'store_state', 'usage_day'],
  ...['usage_grant', 'usage_instance', 'usage_journal', 'usage_line', 'usage_month', 'watch_claim'],
  ...['watch_list', 'watch_missed', 'watch_piece', 'webhook_delivery', 'webhook_endpoint'],
];

test('the small dump keeps what no register gives again, and nothing of the mirror', () => {
  const [, mirror = ''] = /^MIRROR='([\w|]+)'$/m.exec(readText('docs/backup.md'))!;
  const isLeftOut = new RegExp(`^(${mirror})(_.*)?$`);
  const tables = [...readText('sql/schema.sql').matchAll(/^create table (\w+) \(/gm)].map(
    ([, name = '']) => name,
  );
  expect(tables.filter((name) => !isLeftOut.test(name)).sort()).toEqual(KEPT);
  const prefixes = mirror.split('|');
  const unused = prefixes.filter((prefix) => !tables.some((name) => name.startsWith(prefix)));
  expect(unused).toEqual([]);
});
