import type { Endpoint } from '../Endpoint.ts'

export const waysInEndpoints: Endpoint[] = []
