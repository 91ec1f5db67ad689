import type { Endpoint } from '../Endpoint.ts'

export const schemaEndpoints: Endpoint[] = []
