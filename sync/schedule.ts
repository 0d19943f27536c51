/** Once a minute, finds the layers that are due by `due.ts`. */
import cron from 'node-cron';

/**
 * Calls `tick` every minute until stopped. One rule then finds a missed night, a failed run and an
 * unmirrored layer. In UTC: with a time zone node-cron 4.6.0 skips the whole hour that autumn
 * repeats.
 */
export function everyMinute(tick: () => Promise<void>): { stop(): Promise<void> } {
  const task = cron.schedule('* * * * *', tick, {
    timezone: 'UTC',
    name: 'layers due',
    noOverlap: true,
    unref: true,
    suppressMissedWarning: true,
  });
  return {
    stop: async () => {
      await task.destroy();
    },
  };
}
