import { createAccounts } from '../../src/account/accounts.ts';
import { createKeys } from '../../src/account/keys.ts';
import { readPlans } from '../../src/account/plans.ts';
import { createAccountRequests } from '../../src/account/requests.ts';
import { createSessions } from '../../src/account/sessions.ts';
import { parseCommand } from '../../src/cli/admin/command.ts';
import { runCommand } from '../../src/cli/admin/run.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { usageLedger } from '../../src/metering/usage.ts';
import { createWebhookAdmin } from '../../src/webhooks/admin.ts';
import type { TestStore } from '../support/store.ts';

/** A command in this process: its lines, and its value as `--json` prints it. */
export async function runAdmin(
  store: TestStore,
  argv: readonly string[],
): Promise<{ out: string; value: unknown }> {
  const parsed = parseCommand(argv);
  if (parsed.kind !== 'run') throw new Error(`No command: ${argv.join(' ')}`);
  const deps = { store, clock: systemClock, onChange: () => undefined };
  const { value, lines, stream } = await runCommand(
    {
      accounts: createAccounts(deps),
      keys: createKeys(deps),
      sessions: createSessions(deps),
      requests: createAccountRequests(deps),
      letters: null,
      store,
      usage: usageLedger(store),
      webhooks: createWebhookAdmin({ store, clock: systemClock }),
      plans: readPlans(),
      clock: systemClock,
      dataDir: store.dataDir,
      baseUrl: () => 'https://geo.example',
    },
    parsed.command,
    parsed.by,
  );
  const all = [...lines];
  for await (const line of stream ?? []) all.push(line);
  return { out: all.join('\n'), value: JSON.parse(JSON.stringify(value)) as unknown };
}
