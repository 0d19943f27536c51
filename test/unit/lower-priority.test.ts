/** Who stands back behind single lookups, as the kernel tells it. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const STAND_BACK = new URL('../../src/core/tasks/lower-priority.ts', import.meta.url).href;
/** Of a thread, from its `stat`: the 41st field, of which the name is the second. */
const POLICY = `
  const { readFileSync, readdirSync, readlinkSync } = await import('node:fs');
  const policy = (task) => Number(readFileSync(task + '/stat', 'utf8').split(') ')[1].split(' ')[38]);
`;
/** Without the run's own `chrt`. */
const env = {
  ...process.env,
  PATH: process.env['PATH']?.replace(/^[^:]*\/test\/support\/bin:/, ''),
};
const NORMAL = 0;
const IDLE = 5;

function isToBeHad(): boolean {
  try {
    execFileSync('chrt', ['--idle', '0', 'true'], { stdio: 'ignore', env });
    return process.platform === 'linux';
  } catch {
    return false;
  }
}

function run(code: string): unknown {
  const argv = ['--input-type=module', '-e', POLICY + code];
  return JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8', env }));
}

// Without `chrt`, or where it is not allowed, nobody stands back.
test.skipIf(!isToBeHad())('a thread of batches stands back, and its process does not', () => {
  const found = run(`
    const { Worker } = await import('node:worker_threads');
    const code = \`
      const { lowerThreadPriority } = await import('${STAND_BACK}');
      const { readlinkSync } = await import('node:fs');
      const { parentPort } = await import('node:worker_threads');
      lowerThreadPriority();
      parentPort.postMessage(readlinkSync('/proc/thread-self'));
      setTimeout(() => {}, 10_000);
    \`;
    const thread = new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)));
    thread.once('message', (task) => {
      console.log(JSON.stringify([policy('/proc/' + task), policy('/proc/self/task/' + process.pid)]));
      process.exit();
    });
  `);
  expect(found).toEqual([IDLE, NORMAL]);
});

test.skipIf(!isToBeHad())('a process that answers nobody stands back with every thread', () => {
  const found = run(`
    const { lowerProcessPriority } = await import('${STAND_BACK}');
    lowerProcessPriority();
    const tasks = readdirSync('/proc/self/task');
    console.log(JSON.stringify([tasks.length > 1, ...new Set(tasks.map((task) => policy('/proc/self/task/' + task)))]));
  `);
  expect(found).toEqual([true, IDLE]);
});
