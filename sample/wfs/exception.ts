/** What the sample refuses, said as GeoServer says it: an OWS ExceptionReport with HTTP 400. */
import { documentOf, escapeXml } from './xml.ts';

export type OwsCode =
  | 'InvalidParameterValue'
  | 'MissingParameterValue'
  | 'OperationNotSupported'
  | 'OperationParsingFailed'
  | 'OptionNotSupported'
  | 'VersionNegotiationFailed'
  | 'NoApplicableCode';

export class WfsException extends Error {
  readonly code: OwsCode;
  readonly locator: string | null;

  constructor(code: OwsCode, message: string, locator: string | null = null) {
    super(message);
    this.name = 'WfsException';
    this.code = code;
    this.locator = locator;
  }
}

const REPORT = documentOf('exception');

/** The report as OWS 1.1 XML. */
export function exceptionReport({ code, locator, message }: WfsException): string {
  const where = locator === null ? '' : ` locator="${escapeXml(locator)}"`;
  return REPORT({ code, where, text: escapeXml(message) });
}
