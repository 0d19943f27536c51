/** What this service calls itself in its answers. */

/** `service_version` of every meta object (interface: Versioning). */
export const SERVICE_VERSION = '0.1.0';

/** The name this service has in Cache-Status. */
export const CACHE_NAME = 'geoopslag';
