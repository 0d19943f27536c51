/** `service_version` of every meta object (interface: Versioning). */
export const SERVICE_VERSION = '0.1.0';

export const CACHE_NAME = 'geoopslag';
