import type { Endpoint } from '../Endpoint.ts'

export const configEndpoints: Endpoint[] = []
