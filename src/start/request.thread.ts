/** Composes the service like the first thread, and listens on the same port. */
import process from 'node:process';
import { secretsOf } from '../config.ts';
import { clockFrom } from '../kernel/clock.ts';
import { sentenceOf } from '../kernel/log.ts';
import { createLogging } from '../kernel/logger.ts';
import type { ThreadReport } from '../http/thread-report.ts';
import { Balance } from '../threads/balance.ts';
import { sharedLimiters } from '../kernel/limiters.ts';
import { Questions } from '../threads/ask.ts';
import { Follower } from '../threads/feed.ts';
import { threadLink } from '../threads/in-thread.ts';
import type { ThreadLink } from '../threads/in-thread.ts';
import { THREAD_LIMITS } from '../threads/limits.ts';
import { listening } from './request-threads.ts';
import { compose } from './service.ts';
import type { RequestThreadSettings } from './thread-config.ts';
import { noticesTo } from './thread-role.ts';
import type { OtherThread } from './thread-role.ts';
import { sourcesAt } from '../../sync/open.ts';

type Link = ThreadLink<RequestThreadSettings, ThreadReport>;

const link: Link = threadLink();
try {
  await run(link);
} catch (error) {
  link.send({ kind: 'failed', message: sentenceOf(error) });
}
// Handles left open would keep the thread alive.
process.exit();

async function run({ setup, send, told, on }: Link): Promise<void> {
  const { config, port, sampleUrl, isTerminal, operator, shared } = setup.settings;
  const stopped = told('stop');
  const role: OtherThread = {
    kind: 'other',
    number: setup.number,
    follower: new Follower(setup.feed),
    questions: new Questions(setup.questions),
    balance: new Balance(shared.loads, setup.number),
    limiters: sharedLimiters(shared.limits, setup.number),
    migrated: told('migrated'),
    operator,
  };
  const logging = createLogging({ level: config.logLevel, secrets: secretsOf(config), isTerminal });
  const log = logging.log.child({ thread: setup.number });
  const service = await compose({
    config,
    clock: clockFrom(config.trialClockMs),
    sources: sourcesAt(config, sampleUrl),
    log,
    onExpired: noticesTo(role).expired,
    role,
  });
  on('read', () => service.counts.begin());
  await service.app.listen(listening(config.host, port, true));
  send({ kind: 'listening' });
  const report = (): void => send({ kind: 'report', report: service.report() });
  const reporting = setInterval(report, THREAD_LIMITS.reportMs);
  await stopped;
  await service.app.close();
  clearInterval(reporting);
  report();
  await service.close();
}
