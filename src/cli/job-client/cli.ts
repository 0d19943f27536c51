import { loadClientConfig } from '../../config.ts';
import { USAGE, parseCommand } from './command.ts';
import type { Command, Reached } from './command.ts';
import { EXIT, run, sentenceOf } from './run.ts';
import { createScreen } from './screen.ts';
import { Service } from './service.ts';

const parsed = parseCommand(process.argv.slice(2));
if (parsed.kind === 'help') console.log(USAGE);
else if (parsed.kind === 'mistake') {
  console.error(`${parsed.message}\n\n${USAGE}`);
  process.exitCode = EXIT.misunderstood;
} else {
  process.exitCode = await main(parsed.command, parsed.reached).catch((error: unknown) => {
    console.error(sentenceOf(error));
    return EXIT.bad;
  });
}

const NO_KEY =
  'An API key is needed: set GEOOPSLAG_KEY or give --key. One is made at /konto of the service, or on its ' +
  'machine by npm run admin -- first-key.';

async function main(command: Command, reached: Reached): Promise<number> {
  const config = loadClientConfig();
  const key = reached.key ?? config.key;
  if (key === null) throw new Error(NO_KEY);
  const screen = createScreen(process.stdout);
  const service = new Service({
    url: (reached.url ?? config.url).replace(/\/+$/, ''),
    key,
    onTrouble: (message) => screen.say(message),
  });
  return await run(command, service, screen);
}
