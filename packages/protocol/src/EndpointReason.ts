// biome-ignore lint/style/noRestrictedImports: types alone, which no browser loads
import type { Contract } from './contract/index.ts'
import type { Reason } from './reasons.ts'

/** What the contract says that an endpoint may refuse with, besides what every endpoint may. Types only: no Zod is loaded. */
export type EndpointReason<Name extends keyof Contract> = Contract[Name] extends {
  readonly reasons: readonly (infer Given)[]
}
  ? Extract<Given, Reason>
  : never
