import type { Endpoint } from '../Endpoint.ts'

export const batchEndpoints: Endpoint[] = []
