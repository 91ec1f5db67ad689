import type { Endpoint } from '../Endpoint.ts'

export const functionEndpoints: Endpoint[] = []
