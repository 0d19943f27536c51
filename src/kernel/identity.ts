/** `service_version` of every meta object (interface: Versioning). */
export const SERVICE_VERSION = '0.1.0';

/** The service's name in Cache-Status. */
export const CACHE_NAME = 'geoopslag';
