import { answerProperties } from './property-batch.ts';
import type { SessionTask } from './protocol.ts';
import { serveSession } from './session.ts';

export default async function run(session: SessionTask): Promise<void> {
  await serveSession(session, answerProperties);
}
