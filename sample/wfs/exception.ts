/** What the sample refuses, said as GeoServer says it: an OWS ExceptionReport with HTTP 400. */
import { escapeXml } from './xml.ts';

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

/** The report as OWS 1.1 XML. */
export function exceptionReport({ code, locator, message }: WfsException): string {
  const where = locator === null ? '' : ` locator="${escapeXml(locator)}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<ows:ExceptionReport xmlns:xs="http://www.w3.org/2001/XMLSchema"',
    ' xmlns:ows="http://www.opengis.net/ows/1.1"',
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" version="2.0.0"',
    ' xsi:schemaLocation="http://www.opengis.net/ows/1.1',
    ' http://schemas.opengis.net/ows/1.1.0/owsAll.xsd">\n',
    `<ows:Exception exceptionCode="${code}"${where}>\n`,
    `<ows:ExceptionText>${escapeXml(message)}</ows:ExceptionText>\n`,
    '</ows:Exception>\n</ows:ExceptionReport>\n',
  ].join('');
}
