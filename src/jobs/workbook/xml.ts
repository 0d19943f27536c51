/** Refuses document types; limits depth and text. */
import { SaxesParser } from 'saxes';
import { JOB_LIMITS } from '../limits.ts';
import { Slice } from '../../kernel/turns.ts';
import { broken } from './refusals.ts';

type Attributes = Readonly<Record<string, string>>;

/** Names without namespace prefix. */
export interface XmlVisitor {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(name: string): void;
}

const STEP_CHARS = 4 * 1024;

/** Yields regularly, when the visitor may have results. */
export async function* walkXml(
  pieces: AsyncIterable<string>,
  visitor: XmlVisitor,
): AsyncGenerator<void, void, undefined> {
  const walk = new Walk(visitor);
  const slice = new Slice();
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += STEP_CHARS) {
      walk.read(piece.slice(at, at + STEP_CHARS));
      if (slice.isOver) await slice.next();
    }
    yield;
  }
  walk.end();
}

class Walk {
  readonly #parser = new SaxesParser({ position: false, xmlns: false });
  /** Characters collected since the last tag. */
  #held = 0;
  #depth = 0;

  constructor(visitor: XmlVisitor) {
    const { depth } = JOB_LIMITS.workbook;
    this.#parser.on('error', (error) => {
      throw broken(error);
    });
    this.#parser.on('doctype', () => {
      throw broken('a document type');
    });
    this.#parser.on('opentag', ({ name, attributes }) => {
      this.#held = 0;
      this.#depth += 1;
      if (this.#depth > depth) throw broken('nested too deep');
      visitor.open(localName(name), attributes);
    });
    this.#parser.on('text', (text) => visitor.text(text));
    this.#parser.on('cdata', (text) => visitor.text(text));
    this.#parser.on('closetag', ({ name }) => {
      this.#held = 0;
      this.#depth -= 1;
      visitor.close(localName(name));
    });
  }

  read(text: string): void {
    this.#held += text.length;
    if (this.#held > JOB_LIMITS.workbook.tokenChars) throw broken('a text without end');
    this.#parser.write(text);
  }

  end(): void {
    this.#parser.close();
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
