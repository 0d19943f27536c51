/** Once a minute, finds the layers that are due by `due.ts`. */
const MINUTE_MS = 60_000;

/**
 * Calls `tick`, which never rejects, every minute until stopped, whatever the clock is set to: the same rule then
 * finds a missed night, a failed run and an unmirrored layer.
 */
export function everyMinute(tick: () => Promise<void>): { stop(): void } {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void tick().finally(() => {
      isRunning = false;
    });
  }, MINUTE_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
