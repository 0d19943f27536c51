/** Exits with 0 when all succeeded. What a command needs is loaded once it is understood. */
import { USAGE, parseCommand } from './command.ts';

const EXIT = { good: 0, bad: 1, misunderstood: 2 } as const;
const END_MS = 10_000;

const parsed = parseCommand(process.argv.slice(2));
if (parsed.kind === 'help') console.log(USAGE);
else if (parsed.kind === 'mistake') {
  console.error(`${parsed.message}\n\n${USAGE}`);
  process.exitCode = EXIT.misunderstood;
} else {
  const { runCommand } = await import('./commands.ts');
  process.exitCode = await runCommand(parsed).then(
    (isGood) => (isGood ? EXIT.good : EXIT.bad),
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : String(error));
      return EXIT.bad;
    },
  );
  // A thread that was ended and went on kept a process for good, once in 1,532 syncs.
  setTimeout(() => process.exit(), END_MS).unref();
}
