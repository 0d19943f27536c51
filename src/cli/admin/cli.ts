/** `npm run admin`, for operators with access to the store. */
import { createAccounts } from '../../account/accounts.ts';
import { createKeys } from '../../account/keys.ts';
import { readPlans } from '../../account/plans.ts';
import { composeLetters } from '../../account/letters.ts';
import { createAccountRequests } from '../../account/requests.ts';
import { createSessions } from '../../account/sessions.ts';
import { loadConfig, misspelledSettings } from '../../config.ts';
import type { Config } from '../../config.ts';
import { openStore } from '../../db/connect.ts';
import { migrate } from '../../db/migrate.ts';
import { systemClock } from '../../kernel/clock.ts';
import { sentenceOf } from '../../kernel/log.ts';
import { reachedAddress } from '../../kernel/service-address.ts';
import { usageLedger } from '../../metering/usage.ts';
import { createWebhookAdmin } from '../../webhooks/admin.ts';
import { USAGE, parseCommand } from './command.ts';
import type { Parsed } from './command.ts';
import { runCommand } from './run.ts';
import type { Done } from './done.ts';

const EXIT = { good: 0, bad: 1, misunderstood: 2 } as const;

const parsed = parseCommand(process.argv.slice(2));
if (parsed.kind === 'help') console.log(USAGE);
else if (parsed.kind === 'mistake') {
  console.error(`${parsed.message}\n\n${USAGE}`);
  process.exitCode = EXIT.misunderstood;
} else {
  process.exitCode = await main(parsed).then(
    () => EXIT.good,
    (error: unknown) => {
      console.error(sentenceOf(error));
      return EXIT.bad;
    },
  );
}

async function main({ command, json, by }: Understood): Promise<void> {
  for (const sentence of misspelledSettings()) console.error(sentence);
  const config = loadConfig();
  const plans = readPlans(config.plansFile);
  const store = await openStore({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    maxConnections: 1,
    log: { error: (message) => console.error(message) },
  });
  try {
    await migrate(store);
    // Running services notice changes by the store's account revision.
    const deps = { store, clock: systemClock, onChange: () => undefined };
    const sessions = createSessions(deps);
    const post =
      config.mail &&
      composeLetters(
        { ...deps, sessions },
        {
          settings: config.mail,
          baseUrl: () => baseUrlOf(config),
          trouble: (code) => console.error(`The letter was not sent: ${code}.`),
        },
      );
    const admin = {
      accounts: createAccounts(deps),
      keys: createKeys(deps),
      sessions,
      requests: createAccountRequests(deps),
      letters: post?.letters ?? null,
      store,
      usage: usageLedger(store),
      webhooks: createWebhookAdmin({ store, clock: systemClock }),
      plans,
      clock: systemClock,
      dataDir: config.dataDir,
      baseUrl: () => baseUrlOf(config),
    };
    await print(await runCommand(admin, command, by), json);
    await post?.outbox.idle();
  } finally {
    await store.close();
  }
}

type Understood = Extract<Parsed, { readonly kind: 'run' }>;

async function print({ value, lines, stream }: Done, json: boolean): Promise<void> {
  if (stream === undefined) console.log(json ? JSON.stringify(value) : lines.join('\n'));
  else for await (const line of stream) console.log(line);
}

function baseUrlOf(config: Config): string {
  const reached = reachedAddress(config);
  if (reached !== null) return reached;
  throw new Error('Set PUBLIC_URL or PORT: where the service listens is not known.');
}
