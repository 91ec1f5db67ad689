export { op, where } from '../core/documents/namespaces.ts'
export { defineQuery, relationQuery } from '../core/documents/Query.ts'
export { bytes, geoPoint, pointer, polygon, readBytes } from '../core/documents/values.ts'
