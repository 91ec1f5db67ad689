import type { Endpoint } from '../Endpoint.ts'

export const aggregateEndpoints: Endpoint[] = []
