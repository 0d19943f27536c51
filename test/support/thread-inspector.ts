/** What an operator's debugger does in a request thread of a program that was started with `--inspect`. */
import { once } from 'node:events';

interface Attached {
  readonly sessionId: string;
  readonly workerInfo: { readonly title: string };
}

/** Runs code in the thread of that number, and does not wait for what becomes of it. */
export async function runInThread(
  debuggerUrl: string,
  thread: number,
  code: string,
): Promise<void> {
  const socket = new WebSocket(debuggerUrl);
  await once(socket, 'open');
  const send = (id: number, method: string, params: object): void =>
    socket.send(JSON.stringify({ id, method, params }));
  const attached = new Promise<Attached>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      const { method, params } = JSON.parse(String(data)) as { method?: string; params?: Attached };
      if (method !== 'NodeWorker.attachedToWorker' || params === undefined) return;
      if (params.workerInfo.title.includes(`requests-${thread}`)) resolve(params);
    });
  });
  send(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
  const { sessionId } = await attached;
  const params = { expression: code };
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params });
  send(2, 'NodeWorker.sendMessageToWorker', { sessionId, message });
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.close();
}
