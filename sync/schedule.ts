/** The clockwork: once a minute it asks which layers are due. When they are is decided in `due.ts`. */
import cron from 'node-cron';

/**
 * Calls `tick` every minute until stopped. A minute's look instead of one alarm per layer and night:
 * the same rule then finds a night that was slept through, a failed run and a layer never mirrored.
 * Minutes of UTC: in a zone node-cron 4.6.0 skips the whole hour that is there twice in autumn.
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
