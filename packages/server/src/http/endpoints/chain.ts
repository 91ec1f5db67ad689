import type { Endpoint } from '../Endpoint.ts'

export const chainEndpoints: Endpoint[] = []
