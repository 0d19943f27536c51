/** A DNS server of the test's own: names and addresses as the test says, over UDP on a free port. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** Addresses of a name; another each time for a function; a name after `cname:`; silence; a failure. */
export type Zone = Readonly<
  Record<string, readonly string[] | (() => readonly string[]) | 'silence' | 'failure'>
>;

export type DnsServer = Awaited<ReturnType<typeof startDns>>;

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const RCODE = { none: 0, serverFailure: 2, nameError: 3 } as const;

export async function startDns(zone: Zone) {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (message, { port, address }) => {
    const answer = answerTo(message, zone, asked);
    if (answer !== null) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    /** As a resolver is told whom to ask. */
    servers: [`127.0.0.1:${socket.address().port}`],
    asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function answerTo(message: Buffer, zone: Zone, asked: Map<string, number>): Buffer | null {
  const { name, end } = nameAt(message, 12);
  const type = message.readUInt16BE(end);
  asked.set(name, (asked.get(name) ?? 0) + 1);
  const said = zone[name.toLowerCase()];
  if (said === 'silence') return null;
  const question = message.subarray(12, end + 4);
  if (said === 'failure')
    return packet(message, question, { rcode: RCODE.serverFailure, records: [] });
  if (said === undefined) return packet(message, question, { rcode: RCODE.nameError, records: [] });
  const values = typeof said === 'function' ? said() : said;
  return packet(message, question, { rcode: RCODE.none, records: recordsOf(name, type, values) });
}

function recordsOf(name: string, type: number, values: readonly string[]): Buffer[] {
  const records: Buffer[] = [];
  let owner = name;
  for (const value of values) {
    if (value.startsWith('cname:')) {
      const next = value.slice('cname:'.length);
      records.push(record(owner, TYPES.CNAME, encodeName(next)));
      owner = next;
    } else if (type === TYPES.A && !value.includes(':')) {
      records.push(record(owner, TYPES.A, Buffer.from(value.split('.').map(Number))));
    } else if (type === TYPES.AAAA && value.includes(':')) {
      records.push(record(owner, TYPES.AAAA, bytesOfV6(value)));
    }
  }
  return records;
}

function packet(
  asked: Buffer,
  question: Buffer,
  { rcode, records }: { readonly rcode: number; readonly records: readonly Buffer[] },
): Buffer {
  const head = Buffer.alloc(12);
  asked.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | rcode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => {
    const bytes = Buffer.from(label);
    return Buffer.concat([Buffer.of(bytes.length), bytes]);
  });
  return Buffer.concat([...labels, Buffer.of(0)]);
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = start;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function bytesOfV6(address: string): Buffer {
  const usual = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [before = [], after = []] = usual
    .split('::')
    .map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}
