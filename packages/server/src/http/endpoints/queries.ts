import type { Endpoint } from '../Endpoint.ts'

export const queryEndpoints: Endpoint[] = []
